"""A tiny clinic for tests, with three kinds of rows, and logs of episodes that ran against it."""

import copy
import json
from collections.abc import Callable, Iterator
from functools import lru_cache
from random import Random
from typing import Any

from envwright.events.canonical import Json
from envwright.events.values import Brief, RunSettings
from envwright.recipes import Draft, Ingested, SlotRequest, get_recipe
from envwright.recipes.toolspace.profile import mine
from envwright.recipes.toolspace.readers import read_source
from envwright.recipes.toolspace.walks.knowledge import Knowledge, knowledge_of

Row = dict[str, Any]

PEOPLE = 24
CITIES = ("Aarhus", "Bergen", "Cork", "Dublin", "Esbjerg", "Faro")
FIELDS = ("skin", "heart", "eyes", "bones")
DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday")
REASONS = ("feeling better", "wrong day")
NAMES = ("Ada Holm", "Bo Lind", "Cy Marsh", "Di Novak", "Ed Olsen", "Fay Price", "Gus Quist")


class ClinicError(Exception):
    """What the clinic answers when it refuses a call."""


class Clinic:
    """The service: its tools are its public methods."""

    def __init__(self) -> None:
        rng = Random(5)
        self.doctors = {
            f"doc-{n}": {"doctor_id": f"doc-{n}", "name": f"Dr {NAMES[n]}", "field": FIELDS[n % 4]}
            for n in range(6)
        }
        self.patients: dict[str, Row] = {}
        self.visits: dict[int, Row] = {}
        for n in range(PEOPLE):
            visits = [1000 + 3 * n + k for k in range(3)]
            self.patients[f"pat-{n:03}"] = {
                "patient_id": f"pat-{n:03}",
                "name": f"{NAMES[n % 7]} {'I' * (n // 7 + 1)}",
                "email": f"person{n}@example.org",
                "city": rng.choice(CITIES),
                "visits": visits,
            }
            for k, visit in enumerate(visits):
                self.visits[visit] = {
                    "visit_id": visit,
                    "patient_id": f"pat-{n:03}",
                    "doctor_id": f"doc-{rng.randrange(6)}",
                    "status": ("booked", "booked", "done")[k],
                    "day": DAYS[(n + 2 * k) % 5],
                    "fee": 40 + rng.randrange(5) * 2.5,
                    "notes": [{"author": "desk", "text": "created"}],
                }

    def find_patient(self, email: str) -> str:
        for key, row in self.patients.items():
            if row["email"] == email:
                return key
        raise ClinicError("Error: nobody has this e-mail")

    def get_patient(self, patient_id: str) -> Row:
        return self._row(self.patients, patient_id, "Error: patient not found")

    def get_visit(self, visit_id: int) -> Row:
        return self._row(self.visits, visit_id, "Error: visit not found")

    def get_doctor(self, doctor_id: str) -> Row:
        return self._row(self.doctors, doctor_id, "Error: doctor not found")

    def move_visit(self, visit_id: int, day: str) -> Row:
        visit = self._booked(visit_id)
        visit["day"] = day
        return visit

    def cancel_visit(self, visit_id: int, reason: str) -> Row:
        visit = self._booked(visit_id)
        visit |= {"status": "cancelled", "cancel_reason": reason}
        return visit

    def add_note(self, visit_id: int, author: str, text: str) -> str:
        self.get_visit(visit_id)["notes"].append({"author": author, "text": text})
        return "ok"

    def book_visit(self, visit_id: int, patient_id: str, doctor_id: str, day: str) -> Row:
        if visit_id in self.visits:
            raise ClinicError("Error: this visit exists")
        self.visits[visit_id] = {
            "visit_id": visit_id,
            "patient_id": patient_id,
            "doctor_id": doctor_id,
            "status": "booked",
            "day": day,
            "fee": 40,
            "notes": [],
        }
        return self.visits[visit_id]

    def change_city(self, patient_id: str, city: str) -> str:
        self.get_patient(patient_id)["city"] = city
        return "ok"

    def quote_fee(self, visit_id: int, factor: float) -> float:
        return round(self.get_visit(visit_id)["fee"] * factor, 2)

    def opening_hours(self) -> str:
        return "8 to 17"

    def _row(self, rows: dict[Any, Row], key: Any, missing: str) -> Row:
        if key not in rows:
            raise ClinicError(missing)
        return rows[key]

    def _booked(self, visit_id: int) -> Row:
        visit = self.get_visit(visit_id)
        if visit["status"] != "booked":
            raise ClinicError("Error: only a booked visit can be changed")
        return visit


class Episode:
    """One trace: calls against a clinic of its own, as they were answered."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.rng = Random(number)
        self.clinic = Clinic()
        self.said = ""
        self.calls: list[Row] = []

    def call(self, tool: str, **args: Any) -> Any:
        """Call a tool and record the answer."""
        record: Row = {"tool": tool, "args": args, "status": "ok", "error_code": None}
        try:
            record["result"] = copy.deepcopy(getattr(self.clinic, tool)(**args))
        except ClinicError as error:
            record |= {"result": str(error), "status": "error", "error_code": "refused"}
        self.calls.append(record)
        return record["result"]


def wishes() -> tuple[Callable[[Episode, Row, Row], None], ...]:
    """The things that people do at the clinic, given a patient and one of their visits."""
    return (
        lambda e, p, v: e.call("move_visit", visit_id=v["visit_id"], day=other_day(e, v)),
        lambda e, p, v: e.call(
            "cancel_visit", visit_id=v["visit_id"], reason=e.rng.choice(REASONS)
        ),
        lambda e, p, v: e.call(
            "add_note", visit_id=v["visit_id"], author=e.rng.choice(NAMES), text=f"note {e.number}"
        ),
        lambda e, p, v: e.call(
            "change_city", patient_id=p["patient_id"], city=e.rng.choice(CITIES)
        ),
        lambda e, p, v: e.call(
            "book_visit",
            visit_id=5000 + e.number,
            patient_id=p["patient_id"],
            doctor_id=v["doctor_id"],
            day=e.rng.choice(DAYS),
        ),
        lambda e, p, v: e.call("quote_fee", visit_id=v["visit_id"], factor=1.5 + e.number % 3),
    )


def other_day(episode: Episode, visit: Row) -> str:
    """A day that the visit is not on."""
    return episode.rng.choice([day for day in DAYS if day != visit["day"]])


def episodes(count: int = 120) -> Iterator[Episode]:
    """Run episodes: each finds a person, reads what there is, does one thing, and looks again."""
    doing = wishes()
    for number in range(count):
        episode = Episode(number)
        rng = episode.rng
        who = episode.clinic.patients[f"pat-{number % PEOPLE:03}"]
        episode.said = f"I am {who['name']}, {who['email']}."
        if number % 9 == 0:
            episode.call("find_patient", email="nobody@example.org")
        patient = episode.call(
            "get_patient", patient_id=episode.call("find_patient", email=who["email"])
        )
        visits = [episode.call("get_visit", visit_id=key) for key in patient["visits"]]
        visit = rng.choice(visits[:2]) if number % 8 else visits[2]
        episode.call("get_doctor", doctor_id=visit["doctor_id"])
        if number % 5 == 0:
            episode.call("opening_hours")
        doing[number % len(doing)](episode, patient, visit)
        episode.call("get_visit", visit_id=visit["visit_id"])
        episode.call("get_patient", patient_id=patient["patient_id"])
        yield episode


def records(count: int = 120, service: str = "clinic") -> list[Row]:
    """The episodes as flat call records."""
    found = []
    for episode in episodes(count):
        for seq, call in enumerate(episode.calls):
            head = {"trace_id": f"t{episode.number}", "seq": seq, "ts": f"2026-01-01T{seq:02}"}
            said = {} if seq else {"user": episode.said}
            found.append({**head, "service": service, **call, **said})
    return found


def trajectories(count: int = 120) -> list[Row]:
    """The episodes as OpenAI chat trajectories."""
    return [
        {"task_id": episode.number, "trial": 0, "traj": chat(episode)}
        for episode in episodes(count)
    ]


def chat(episode: Episode) -> list[Row]:
    """An episode as chat messages."""
    messages: list[Row] = [{"role": "user", "content": episode.said}]
    for seq, call in enumerate(episode.calls):
        function = {"name": call["tool"], "arguments": json.dumps(call["args"])}
        asked = {"id": f"c{seq}", "type": "function", "function": function}
        result = call["result"]
        content = result if isinstance(result, str) else json.dumps(result)
        messages += [
            {"role": "assistant", "content": None, "tool_calls": [asked]},
            {"role": "tool", "tool_call_id": f"c{seq}", "name": call["tool"], "content": content},
        ]
    return messages


def lines(rows: list[Row]) -> bytes:
    """JSON lines of rows."""
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def clinic_source(name: str = "clinic.jsonl") -> Ingested:
    """The clinic's log as a source, read from call records."""
    return read_source(name, lines(records()))


@lru_cache(maxsize=1)
def clinic_profile() -> Json:
    """The profile of the clinic's log, mined once for all tests."""
    return mine([clinic_source()])


def clinic() -> Knowledge:
    """What a walk knows of the clinic."""
    return knowledge_of(clinic_profile())


@lru_cache(maxsize=64)
def clinic_draft(ordinal: int, seed: int = 7) -> Draft:
    """The package of a slot of the clinic's first round."""
    recipe = get_recipe("toolspace")
    return recipe.build(clinic_profile(), clinic_brief(ordinal, seed))


def clinic_brief(ordinal: int, seed: int = 7) -> Brief:
    """The brief of a slot of the clinic's first round."""
    settings = RunSettings(recipe="toolspace", count=5, seed=seed)
    slot = SlotRequest(package=f"pkg-{ordinal}", round=1, ordinal=ordinal)
    return get_recipe("toolspace").brief(clinic_profile(), settings, slot, ())
