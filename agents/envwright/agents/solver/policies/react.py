"""ReAct over a language model: the model reasons, calls tools, reads results, and answers."""

import json
from typing import Any

from pydantic import Field

from envwright.agents.models import Message, ModelAnswer, ModelPort, ModelRequest, ModelToolCall
from envwright.agents.solver.policies.policy import Action, seeded
from envwright.events.values import Observation, TaskView, ToolCall, Value

_RULES = (
    "Carry out the task with the tools. Read before you change anything, change only what the "
    "task asks for, and when you are done answer in plain text, with the value asked for if the "
    "task asks for one."
)


class ReactSettings(Value):
    """How the model is asked; the defaults are ours."""

    model: str
    """Name of the model as its server knows it."""
    temperature: float = Field(default=0.0, ge=0.0)
    max_tokens: int = Field(default=1024, ge=1)
    max_corrections: int = Field(default=3, ge=0)
    """How often in one turn the model may mend calls whose arguments cannot be read."""


class ReactRun:
    """One attempt: the conversation so far, and the calls whose results it waits for."""

    def __init__(
        self, model: ModelPort, settings: ReactSettings, view: TaskView, seed: int
    ) -> None:
        self._model = model
        self._settings = settings
        self._tools = view.tools
        self._seed = seed
        self._messages = [
            Message(role="system", content=_RULES),
            Message(role="user", content=_task(view)),
        ]
        self._waiting: list[ModelToolCall] = []

    def act(self, observations: tuple[Observation, ...]) -> Action:
        """Take a turn: tell the model what came back, and do what it says."""
        for call, observation in zip(self._waiting, observations, strict=False):
            self._tell(call, _result(observation))
        for call in self._waiting[len(observations) :]:
            self._tell(call, "Error: the call was not made")
        self._waiting = []
        for _ in range(self._settings.max_corrections + 1):
            answer = self._ask()
            if not answer.tool_calls:
                return Action(answer=answer.text)
            calls = self._readable(answer.tool_calls)
            if calls:
                return Action(calls=calls, thought=answer.text)
        return Action(thought="No call of the model could be read.")

    def _ask(self) -> ModelAnswer:
        answer = self._model.complete(
            ModelRequest(
                model=self._settings.model,
                messages=tuple(self._messages),
                tools=self._tools,
                temperature=self._settings.temperature,
                max_tokens=self._settings.max_tokens,
                seed=self._seed,
            )
        )
        self._messages.append(
            Message(role="assistant", content=answer.text, tool_calls=answer.tool_calls)
        )
        return answer

    def _readable(self, written: tuple[ModelToolCall, ...]) -> tuple[ToolCall, ...]:
        """Return the calls with readable arguments; the model is told about the others."""
        calls: list[ToolCall] = []
        for call in written:
            arguments = _arguments(call.arguments)
            if arguments is None:
                self._tell(call, f"Error: arguments are not a JSON object: {call.arguments!r:.200}")
            else:
                calls.append(ToolCall(name=call.name, arguments=arguments))
                self._waiting.append(call)
        return tuple(calls)

    def _tell(self, call: ModelToolCall, content: str) -> None:
        self._messages.append(Message(role="tool", content=content, tool_call_id=call.id))


def _task(view: TaskView) -> str:
    files = [f"\n\n{name}:\n{text}" for name, text in sorted(view.files.items())]
    return view.instruction + "".join(files)


def _result(observation: Observation) -> str:
    value = observation.value
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if observation.ok or text.startswith("Error") else f"Error: {text}"


def _arguments(text: str) -> dict[str, Any] | None:
    try:
        value = json.loads(text or "{}", parse_constant=_refuse)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON")


class ReactPolicy:
    """Lets a language model decide every turn."""

    privileged = False

    def __init__(self, model: ModelPort, settings: ReactSettings) -> None:
        self._model = model
        self._settings = settings
        self.id = f"react/1:{settings.model}"

    def start(self, view: TaskView, seed: int) -> ReactRun:
        """Begin an attempt."""
        return ReactRun(
            self._model, self._settings, view, seeded(self.id, view, seed).getrandbits(31)
        )
