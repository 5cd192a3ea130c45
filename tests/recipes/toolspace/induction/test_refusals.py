"""Refusals: errors are explained by what is true of them and of no success."""

import pytest

from envwright.recipes.toolspace.induction.learning import known_rows
from envwright.recipes.toolspace.induction.phrasing import phrased_test
from envwright.recipes.toolspace.induction.refusals import fit_refusals, template_of
from envwright.recipes.toolspace.induction.samples import Binding, Evidence, Failure
from envwright.sandbox.worlds import describe
from support.samples import sample, table

PEOPLE = {
    f"u{n}": {"user_id": f"u{n}", "cards": {f"card-{n}": {"id": f"card-{n}", "limit": 10 * n}}}
    for n in range(20)
}
KNOWN = known_rows({"people": table(PEOPLE, "user_id", "people")})
NO_CARD = "Error: no such card"


def order(n):
    return {"order_id": f"o{n}", "user_id": f"u{n}", "total": 5 * n + 1, "state": "open"}


def paid(n, **given):
    return sample(n, order(n), order(n), "ok", **{"card": f"card-{n}", **given})


def refused(n, text, **given):
    return Failure(f"o{n}", order(n), text, f"task-{n}", {"order_id": f"o{n}", **given})


def evidence(failures, good=range(1, 9), pay=paid):
    return Evidence(Binding("orders", "order_id"), [pay(n) for n in good], failures)


def learnt(failures, tool="pay", **more):
    return fit_refusals({tool: evidence(failures, **more)}, KNOWN).get(tool, ())


def test_a_card_that_the_person_does_not_have_is_refused():
    (found,) = learnt([refused(n, NO_CARD, card="card-x") for n in (10, 11, 12)])
    assert describe(phrased_test(found.test.expr)).count("people[") == 2
    assert describe(phrased_test(found.test.expr)).endswith(
        "not(exists(people[user_id].cards[$card])))"
    )


def test_an_error_of_one_task_is_memorised_by_nobody():
    twice = [refused(10, NO_CARD, card="card-x"), refused(10, NO_CARD, card="card-y")]
    assert learnt(twice) == ()


def test_what_another_tool_refuses_alike_is_evidence_too():
    alone = {"refund": evidence([refused(10, NO_CARD, card="card-x")])}
    shared = {**alone, "pay": evidence([refused(n, NO_CARD, card="card-x") for n in (11, 12)])}
    assert "refund" not in fit_refusals(alone, KNOWN)
    assert set(fit_refusals(shared, KNOWN)) == {"pay", "refund"}


def test_a_limit_in_another_row_is_compared():
    def pay(n):
        return paid(n, amount=10 * n - 1 - n % 3)

    over = [
        refused(n, "Error: over the limit", card=f"card-{n}", amount=10 * n + 1 + n % 2)
        for n in (10, 11, 12)
    ]
    (found,) = learnt(over, pay=pay)
    assert found.test.expr.op == "more"


def test_the_text_may_name_what_was_given():
    failures = [
        refused(n, f"Error: no card named card-x{n}", card=f"card-x{n}") for n in (10, 11, 12)
    ]
    (found,) = learnt(failures)
    assert found.text.op == "template"


def test_a_person_whom_nobody_read_is_unknown_and_not_without_cards():
    nobody = known_rows({"people": table({"u99": PEOPLE["u9"]}, "user_id", "people")})
    failures = [refused(n, NO_CARD, card="card-x") for n in (10, 11)]
    found = fit_refusals({"pay": evidence(failures)}, nobody).get("pay", ())
    assert all("people[" not in describe(phrased_test(one.test.expr)) for one in found)


@pytest.mark.parametrize("reverse", [False, True])
def test_the_order_of_calls_does_not_matter(reverse):
    failures = [refused(n, NO_CARD, card="card-x") for n in (10, 11, 12)]
    found = learnt(failures[::-1] if reverse else failures)
    assert found[0].test.expr == learnt(failures)[0].test.expr


DAYS = [f"2026-09-{n:02}" for n in range(1, 25)]
BAD_DAY = "Error: {} is no day"


def dated(n):
    return sample(n, order(n), order(n), "ok", card=f"card-{n}", due=DAYS[n])


def undated(n, due, seen=True):
    call = refused(n, BAD_DAY.format(due), card=f"card-{n}", due=due)
    return call if seen else Failure(call.key, None, call.text, call.task, call.arguments)


def test_a_norm_that_most_refused_calls_break_is_better_than_nothing():
    broken = [undated(20, "next week"), undated(21, "tomorrow"), undated(22, "2026-02-30")]
    (refusal,) = learnt(broken, pay=dated, good=range(12))
    assert describe(phrased_test(refusal.test.expr)) == '($due != null and not("-" in $due))'
    assert not refusal.blind
    odd = [undated(20, "2026-02-31"), undated(21, "tomorrow"), undated(22, "2026-02-30")]
    assert learnt(odd, pay=dated, good=range(12)) == ()


def test_what_is_refused_about_a_row_that_nobody_saw_was_refused_blindly():
    broken = [undated(20, "next week"), undated(21, "tomorrow"), undated(22, "later", seen=False)]
    (refusal,) = learnt(broken, pay=dated, good=range(12))
    assert refusal.blind


def test_a_reason_in_the_row_is_never_blind():
    text = "Error: closed"
    shut = [refused(n, text, card=f"card-{n}") for n in (10, 11)]
    for one in shut:
        one.before["state"] = "closed"
    unseen = Failure("o12", None, text, "task-12", {"order_id": "o12", "card": "card-12"})
    (refusal,) = learnt([*shut, unseen])
    assert not refusal.blind


def test_a_short_word_is_what_the_call_gave_where_it_stands_in_quotes():
    long, short, other = (
        template_of(refused(1, f"'{word}' is not in {word}", level=word).as_sample())
        for word in ("urgent", "top", "in")
    )
    assert long == "'\x00' is not in \x00"
    assert (short, other) == ("'\x00' is not in top", "'\x00' is not in in")
