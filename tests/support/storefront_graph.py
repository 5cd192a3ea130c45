"""What a log of the storefront would teach: the mined graph that a privileged policy is given."""

from typing import Any


def _edge(source: str, output: list[str], target: str, argument: list[str], support: int) -> Any:
    return {
        "kind": "data",
        "source": f"shop.{source}",
        "target": f"shop.{target}",
        "weight": 1.0,
        "transfers": [{"output": output, "input": argument, "support": support}],
    }


def _key(table: str) -> Any:
    return {"kind": "target", "table": table}


FOUND = "find_customer_id_by_email"

KNOWLEDGE: dict[str, Any] = {
    "graph": {
        "edges": [
            _edge(FOUND, [], "get_customer_details", ["customer_id"], 9),
            _edge("find_customer_id_by_name_zip", [], "get_customer_details", ["customer_id"], 7),
            _edge("get_customer_details", ["orders", "*"], "get_order_details", ["order_id"], 20),
            _edge(
                "get_order_details",
                ["items", "*", "item_id"],
                "return_delivered_items",
                ["item_ids", "*"],
                8,
            ),
            _edge("get_order_details", ["customer_id"], "get_customer_details", ["customer_id"], 1),
            {"kind": "state", "source": "shop.send_voucher", "target": "shop.get_order_details"},
        ]
    },
    "tools": {
        "shop.cancel_pending_order": {
            "effect": "write",
            "domains": {"order_id": _key("orders"), "reason": {"kind": "choice"}},
        },
        "shop.change_shipping_address": {
            "effect": "write",
            "domains": {"order_id": _key("orders"), "street": {"kind": "free"}},
        },
        "shop.find_customer_id_by_email": {"effect": "unproven"},
        "shop.find_customer_id_by_name_zip": {"effect": "unproven"},
        "shop.get_customer_details": {"effect": "read"},
        "shop.get_order_details": {"effect": "read"},
        "shop.return_delivered_items": {
            "effect": "write",
            "domains": {
                "order_id": _key("orders"),
                "item_ids": {
                    "kind": "member",
                    "table": "orders",
                    "pattern": ["items", "*", "item_id"],
                },
                "payment_method_id": {
                    "kind": "member",
                    "table": "customers",
                    "pattern": ["payment_methods", "*", "id"],
                },
            },
        },
        "shop.send_voucher": {"effect": "suspect"},
        "shop.ponder": {"effect": "unproven"},
        "bank.get_order_details": {"effect": "write"},
    },
    "tables": {
        "customers": {
            "key": "customer_id",
            "reader": "shop.get_customer_details",
            "fields": ["city", "email", "name", "orders", "payment_methods"],
        },
        "orders": {
            "key": "order_id",
            "reader": "shop.get_order_details",
            "fields": ["items", "name", "price", "status"],
        },
    },
    "links": [
        {"table": "customers", "pattern": ["orders", "*"], "target": "orders"},
        {"table": "orders", "pattern": ["customer_id"], "target": "customers"},
    ],
}
