"""Missing rows: the words for a key that names nothing come from all tools that said them."""

from envwright.recipes.toolspace.induction.missing import missing_words
from envwright.sandbox.worlds import describe
from support.samples import table
from support.tool_logs import failed, history, trace

ORDERS = table({"o1": {"order_id": "o1"}})
ORDERS.entity.tools["ns.close"] = "order_id"
USERS = table({"u1": {"user_id": "u1"}}, "user_id", "users")
USERS.entity.tools.clear()
USERS.entity.tools["ns.get_user"] = "user_id"
TABLES = {"orders": ORDERS, "users": USERS}


def words(*calls):
    found = history(*(trace(n, call) for n, call in enumerate(calls)))
    return missing_words(found, "ns.close", ORDERS, "order_id", TABLES)


def test_the_own_text_of_the_tool_comes_first():
    assert words(failed("close", "Error: 404", order_id="x")) == "Error: 404"


def test_another_tool_of_the_table_lends_its_text():
    assert words(failed("get_order", "Error: 404", order_id="x")) == "Error: 404"


def test_a_text_with_the_key_has_a_hole_if_two_tasks_show_it():
    calls = [failed("get_order", f"no order {key}", order_id=key) for key in ("x71", "x72")]
    assert "$order_id" in describe(words(*calls))
    assert words(calls[0]) == "Error: order not found"


def test_the_service_says_the_same_of_other_kinds_of_rows():
    calls = [failed("get_user", f"no user {key}", user_id=key) for key in ("x71", "x72")]
    assert describe(words(*calls)).count("order") == 2


def test_a_known_row_is_not_missing():
    assert words(failed("close", "Error: closed", order_id="o1")) == "Error: order not found"
