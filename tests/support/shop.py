"""A small shop as a table world: users, orders and one program of each kind."""

import json
from typing import Any

from envwright.events.values import ToolSchema
from envwright.sandbox.worlds import World, open_world

TEXT = {"type": "string"}


def arguments(**properties: Any) -> dict[str, Any]:
    """Return a schema where every argument but those named `note` is required."""
    required = [name for name in properties if name != "note"]
    return {"type": "object", "properties": properties, "required": required}


TOOLS = (
    ToolSchema(name="get_order", parameters=arguments(order_id=TEXT)),
    ToolSchema(name="find_user", parameters=arguments(first_name=TEXT, zip=TEXT)),
    ToolSchema(name="cancel_order", parameters=arguments(order_id=TEXT, note=TEXT)),
    ToolSchema(
        name="return_items",
        parameters=arguments(order_id=TEXT, item_ids={"type": "array", "items": TEXT}),
    ),
    ToolSchema(name="add_user", parameters=arguments(user_id={"type": "integer"}, name=TEXT)),
    ToolSchema(name="list_policies"),
)

TABLES: dict[str, Any] = {
    "users": {
        "key": "user_id",
        "rows": {
            "7": {"name": {"first": "Ada"}, "address": {"zip": "10117"}, "orders": ["#1"]},
            "8": {"name": {"first": "Bo"}, "address": {"zip": "10117"}, "orders": []},
            "9": {"name": {"first": "Ada"}, "address": {"zip": "75001"}, "orders": ["#2"]},
        },
    },
    "orders": {
        "key": "order_id",
        "rows": {
            "#1": {
                "order_id": "#1",
                "status": "pending",
                "total": 25.0,
                "payments": [{"amount": 25.5, "method": "card"}],
                "notes": [],
            },
            "#2": {
                "order_id": "#2",
                "status": "delivered",
                "total": 30,
                "payments": [{"amount": 30, "method": "gift"}],
                "notes": ["left at the door"],
            },
        },
    },
}

ORDER = {"op": "arg", "path": ["order_id"]}
ROW = {"op": "row"}

PROGRAMS: dict[str, Any] = {
    "get_order": {
        "op": "lookup",
        "table": "orders",
        "key": ORDER,
        "missing": "Error: order not found",
        "returns": ROW,
    },
    "find_user": {
        "op": "find",
        "table": "users",
        "where": [
            {"path": ["name", "first"], "equals": {"op": "arg", "path": ["first_name"]}},
            {"path": ["address", "zip"], "equals": {"op": "arg", "path": ["zip"]}},
        ],
        "missing": "Error: user not found",
        "returns": {"op": "key"},
    },
    "cancel_order": {
        "op": "update",
        "table": "orders",
        "key": ORDER,
        "missing": "Error: order not found",
        "guards": [
            {"path": ["status"], "within": ["pending"], "error": "Error: order is not pending"}
        ],
        "set": [
            {"path": ["status"], "value": {"op": "const", "value": "cancelled"}},
            {"path": ["cancel_note"], "value": {"op": "arg", "path": ["note"]}},
        ],
        "append": [
            {
                "path": ["payments"],
                "value": {
                    "op": "object",
                    "fields": {
                        "refund": {"op": "field", "path": ["payments", 0, "amount"]},
                        "method": {"op": "field", "path": ["payments", 0, "method"]},
                    },
                },
            }
        ],
        "returns": ROW,
    },
    "return_items": {
        "op": "update",
        "table": "orders",
        "key": ORDER,
        "missing": "Error: order not found",
        "guards": [
            {"path": ["status"], "within": ["delivered"], "error": "Error: order is not delivered"}
        ],
        "set": [
            {
                "path": ["returned"],
                "value": {"op": "sorted", "of": {"op": "arg", "path": ["item_ids"]}},
            }
        ],
        "returns": {
            "op": "list",
            "items": [{"op": "key"}, {"op": "field", "path": ["status"]}, ROW],
        },
    },
    "add_user": {
        "op": "create",
        "table": "users",
        "key": {"op": "arg", "path": ["user_id"]},
        "exists": "Error: user exists",
        "row": {
            "op": "object",
            "fields": {
                "name": {
                    "op": "object",
                    "fields": {"first": {"op": "arg", "path": ["name"]}},
                },
                "address": {"op": "const", "value": {"zip": "10117"}},
                "orders": {"op": "list", "items": []},
            },
        },
        "returns": ROW,
    },
    "list_policies": {"op": "constant", "value": {"returns": {"days": 30}}},
}

WORLD = {"clock": "2024-01-01T00:00:00Z"}


def shop_files(
    tables: Any = TABLES, programs: Any = PROGRAMS, world: Any = WORLD
) -> dict[str, bytes]:
    """Return the files of the environment, with parts replaced."""
    parts = {"tables.json": tables, "programs.json": programs, "world.json": world}
    return {
        name: part if isinstance(part, bytes) else json.dumps(part).encode()
        for name, part in parts.items()
    }


def open_shop(**parts: Any) -> World:
    """Open the shop, with parts of its files replaced."""
    return open_world("tables", TOOLS, shop_files(**parts))


def open_tool(program: Any, rows: Any, parameters: dict[str, Any] | None = None) -> World:
    """Open a world with one tool `do`, and one table `t` with these rows."""
    tool = ToolSchema(name="do", parameters=parameters or arguments())
    tables = {"t": {"key": "id", "rows": rows}}
    return open_world("tables", (tool,), shop_files(tables, {"do": program}))
