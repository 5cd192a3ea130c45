"""A desk that notes which steps a graph takes."""

from typing import Any


class Steps:
    """Answers each step as it is told: with a value, or from a list, one at a time."""

    def __init__(self, **answers: Any) -> None:
        self._answers = answers
        self.findings: list[object] = []
        self.taken: list[Any] = []

    def __getattr__(self, name: str) -> Any:
        def step(*arguments: Any) -> Any:
            self.taken.append((name, *arguments) if arguments else name)
            answer = self._answers.get(name, True)
            return answer.pop(0) if isinstance(answer, list) else answer

        return step
