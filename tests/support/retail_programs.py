"""The tools of a retail log as programs, written by hand from the table of what induction finds."""

from typing import Any

from support.program_parts import (
    KEY,
    ROW,
    after,
    arg,
    both,
    compare,
    const,
    effect,
    either,
    element,
    entry,
    exists,
    let,
    loop,
    minus,
    obj,
    of_row,
    over,
    procedure,
    require,
    text,
    var,
    zipped,
)

ADDRESS = ("address1", "address2", "city", "country", "state", "zip")

ORDER = let("order", of_row("orders", arg("order_id")))
METHOD = arg("payment_method_id")
METHODS = of_row("users", var("order", "user_id"), "payment_methods")
AFTERWARDS = after("orders", arg("order_id"))


def found_order() -> list[Any]:
    """Return the steps with which every write to an order begins."""
    return [
        require(exists(of_row("orders", arg("order_id"))), "Error: order not found"),
        ORDER,
    ]


def in_state(state: str, error: str) -> Any:
    return require(compare(var("order", "status"), "==", const(state)), error)


def known_method() -> list[Any]:
    return [
        require(exists(entry(METHODS, METHOD)), "Error: payment method not found"),
        let("method", entry(METHODS, METHOD)),
    ]


def enough_balance(amount: Any, error: str) -> Any:
    """Return the guard that a gift card, where one pays, has the amount."""
    other = compare(var("method", "source"), "!=", const("gift_card"))
    enough = compare(var("method", "balance"), ">=", amount)
    return require({"op": "or", "terms": [other, enough]}, error)


def all_ordered(error: Any) -> Any:
    """Return the guard that items are in the order, as often as they are given."""
    given = over("length", loop("filter", arg("item_ids"), holds=same_item(element())))
    had = loop("filter", var("order", "items"), holds=same_item(element("item_id")))
    enough = compare(given, "<=", over("length", had))
    return require(enough, error, of=arg("item_ids"), named="item")


def same_item(found: Any) -> Any:
    return compare(found, "==", var("item"))


def swaps() -> list[Any]:
    """Return the steps that pair old items with new ones and price the difference, unrounded."""
    ordered = loop(
        "first",
        var("order", "items"),
        holds=compare(element("item_id"), "==", var("pair", "old")),
    )
    product = of_row("products", var("swap", "item", "product_id"), "variants")
    variant = entry(product, var("swap", "new"))
    price = minus(element("variant", "price"), element("item", "price"))
    there = both(exists(variant), entry(product, var("swap", "new"), "available"))
    same_length = compare(
        over("length", arg("item_ids")), "==", over("length", arg("new_item_ids"))
    )
    return [
        all_ordered(text("Error: ", element(), " not found")),
        require(same_length, "Error: the number of items to be exchanged should match"),
        let(
            "swaps",
            loop(
                "map",
                zipped(old=arg("item_ids"), new=arg("new_item_ids")),
                "pair",
                body=obj(old=var("pair", "old"), new=var("pair", "new"), item=ordered),
            ),
        ),
        require(
            there,
            text("Error: new item ", var("swap", "new"), " not found or available"),
            of=var("swaps"),
            named="swap",
        ),
        let(
            "priced",
            loop(
                "map",
                var("swaps"),
                "swap",
                body=obj(old=var("swap", "old"), item=var("swap", "item"), variant=variant),
            ),
        ),
        let("difference", over("sum", loop("map", var("priced"), body=price))),
    ]


def balance(op: str, method: Any, amount: Any) -> Any:
    """Return the law of gift cards: only they have a balance, and it is kept to the cent."""
    place = (var("order", "user_id"), "payment_methods", method, "balance")
    change = amount if op == "plus" else {"op": "negate", "of": amount}
    return {
        "op": "when",
        "holds": {"op": "contains", "text": method, "part": const("gift_card")},
        "then": [effect("add", "users", *place, value=change, digits=2)],
    }


def on_order(op: str, *path: Any, **parts: Any) -> Any:
    return effect(op, "orders", arg("order_id"), *path, **parts)


def status(value: str) -> Any:
    return on_order("set", "status", value=const(value))


def payment(kind: str, amount: Any, method: Any) -> Any:
    return obj(transaction_type=const(kind), amount=amount, payment_method_id=method)


CANCEL = procedure(
    [*found_order(), in_state("pending", "Error: non-pending order cannot be cancelled")],
    [
        on_order(
            "extend",
            "payment_history",
            values=loop(
                "map",
                var("order", "payment_history"),
                body=payment("refund", element("amount"), element("payment_method_id")),
            ),
        ),
        status("cancelled"),
        on_order("set", "cancel_reason", value=arg("reason")),
        {
            "op": "each",
            "of": var("order", "payment_history"),
            "effects": [balance("plus", element("payment_method_id"), element("amount"))],
        },
    ],
    AFTERWARDS,
)

RETURN = procedure(
    [
        *found_order(),
        in_state("delivered", "Error: non-delivered order cannot be returned"),
        *known_method(),
        all_ordered("Error: some item not found"),
    ],
    [
        status("return requested"),
        on_order("set", "return_items", value=over("sorted", arg("item_ids"))),
        on_order("set", "return_payment_method_id", value=METHOD),
    ],
    AFTERWARDS,
)

EXCHANGE = procedure(
    [
        *found_order(),
        in_state("delivered", "Error: non-delivered order cannot be exchanged"),
        *swaps(),
        let("price", over("round", var("difference"))),
        *known_method(),
        enough_balance(
            var("price"),
            "Error: insufficient gift card balance to pay for the price difference",
        ),
    ],
    [
        status("exchange requested"),
        on_order("set", "exchange_items", value=over("sorted", arg("item_ids"))),
        on_order("set", "exchange_new_items", value=over("sorted", arg("new_item_ids"))),
        on_order("set", "exchange_payment_method_id", value=METHOD),
        on_order("set", "exchange_price_difference", value=var("price")),
    ],
    AFTERWARDS,
)

MODIFY_ITEMS = procedure(
    [
        *found_order(),
        in_state("pending", "Error: non-pending order cannot be modified"),
        *swaps(),
        *known_method(),
        enough_balance(
            var("difference"), "Error: insufficient gift card balance to pay for the new item"
        ),
    ],
    [
        on_order(
            "append",
            "payment_history",
            value=obj(
                transaction_type=either(
                    compare(var("difference"), ">", const(0)), const("payment"), const("refund")
                ),
                amount=over("abs", var("difference")),
                payment_method_id=METHOD,
            ),
        ),
        balance("minus", METHOD, var("difference")),
        on_order(
            "set",
            "items",
            value={
                "op": "updated",
                "of": var("order", "items"),
                "by": var("priced"),
                "named": "swap",
                "key": ["item_id"],
                "equals": var("swap", "old"),
                "set": [
                    {"path": ["item_id"], "value": var("swap", "variant", "item_id")},
                    {"path": ["price"], "value": var("swap", "variant", "price")},
                    {"path": ["options"], "value": var("swap", "variant", "options")},
                ],
            },
        ),
        status("pending (item modified)"),
    ],
    AFTERWARDS,
)

FIRST_PAYMENT = ("payment_history", 0)

MODIFY_PAYMENT = procedure(
    [
        *found_order(),
        in_state("pending", "Error: non-pending order cannot be modified"),
        *known_method(),
        let("amount", var("order", *FIRST_PAYMENT, "amount")),
        let("old", var("order", *FIRST_PAYMENT, "payment_method_id")),
        require(
            compare(var("old"), "!=", METHOD),
            "Error: the new payment method should be different from the current one",
        ),
        enough_balance(var("amount"), "Error: insufficient gift card balance to pay for the order"),
    ],
    [
        on_order("append", "payment_history", value=payment("payment", var("amount"), METHOD)),
        on_order("append", "payment_history", value=payment("refund", var("amount"), var("old"))),
        balance("minus", METHOD, var("amount")),
        balance("plus", var("old"), var("amount")),
    ],
    AFTERWARDS,
)

MODIFY_ADDRESS = procedure(
    [*found_order(), in_state("pending", "Error: non-pending order cannot be modified")],
    [on_order("set", "address", value=obj(**{name: arg(name) for name in ADDRESS}))],
    AFTERWARDS,
)


def lookup(table: str, argument: str, missing: str) -> Any:
    parts = {"op": "lookup", "table": table, "key": arg(argument), "returns": ROW}
    return {**parts, "missing": missing}


def find(where: dict[tuple[str, ...], str]) -> Any:
    conditions = [{"path": list(path), "equals": arg(name)} for path, name in where.items()]
    parts = {"op": "find", "table": "users", "where": conditions, "returns": KEY}
    return {**parts, "missing": "Error: user not found"}


RETAIL_PROGRAMS: dict[str, Any] = {
    "cancel_pending_order": CANCEL,
    "exchange_delivered_order_items": EXCHANGE,
    "find_user_id_by_email": find({("email",): "email"}),
    "find_user_id_by_name_zip": find(
        {
            ("name", "first_name"): "first_name",
            ("name", "last_name"): "last_name",
            ("address", "zip"): "zip",
        }
    ),
    "get_order_details": lookup("orders", "order_id", "Error: order not found"),
    "get_product_details": lookup("products", "product_id", "Error: product not found"),
    "get_user_details": lookup("users", "user_id", "Error: user not found"),
    "modify_pending_order_address": MODIFY_ADDRESS,
    "modify_pending_order_items": MODIFY_ITEMS,
    "modify_pending_order_payment": MODIFY_PAYMENT,
    "return_delivered_order_items": RETURN,
}
