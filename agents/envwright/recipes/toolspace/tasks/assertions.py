"""Assertions: what a reference changed must be so at the end, and nothing else may have changed."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from envwright.events.canonical import Json
from envwright.recipes.toolspace.walks.necessary import answer_text
from envwright.recipes.toolspace.walks.story import Inquiry, Question
from envwright.sandbox.packages import (
    AnswerAssertion,
    Assertions,
    FrameAssertion,
    StateAssertion,
    StatePath,
)
from envwright.sandbox.verifiers import frame_digest
from envwright.sandbox.worlds import Change, diff


def assert_changes(
    initial: Json, final: Json, questions: Sequence[Question | Inquiry]
) -> Assertions:
    """Return assertions that hold of the final state and of no other outcome of the task."""
    changes = diff(initial["tables"], final["tables"])
    state = [*_leaves(changes), *_counts(initial["tables"], final["tables"], changes)]
    return Assertions(
        state=tuple(
            item.model_copy(update={"id": f"state-{number}"})
            for number, item in enumerate(state, start=1)
        ),
        frames=tuple(_frames(initial, changes)),
        answer=tuple(_answer(n, question) for n, question in enumerate(questions, start=1)),
    )


def _answer(number: int, question: Question | Inquiry) -> AnswerAssertion:
    return AnswerAssertion(id=f"answer-{number}", op="contains", expected=answer_text(question))


def _leaves(changes: Sequence[Change]) -> Iterator[StateAssertion]:
    for change in changes:
        path = ("tables", *change.path)
        if change.kind == "removed":
            yield StateAssertion(id="", path=path, op="absent")
        else:
            yield StateAssertion(id="", path=path, op="eq", expected=change.after)


def _counts(before: Json, after: Json, changes: Sequence[Change]) -> Iterator[StateAssertion]:
    parents = {change.path[:-1] for change in changes if change.kind != "changed"}
    for parent in sorted(parents, key=repr):
        old, new = _at(before, parent), _at(after, parent)
        # A row may get fields; what has to be counted are rows of a table and items of a list.
        if isinstance(old, list) or len(parent) == 1:
            path = ("tables", *parent)
            delta = len(new) - len(old)
            yield StateAssertion(id="", path=path, op="count_delta", expected=delta)


def _frames(initial: Json, changes: Sequence[Change]) -> Iterator[FrameAssertion]:
    touched: dict[str, list[StatePath]] = defaultdict(list)
    for change in changes:
        touched[str(change.path[0])].append(tuple(change.path[1:]))
    for table in sorted(initial["tables"]):
        path = ("tables", table)
        excepted = tuple(touched[table])
        yield FrameAssertion.model_validate(
            {
                "id": f"frame-{table}",
                "path": path,
                "except": excepted,
                "digest": frame_digest(initial, path, excepted),
            }
        )


def _at(value: Json, path: tuple[str | int, ...]) -> Json:
    for step in path:
        value = value[step]
    return value
