"""What each piece of work cost: claims, seconds, effects and tokens, and the role it fell to."""

from typing import ClassVar

from envwright.events import ROLES, Envelope, Json
from envwright.events.catalog import EffectCompleted, EffectRequested, WorkClaimed
from envwright.store.projections import KeptRows
from envwright.store.readmodels.row_fold import Row, RowFold, counted

_MINED = ("source.ingested", "source.profiled", "run.started")
_TOKENS = ("input_tokens", "cached_tokens", "output_tokens")


class Costs(RowFold):
    """One row a piece of work, by `<run>/<id of the event that it answers>`.

    The events that one handler says at once all count from its start, so its time is the longest.
    """

    name: ClassVar[str] = "costs"
    types: ClassVar[frozenset[str]] = frozenset(
        {
            "work.claimed",
            "effect.requested",
            "effect.completed",
            "source.ingested",
            "source.profiled",
            "run.started",
            "round.opened",
            "package.inherited",
            "run.completed",
            "run.failed",
            "package.drafted",
            "package.revised",
            "package.abandoned",
            "gate.evaluated",
            "testing.completed",
            "repair.requested",
            "review.completed",
            "trial.opened",
            "attempt.finished",
            "verdict.reached",
            "package.candidate",
            "package.admitted",
            "package.rejected",
            "round.settled",
        }
    )

    def key(self, envelope: Envelope) -> str:
        """Return run and cause."""
        return f"{envelope.run_id}/{envelope.causation_id or ''}"

    def fold(self, row: Row | None, envelope: Envelope, rows: KeptRows) -> Row | None:
        """Return the row of the work after an event; what answers nothing costs nothing."""
        if envelope.causation_id is None:
            return row
        known = row or _new_row(envelope)
        match envelope.fact:
            case WorkClaimed() as fact:
                role = fact.group.rpartition(".")[2]
                return known | {"claims": known["claims"] + 1, "role": role}
            case EffectRequested() as fact:
                return known | {"effects": counted(known["effects"], fact.kind)}
            case EffectCompleted() as fact:
                return known | _completed(known, fact, envelope)
            case _:
                return known | _said(known, envelope)


def _new_row(envelope: Envelope) -> Row:
    return {
        "run": envelope.run_id,
        "cause": envelope.causation_id,
        "role": "",
        "mining": False,
        "claims": 0,
        "seconds": 0.0,
        "effects": {},
        "effect_seconds": 0.0,
        **dict.fromkeys(_TOKENS, 0),
    }


def _said(row: Row, envelope: Envelope) -> Row:
    if envelope.actor.role not in ROLES:
        return {}
    return {
        "role": envelope.actor.role,
        "mining": row["mining"] or envelope.type in _MINED,
        "seconds": max(row["seconds"], _seconds(envelope)),
    }


def _completed(row: Row, fact: EffectCompleted, envelope: Envelope) -> Row:
    used = fact.result.get("usage") if isinstance(fact.result, dict) else None
    tokens = used if isinstance(used, dict) else {}
    spent = round(row["effect_seconds"] + _seconds(envelope), 6)
    return {
        "effect_seconds": spent,
        **{name: row[name] + _count(tokens.get(name)) for name in _TOKENS},
    }


def _seconds(envelope: Envelope) -> float:
    seconds = envelope.metrics.get("seconds")
    return float(seconds) if isinstance(seconds, int | float) else 0.0


def _count(value: Json) -> int:
    return value if isinstance(value, int) else 0
