"""Building: a story becomes a package, or is given up where the package would not hold."""

from collections.abc import Sequence

from envwright.events.canonical import Json, encode
from envwright.events.values import ToolCall, ToolSchema
from envwright.recipes.recipe import NoTaskError
from envwright.recipes.toolspace.instructions.letter import Letter, write_letter
from envwright.recipes.toolspace.review import review
from envwright.recipes.toolspace.tasks.assertions import assert_changes
from envwright.recipes.toolspace.tasks.blueprint import draw_blueprint
from envwright.recipes.toolspace.tasks.environment import choose_rows, namespaces_of, services_of
from envwright.recipes.toolspace.tasks.faults import with_fault
from envwright.recipes.toolspace.tasks.joined import joined_entities
from envwright.recipes.toolspace.walks.drawing import Plan, stories
from envwright.recipes.toolspace.walks.knowledge import Knowledge
from envwright.recipes.toolspace.walks.necessary import answer_text
from envwright.recipes.toolspace.walks.story import Story
from envwright.sandbox.gates import gate_spec, run_gate
from envwright.sandbox.packages import Assertions, Bundle, PackageFile, Solution
from envwright.sandbox.verifiers import Verifier, mentions
from envwright.sandbox.worlds import World, open_world

WORLD = "tables"

_READ_GATES = (gate_spec("no_leak"), gate_spec("calls_necessary"))


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
        if drawn:
            raise NoTaskError("NO_SOUND_TASK", f"{drawn} stories about {plan.tool}: none holds")
        least = plan.bounds.least
        what = f"no walk of {least} necessary calls begins with {plan.tool or 'a grounded tool'}"
        raise NoTaskError("NO_WALK", f"{what}; where a log gives shorter ones, lower min_calls")

    def _package(self, story: Story, plan: Plan, seed: str, words: str) -> Bundle | None:
        namespaces = namespaces_of(self._knowledge, story)
        schemas = self._knowledge.schemas(namespaces)
        letter = write_letter(self._knowledge, story, words)
        if not _keeps_answer(story, letter, schemas):
            return None
        rows = choose_rows(self._knowledge, story, seed, plan.environment_bytes)
        calls, faults = with_fault(self._knowledge, story.calls, plan.fault_rate, seed)
        environment = self._knowledge.files(namespaces, rows, faults)
        assertions = _prove(open_world(WORLD, schemas, environment), story, calls)
        if assertions is None:
            return None
        package = PackageFile(
            recipe=self._recipe, recipe_version=self._version, world=WORLD, tools=schemas
        )
        blueprint = draw_blueprint(
            story,
            letter,
            services_of(self._knowledge, story),
            joined_entities(self._knowledge, story),
        )
        answer = "; ".join(map(answer_text, story.questions))
        files = {
            PackageFile.PATH: package.to_bytes(),
            "instruction.md": letter.text.encode("utf-8"),
            "blueprint.json": blueprint.to_bytes(),
            Assertions.PATH: assertions.to_bytes(),
            Solution.PATH: Solution(calls=calls, answer=answer).to_bytes(),
            **{f"environment/{name}": data for name, data in environment.items()},
        }
        bundle = Bundle.sealed(files)
        # What a walk had to find may stand in a tool's schema, or in other words of the letter; and
        # no other words would help where a description fits two things.
        sound = all(run_gate(spec, bundle).result.verdict == "pass" for spec in _READ_GATES)
        return bundle if sound and not review(bundle) else None


def _keeps_answer(story: Story, letter: Letter, schemas: Sequence[ToolSchema]) -> bool:
    """Say whether the answers have to be found: they stand in nothing that is shown."""
    shown = [letter.text, *(encode(s.model_dump(mode="json")).decode() for s in schemas)]
    answers = [answer_text(question).casefold() for question in story.questions]
    return not any(mentions(text.casefold(), answer) for text in shown for answer in answers)


def _prove(world: World, story: Story, calls: Sequence[ToolCall]) -> Assertions | None:
    """Return the assertions of a story, if all its writes write and nothing holds at the start."""
    try:
        initial, final, writes = _play(world, calls)
        if final is None or len(writes) != len(story.requests):
            return None
        assertions = assert_changes(initial, final, story.questions)
        verifier = Verifier(assertions, initial)
        answer = "; ".join(map(answer_text, story.questions))
        if verifier.vacuous() or not verifier.verify(final, answer).passed:
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
        if not (result.ok or result.transient):
            return initial, None, writes
        if result.writes:
            writes.append(index)
    return initial, world.state(), writes
