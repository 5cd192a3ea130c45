"""Building: a story becomes a package, or is given up where the package would not hold."""

from collections.abc import Sequence

from envwright.events.canonical import Json, encode
from envwright.events.values import ToolCall, ToolSchema
from envwright.recipes.recipe import NoTaskError
from envwright.recipes.toolspace.instructions.letter import Letter, write_letter
from envwright.recipes.toolspace.tasks.assertions import answer_text, assert_changes
from envwright.recipes.toolspace.tasks.blueprint import draw_blueprint
from envwright.recipes.toolspace.tasks.environment import choose_rows, namespaces_of, services_of
from envwright.recipes.toolspace.walks.drawing import Plan, stories
from envwright.recipes.toolspace.walks.knowledge import Knowledge
from envwright.recipes.toolspace.walks.story import Story
from envwright.sandbox.gates import gate_spec, run_gate
from envwright.sandbox.packages import Assertions, Bundle, PackageFile, Solution
from envwright.sandbox.verifiers import Verifier, mentions
from envwright.sandbox.worlds import World, open_world

WORLD = "tables"

_NO_LEAK = gate_spec("no_leak")


class Maker:
    """Makes the packages of one recipe version from one profile."""

    def __init__(self, knowledge: Knowledge, recipe: str, version: str) -> None:
        self._knowledge = knowledge
        self._recipe = recipe
        self._version = version

    def make(self, plan: Plan, seed: str, words: str) -> Bundle:
        """Return the package of the first story that holds; `words` seeds the instruction.

        Raises:
            NoTaskError: no story of the seed does.
        """
        drawn = 0
        for story in stories(self._knowledge, plan, seed):
            drawn += 1
            bundle = self._package(story, plan, seed, words)
            if bundle is not None:
                return bundle
        what = plan.tool or "a question"
        reason = "NO_SOUND_TASK" if drawn else "NO_WALK"
        raise NoTaskError(reason, f"{drawn} stories about {what} were drawn and none holds")

    def _package(self, story: Story, plan: Plan, seed: str, words: str) -> Bundle | None:
        namespaces = namespaces_of(self._knowledge, story)
        schemas = self._knowledge.schemas(namespaces)
        letter = write_letter(self._knowledge, story, words)
        if not _keeps_answer(story, letter, schemas):
            return None
        rows = choose_rows(self._knowledge, story, seed, plan.environment_bytes)
        environment = self._knowledge.files(namespaces, rows)
        assertions = _prove(open_world(WORLD, schemas, environment), story)
        if assertions is None:
            return None
        package = PackageFile(
            recipe=self._recipe, recipe_version=self._version, world=WORLD, tools=schemas
        )
        blueprint = draw_blueprint(story, letter, services_of(self._knowledge, story))
        answer = "" if story.question is None else answer_text(story.question)
        files = {
            PackageFile.PATH: package.to_bytes(),
            "instruction.md": letter.text.encode("utf-8"),
            "blueprint.json": blueprint.to_bytes(),
            Assertions.PATH: assertions.to_bytes(),
            Solution.PATH: Solution(calls=story.calls, answer=answer).to_bytes(),
            **{f"environment/{name}": data for name, data in environment.items()},
        }
        bundle = Bundle.sealed(files)
        # What a walk had to find may stand in a tool's schema all the same.
        return bundle if run_gate(_NO_LEAK, bundle).result.verdict == "pass" else None


def _keeps_answer(story: Story, letter: Letter, schemas: Sequence[ToolSchema]) -> bool:
    """Say whether the answer to a question has to be found: it stands in nothing that is shown."""
    if story.question is None:
        return True
    shown = [letter.text, *(encode(s.model_dump(mode="json")).decode() for s in schemas)]
    answer = answer_text(story.question).casefold()
    return not any(mentions(text.casefold(), answer) for text in shown)


def _prove(world: World, story: Story) -> Assertions | None:
    """Return the assertions of a story, if they tell it from every run that lacks a write."""
    try:
        initial, final, writes = _play(world, story.calls)
        if final is None or len(writes) != len(story.requests):
            return None
        assertions = assert_changes(initial, final, story.question)
        verifier = Verifier(assertions, initial)
        for index in writes:
            without = [*story.calls[:index], *story.calls[index + 1 :]]
            _, other, _ = _play(world, without)
            if other is not None and verifier.verify(other, "").passed:
                return None
        return assertions
    finally:
        world.close()


def _play(world: World, calls: Sequence[ToolCall]) -> tuple[Json, Json | None, list[int]]:
    """Return first and last state and which calls wrote; no last state where a call failed."""
    world.reset(0)
    initial = world.state()
    writes: list[int] = []
    for index, call in enumerate(calls):
        result = world.call(call.name, call.arguments)
        if not result.ok:
            return initial, None, writes
        if result.writes:
            writes.append(index)
    return initial, world.state(), writes
