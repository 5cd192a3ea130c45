"""Folds: every task is held out once, and a wrong prediction poisons its row until it is read."""

from dataclasses import dataclass

from envwright.recipes.toolspace.induction.folds import (
    FOLDS,
    Rehearsal,
    Tally,
    cross_validate,
    folds_of,
)
from envwright.recipes.toolspace.induction.samples import Binding
from support.samples import table
from support.tool_logs import failed, history, ok, order, trace

TABLE = table({"o1": order("o1", "open", total=1)})


@dataclass(frozen=True)
class Given:
    """A prediction that is made up."""

    ok: bool
    value: object
    touched: frozenset = frozenset()


class Made:
    """A simulation that predicts what it is told to."""

    def __init__(self, *predictions):
        self.predictions = list(predictions)
        self.rows = {}

    def knows(self, tool):
        return True

    def holds(self, place):
        return place in self.rows

    def put(self, place, row):
        self.rows[place] = row

    def predict(self, call):
        return self.predictions.pop(0)


def rehearsal():
    return Rehearsal({"orders": TABLE}, {"ns.close": Binding("orders", "order_id")}, {"ns.close"})


def rehearsed(made, *calls):
    found = history(trace(0, *calls))
    tallies = {}
    rehearsal().run(found.traces[0], made, tallies)
    return tallies["ns.close"]


def get(status="open"):
    return ok("get_order", order("o1", status, total=1), order_id="o1")


def close(value="closed"):
    return ok("close", value, order_id="o1")


RIGHT, WRONG = Given(True, "closed"), Given(True, "left open")


def test_an_exact_prediction_counts():
    tally = rehearsed(Made(RIGHT), get(), close())
    assert (tally.calls, tally.exact, tally.unpredictable) == (1, 1, 0)


def test_after_a_wrong_prediction_the_row_is_unknown():
    tally = rehearsed(Made(WRONG, RIGHT), get(), close(), close())
    assert (tally.calls, tally.exact, tally.unpredictable) == (2, 0, 1)


def test_a_read_makes_the_row_known_again():
    tally = rehearsed(Made(WRONG, RIGHT), get(), close(), get("closed"), close())
    assert (tally.exact, tally.unpredictable) == (1, 0)


def test_a_write_that_gives_its_row_back_makes_it_known_again():
    whole = table({"o1": order("o1", total=1)})
    whole.entity.tools["ns.close"] = "order_id"
    closed = order("o1", "closed", total=1)
    run = Rehearsal({"orders": whole}, {"ns.close": Binding("orders", "order_id")}, {"ns.close"})
    calls = [get(), ok("close", closed, order_id="o1"), ok("close", closed, order_id="o1")]
    made, tallies = Made(Given(True, "other"), Given(True, closed)), {}
    run.run(history(trace(0, *calls)).traces[0], made, tallies)
    assert (tallies["ns.close"].exact, tallies["ns.close"].unpredictable) == (1, 0)


def test_a_row_in_a_field_of_the_results_is_known_again_with_the_rest_of_what_was_read():
    held = table({"o1": {"order": order("o1", total=1), "links": []}})
    held.entity.fields = frozenset(order("o1", total=1))
    held.entity.tools["ns.close"] = "order_id"
    held.entity.places |= {"ns.get_order": ("order",), "ns.close": ("closed",)}
    run = Rehearsal({"orders": held}, {"ns.close": Binding("orders", "order_id")}, {"ns.close"})
    first = {"order": order("o1", total=1), "links": ["a"]}
    shown = {"closed": order("o1", "closed", total=1)}
    made = Made(Given(True, "other"))
    calls = [ok("get_order", first, order_id="o1"), ok("close", shown, order_id="o1")]
    run.run(history(trace(0, *calls)).traces[0], made, {})
    assert made.rows["orders", "o1"] == {"order": shown["closed"], "links": ["a"]}


def test_errors_are_compared_too():
    refusal = failed("close", "Error: closed already", order_id="o1")
    tally = rehearsed(Made(Given(False, "Error: closed already")), get(), refusal)
    assert (tally.exact, tally.successes) == (1, 0)
    assert rehearsed(Made(Given(False, "Error: no")), get(), refusal).exact == 0


def test_a_row_that_was_never_read_is_unpredictable():
    tally = rehearsed(Made(Given(False, "Error: not found")), close())
    assert (tally.exact, tally.unpredictable) == (0, 1)


def test_every_task_is_held_out_once_and_trials_of_one_task_together():
    found = history(*(trace(n // 2, get(), close()) for n in range(20)))
    taught = []

    def learn(traces):
        taught.append({one.task for one in traces})
        return lambda: Made(RIGHT)

    (tally,) = cross_validate(found.traces, learn, rehearsal()).values()
    assert (tally.calls, tally.share) == (20, 1.0)
    assert len(taught) == FOLDS
    assert all(len(tasks) == 8 for tasks in taught)


def test_folds_do_not_depend_on_the_order_of_tasks():
    tasks = [f"t{n}" for n in range(12)]
    assert folds_of(tasks) == folds_of(tasks[::-1] * 2)


def test_tasks_of_another_service_do_not_move_the_folds_even_if_they_are_called_alike():
    own = [f"shop.{n}" for n in range(20)]
    folds = folds_of([*own, *(f"clinic.{n}" for n in range(33))])
    assert {task: folds[task] for task in own} == folds_of(own)
    renamed = folds_of([f"store.{n}" for n in range(20)])
    assert [renamed[f"store.{n}"] for n in range(20)] == [folds_of(own)[task] for task in own]


def test_the_share_of_nothing_is_zero():
    assert Tally().share == 0
