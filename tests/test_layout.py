"""The layout of the house: what may stand where, how large it may be, and who may do what."""

import ast
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from support.rooms import ROOT, SOURCE_ROOTS, Source, files, modules, sources

if not (ROOT / ".git").exists():
    pytest.skip("only a checkout knows which files are ours", allow_module_level=True)

TOP_LEVEL = {
    *SOURCE_ROOTS,
    ".ci",
    ".gitignore",
    "CHANGELOG.md",
    "LICENSE",
    "Makefile",
    "README.md",
    "constraints.txt",
    "deploy",
    "pyproject.toml",
    "tests",
}

MODULE_LINES = 500
FUNCTION_LINES = 60

GRAB_BAGS = {"base", "common", "helper", "helpers", "misc", "util", "utils"}

TESTED_ELSEWHERE: dict[str, str] = {
    "envwright.console.report.made": "console/report/test_document.py reads its sections",
    "envwright.console.report.mined": "console/report/test_document.py reads its sections",
}
"""Modules with behaviour but no test of their name: module -> the test that holds it, and why."""

CLOCKS_AND_CHANCE = {
    "datetime.date.today",
    "datetime.datetime.now",
    "datetime.datetime.today",
    "datetime.datetime.utcnow",
    "os.urandom",
    "random.SystemRandom",
    "random.choice",
    "random.randbytes",
    "random.randint",
    "random.random",
    "random.sample",
    "random.shuffle",
    "secrets.token_bytes",
    "secrets.token_hex",
    "time.time",
    "time.time_ns",
    "uuid.uuid1",
    "uuid.uuid4",
}

MAY_READ_CLOCKS = {
    "envwright.agents.checkpointer": "a random tail on checkpoint versions, outside the log",
    "envwright.events.envelope": "the header's occurred_at",
    "envwright.events.identifiers": "UUIDv7 for events and runs",
    "envwright.sandbox.isolation.process": "the mark by which a sandbox's processes are reaped",
}

FOREIGN_WORDS = {
    "the host of a package registry": r"""(?xi)
        pypi[.]org | pythonhosted[.] | npmjs[.](org|com) | yarnpkg[.]com | crates[.]io
        | proxy[.]golang | repo1?[.]maven | deb[.]debian | debian[.]org | registry[.]hub""",
    "a path of one machine": r"""(?x)
        (?<![\w.])/work/(main|shared|venv|[.]library) | (?<![\w.])/tmp/w[/] | /root/[.]pyenv""",
    "a word about how the work was organised": r"""(?xi)
        \bsession[ ]of\b | \b(this|next|last|earlier)[ ](coding[ ])?session\b
        | \bworkplace\b | \bhelper[ ]agents?\b | \bthe[ ]brief[ ](says|asks)\b""",
}

DATA = {".json", ".jsonl"}


def functions(source: Source) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Yield every function and method of a file."""
    for node in ast.walk(source.tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def docstring(node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.Expr | None:
    """Return the docstring's node."""
    match node.body[0]:
        case ast.Expr(ast.Constant(str())) as text:
            return text
    return None


def length(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Return a function's lines without its docstring."""
    text = docstring(node)
    spared = (text.end_lineno or text.lineno) - text.lineno + 1 if text else 0
    return (node.end_lineno or node.lineno) - node.lineno + 1 - spared


def behaves(source: Source) -> bool:
    """Say whether a module does something: a function with more in it than a docstring."""
    return any(
        statement is not docstring(node) and not isinstance(statement, ast.Pass)
        for node in functions(source)
        for statement in node.body
        if not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant))
    )


def namesakes(module: str, among: Counter[str]) -> list[Path]:
    """Return the places where the test of a module may stand.

    Its mirror, or flat under its package: there the folders are part of the name where another
    module of the package has the same one.
    """
    package, *inside = module.split(".")[1:]
    *folders, name = inside or [package]
    tests = ROOT / "tests" / package
    places = [tests.joinpath(*folders, f"test_{name}.py")]
    places += [tests.joinpath(*folders, name, f"test_{name}.py")]
    places += [tests / f"test_{'_'.join([*folders, name])}.py"]
    if among[f"{package}.{name}"] == 1:
        places += [tests / f"test_{name}.py"]
    return places


def uses(source: Source) -> Iterator[str]:
    """Yield the dotted name of everything that a module reads from what it imports."""
    names: dict[str, str] = {}
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Import):
            names |= {each.asname or each.name: each.name for each in node.names}
        if isinstance(node, ast.ImportFrom):
            names |= {each.asname or each.name: f"{node.module}.{each.name}" for each in node.names}
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Attribute | ast.Name):
            root, _, rest = ast.unparse(node).partition(".")
            if root in names:
                yield f"{names[root]}.{rest}" if rest else names[root]


def nothing(found: Mapping[str, object], remedy: str) -> None:
    """Fail with one line per finding, and what to do about it."""
    if found:
        lines = [f"{where}: {what}" for where, what in found.items()]
        pytest.fail("\n".join([*lines, f"-> {remedy}"]), pytrace=False)


def test_the_rooms_and_nothing_else_stand_at_the_top():
    assert {path.relative_to(ROOT).parts[0] for path in files()} == TOP_LEVEL


@pytest.mark.parametrize("root", SOURCE_ROOTS)
def test_the_namespace_has_no_init(root):
    assert not (ROOT / root / "__init__.py").exists()
    assert not (ROOT / root / "envwright" / "__init__.py").exists()


def test_tests_are_no_packages():
    assert not [each.name for each in sources() if re.match(r"tests/.*__init__", each.name)]


@pytest.mark.parametrize("room", [*SOURCE_ROOTS, "deploy", "tests"])
def test_every_room_says_what_it_owns(room):
    assert (ROOT / room / "README.md").is_file()


def test_no_file_is_too_long():
    lines = {each.name: each.text.count("\n") for each in sources()}
    long = {name: f"{count} lines" for name, count in lines.items() if count > MODULE_LINES}
    nothing(long, f"split what does two things: at most {MODULE_LINES} lines")


def test_no_function_is_too_long():
    long = {
        f"{each.name}:{node.lineno} {node.name}": f"{length(node)} lines"
        for each in sources()
        for node in functions(each)
        if length(node) > FUNCTION_LINES
    }
    nothing(long, f"name its parts: at most {FUNCTION_LINES} lines without the docstring")


def test_every_file_opens_with_what_it_owns():
    silent = {each.name: "no docstring" for each in sources() if not ast.get_docstring(each.tree)}
    nothing(silent, "write one sentence that says what the module owns")


def test_every_file_is_named_after_a_thing():
    bags = {each.name: each.path.stem for each in sources() if each.path.stem in GRAB_BAGS}
    nothing(bags, "name it by what it owns")


def test_no_file_has_a_relative_import():
    relative = {
        f"{each.name}:{node.lineno}": ast.unparse(node)
        for each in sources()
        for node in ast.walk(each.tree)
        if isinstance(node, ast.ImportFrom) and node.level
    }
    nothing(relative, "import by the full name")


def test_only_named_modules_read_clocks_or_chance():
    reading = {each.module: CLOCKS_AND_CHANCE.intersection(uses(each)) for each in modules()}
    reading = {module: read for module, read in reading.items() if read}
    unlisted = {module: read for module, read in reading.items() if module not in MAY_READ_CLOCKS}
    nothing(unlisted, "go through the effect port, or be listed in MAY_READ_CLOCKS with a reason")
    assert not set(MAY_READ_CLOCKS) - set(reading), "these read none by now: take them off the list"


def test_every_module_that_does_something_has_its_test():
    doing = [each.module for each in modules() if behaves(each)]
    names = Counter(f"{name.split('.')[1]}.{name.split('.')[-1]}" for name in doing)
    places = {name: namesakes(name, names) for name in doing}
    without = {
        name: f"no {among[0].relative_to(ROOT)}"
        for name, among in places.items()
        if not any(place.is_file() for place in among)
    }
    unlisted = {name: what for name, what in without.items() if name not in TESTED_ELSEWHERE}
    nothing(unlisted, "write it, or say in TESTED_ELSEWHERE which test holds the module and why")
    assert not set(TESTED_ELSEWHERE) - set(without), "these have a test by now: take them off"


@pytest.mark.parametrize("what", FOREIGN_WORDS)
def test_no_file_names(what):
    pattern = re.compile(FOREIGN_WORDS[what])
    found = {
        path.relative_to(ROOT).as_posix(): {hit.group() for hit in pattern.finditer(text)}
        for path in files()
        if path.suffix not in DATA
        for text in [path.read_text(encoding="utf-8", errors="replace")]
        if pattern.search(text)
    }
    nothing(found, f"the repository does not name {what}")
