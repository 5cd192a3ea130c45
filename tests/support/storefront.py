"""A storefront in plain dictionaries: the tools, their results and a session, for policies."""

import copy
from collections.abc import Callable
from typing import Any

from envwright.agents.solver.policies import Action, Policy
from envwright.events.values import Observation, TaskView, ToolCall, ToolSchema

ORDER = {"type": "string", "description": "The order id, such as '#W0000000'."}
REASON = {"type": "string", "enum": ["no longer needed", "ordered by mistake"]}
TEXT = {"type": "string"}
ITEMS = {"type": "array", "items": TEXT, "description": "The ids of the items."}


def tool(name: str, description: str, **properties: Any) -> ToolSchema:
    """Return a schema where every argument is required but those named `note`."""
    required = [key for key in properties if key != "note"]
    parameters = {"type": "object", "properties": properties, "required": required}
    return ToolSchema(name=name, description=description, parameters=parameters)


TOOLS = (
    tool("cancel_pending_order", "Cancel a pending order.", order_id=ORDER, reason=REASON),
    tool(
        "change_shipping_address",
        "Change where a pending order is sent.",
        order_id=ORDER,
        street=TEXT,
        city=TEXT,
        note=TEXT,
    ),
    tool("find_customer_id_by_email", "Find a customer by e-mail address.", email=TEXT),
    tool(
        "find_customer_id_by_name_zip",
        "Find a customer by name and zip code.",
        first_name=TEXT,
        last_name=TEXT,
        zip={"type": "string", "description": "The zip code, such as '12345'."},
    ),
    tool("get_customer_details", "Get a customer with their orders.", customer_id=TEXT),
    tool("get_order_details", "Get the status and items of an order.", order_id=ORDER),
    tool(
        "return_delivered_items",
        "Return items of a delivered order.",
        order_id=ORDER,
        item_ids=ITEMS,
        payment_method_id=TEXT,
    ),
    tool("send_voucher", "Send a voucher.", customer_id=TEXT, amount={"type": "number"}),
)

CUSTOMERS = {
    "ada_low_1": {
        "name": {"first_name": "Ada", "last_name": "Low"},
        "address": {"street": "1 Elm Street", "city": "Lyon", "zip": "10117"},
        "email": "ada.low@example.com",
        "payment_methods": {
            "card_11": {"source": "card", "id": "card_11"},
            "paypal_12": {"source": "paypal", "id": "paypal_12"},
        },
        "orders": ["#W1", "#W2", "#W3"],
    },
    "bo_ray_2": {
        "name": {"first_name": "Bo", "last_name": "Ray"},
        "address": {"street": "2 Oak Road", "city": "Oslo", "zip": "20220"},
        "email": "bo.ray@example.com",
        "payment_methods": {"card_21": {"source": "card", "id": "card_21"}},
        "orders": ["#W4"],
    },
}


def order(number: str, customer: str, status: str, *items: tuple[str, str, float]) -> Any:
    """Return an order of items (id, name, price), paid by card."""
    card = "card_11" if customer == "ada_low_1" else "card_21"
    return {
        "order_id": number,
        "customer_id": customer,
        "status": status,
        "address": {"street": "1 Elm Street", "city": "Lyon"},
        "items": [{"item_id": key, "name": name, "price": price} for key, name, price in items],
        "payment_history": [{"amount": 10, "payment_method_id": card}],
    }


ORDERS = {
    "#W1": order("#W1", "ada_low_1", "pending", ("101", "Desk Lamp", 20.5)),
    "#W2": order(
        "#W2",
        "ada_low_1",
        "delivered",
        ("201", "Wall Clock", 30.0),
        ("202", "Tea Pot", 12.25),
        ("203", "Door Bell", 9.0),
    ),
    "#W3": order("#W3", "ada_low_1", "pending", ("301", "Wall Clock", 30.0)),
    "#W4": order("#W4", "bo_ray_2", "pending", ("401", "Desk Lamp", 20.5)),
}


def view(instruction: str, tools: tuple[ToolSchema, ...] = TOOLS) -> TaskView:
    """Return the view of a task at the storefront."""
    return TaskView(instruction=instruction, tools=tools)


class RefusedError(Exception):
    """The storefront refuses a call."""


class Storefront:
    """A session: calls change its own rows, and the changes that were made are kept."""

    def __init__(self) -> None:
        self.customers: Any = copy.deepcopy(CUSTOMERS)
        self.orders: Any = copy.deepcopy(ORDERS)
        self.calls: list[ToolCall] = []
        self.changes: list[ToolCall] = []

    def call(self, name: str, arguments: dict[str, Any]) -> Observation:
        """Answer a call as a table world would."""
        call = ToolCall(name=name, arguments=arguments)
        self.calls.append(call)
        answer: Callable[..., Any] | None = getattr(self, f"_{name}", None)
        try:
            if answer is None:
                raise RefusedError(f"Error: unknown tool {name}")
            value = answer(**arguments)
        except (RefusedError, TypeError, KeyError) as error:
            return Observation(ok=False, value=f"Error: {error}")
        if not name.startswith(("get", "find")):
            self.changes.append(call)
        return Observation(ok=True, value=copy.deepcopy(value))

    def _find_customer_id_by_email(self, email: str) -> str:
        return self._first(lambda row: row["email"] == email)

    def _find_customer_id_by_name_zip(self, first_name: str, last_name: str, zip: str) -> str:
        name = {"first_name": first_name, "last_name": last_name}
        return self._first(lambda row: row["name"] == name and row["address"]["zip"] == zip)

    def _first(self, fits: Callable[[Any], bool]) -> str:
        for key, row in self.customers.items():
            if fits(row):
                return str(key)
        raise RefusedError("customer not found")

    def _get_customer_details(self, customer_id: str) -> Any:
        return self.customers[customer_id]

    def _get_order_details(self, order_id: str) -> Any:
        return self.orders[order_id]

    def _cancel_pending_order(self, order_id: str, reason: str) -> Any:
        return self._changed(order_id, "pending", status="cancelled", reason=reason)

    def _change_shipping_address(
        self, order_id: str, street: str, city: str, note: str = ""
    ) -> Any:
        address = {"street": street, "city": city}
        return self._changed(order_id, "pending", address=address, note=note)

    def _return_delivered_items(
        self, order_id: str, item_ids: list[str], payment_method_id: str
    ) -> Any:
        held = [item["item_id"] for item in self.orders[order_id]["items"]]
        if not set(item_ids) <= set(held):
            raise RefusedError("item not found")
        changes = {"returned": item_ids, "paid_to": payment_method_id}
        return self._changed(order_id, "delivered", status="return requested", **changes)

    def _send_voucher(self, customer_id: str, amount: float) -> Any:
        return {"customer_id": self.customers[customer_id]["email"], "amount": amount}

    def _changed(self, order_id: str, needed: str, **changes: Any) -> Any:
        row = self.orders[order_id]
        if row["status"] != needed:
            raise RefusedError(f"the order is not {needed}")
        row.update(changes)
        return row


def play(
    policy: Policy, task: TaskView, session: Storefront, seed: int = 0, turns: int = 30
) -> list[Action]:
    """Let a policy attempt a task, and return what it did in each turn."""
    run = policy.start(task, seed)
    actions: list[Action] = []
    observations: tuple[Observation, ...] = ()
    for _ in range(turns):
        action = run.act(observations)
        actions.append(action)
        observations = tuple(session.call(call.name, call.arguments) for call in action.calls)
        if action.answer is not None:
            break
    return actions
