"""Sessions with a payments API: an operator looks after payments, payouts and a catalogue."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from servers import Answer, Call, Row

SESSIONS = 160

FIRST = ("Ada", "Bo", "Cleo", "Dario", "Edda", "Finn", "Gwen", "Hugo", "Isla", "Jonas", "Kira")
LAST = ("Berg", "Costa", "Dale", "Ekman", "Farkas", "Grau", "Holt", "Ivarsson", "Juhl", "Klein")
GOODS = (
    "Desk lamp",
    "Tea set",
    "Oak chair",
    "Wool rug",
    "Wall clock",
    "Bread knife",
    "Linen sheet",
)
NOTES = ("prefers e-mail", "pays in two parts", "reseller", "moved to Turin", "long-time customer")
CURRENCY = "eur"


class Session:
    """One operator's session; `wanted` grows into what was asked."""

    def __init__(self, send: Call, rng: Random) -> None:
        self.send, self.rng = send, rng
        self.calls: list[Row] = []
        self.wanted: list[str] = []

    def call(self, tool: str, **args: Any) -> Answer:
        """Call the server and keep what it answered."""
        answer = self.send(tool, args)
        status = "error" if answer.error_code else "ok"
        record = {"tool": tool, "args": args, "result": answer.result, "status": status}
        self.calls.append(record | ({"error_code": answer.error_code} if answer.error_code else {}))
        return answer

    def made(self, tool: str, **args: Any) -> Row:
        """Make something beforehand; that is no part of the session."""
        answer = self.send(tool, args)
        assert answer.error_code is None, (tool, args, answer)
        row: Row = answer.result
        return row

    def maybe(self, probability: float) -> bool:
        """Draw whether something happens."""
        return self.rng.random() < probability

    def amount(self) -> int:
        """An amount in cents."""
        return self.rng.randrange(8, 400) * 100 + self.rng.choice((0, 50, 99))

    def customer(self) -> Row:
        """Make a customer who has a card."""
        rng = self.rng
        name = f"{rng.choice(FIRST)} {rng.choice(LAST)}"
        email = f"{name.replace(' ', '.').lower()}{rng.randrange(1000, 9999)}@example.com"
        made = self.made("create_customer", name=name, email=email, description=rng.choice(NOTES))
        card = {"number": "4242424242424242", "exp_month": 12, "exp_year": 2031, "cvc": "123"}
        method = self.made("create_payment_method", type="card", card=card)
        self.made("attach_payment_method", method=method["id"], customer=made["id"])
        made["method"] = method["id"]
        return made

    def customers(self) -> None:
        """Correct what is on file about a customer."""
        rng, person = self.rng, self.customer()
        changes = {
            "phone": f"+39-555-{rng.randrange(1000, 9999)}",
            "description": rng.choice(NOTES),
            "name": f"{rng.choice(FIRST)} {rng.choice(LAST)}",
        }
        names = rng.sample(sorted(changes), rng.choice((1, 2)))
        given = {name: changes[name] for name in names}
        self.wanted.append(f"for {person['email']} set {given}")
        if self.maybe(0.4):
            self.call("find_customers", email=person["email"])
        self.call("get_customer", customer=person["id"])
        if self.maybe(0.15):
            self.call("update_customer", customer=person["id"][:-1], **given)
        if self.maybe(0.1):
            self.call("update_customer", customer=person["id"], nickname="Red")
        self.call("update_customer", customer=person["id"], **given)
        if self.maybe(0.4):
            self.call("get_customer", customer=person["id"])

    def intent(self, capture: str) -> Row:
        """Make a payment that is not through yet."""
        person = self.customer()
        return self.made(
            "create_payment_intent",
            amount=self.amount(),
            currency=CURRENCY,
            customer=person["id"],
            payment_method=person["method"],
            capture_method=capture,
        )

    def payments(self) -> None:
        """Confirm a payment, capture it or call it off, and try what is too late."""
        intent = self.intent(self.rng.choice(("manual", "automatic")))
        own = {"intent": intent["id"]}
        self.wanted.append(f"settle payment {intent['id']}")
        self.call("get_payment_intent", **own)
        if self.maybe(0.35):
            self.call("cancel_payment_intent", **own)
            if self.maybe(0.5):
                tool = self.rng.choice(("confirm_payment_intent", "cancel_payment_intent"))
                self.call(tool, **own)
            return
        if self.call("confirm_payment_intent", **own).result["status"] == "requires_capture":
            self.call("capture_payment_intent", **own)
        if self.maybe(0.4):
            tool = self.rng.choice(("confirm_payment_intent", "cancel_payment_intent"))
            self.call(tool, **own)
        if self.maybe(0.3):
            self.call("get_payment_intent", **own)

    def charges(self) -> None:
        """Capture a charge and pay some of it back."""
        person, amount = self.customer(), self.amount()
        charge = self.made(
            "create_charge",
            amount=amount,
            currency=CURRENCY,
            customer=person["id"],
            source=person["method"],
            capture=self.maybe(0.5),
        )
        own = {"charge": charge["id"]}
        self.wanted.append(f"see to charge {charge['id']}")
        self.call("get_charge", **own)
        if not charge["captured"]:
            if self.maybe(0.2):
                self.call("capture_charge", **own, amount=amount + 100)
            self.call("capture_charge", **own)
        elif self.maybe(0.2):
            self.call("capture_charge", **own)
        if self.maybe(0.6):
            part = {"amount": amount // 2} if self.maybe(0.6) else {}
            refund = self.call("create_refund", **own, **part).result
            if self.maybe(0.5):
                self.call("get_refund", refund=refund["id"])
        if self.maybe(0.4):
            self.call("get_charge", **own)

    def payouts(self) -> None:
        """Call a payout off that has not been paid, or make another."""
        status = self.rng.choice(("pending", "pending", "pending", "paid"))
        payout = self.made("create_payout", amount=self.amount(), currency=CURRENCY, status=status)
        own = {"payout": payout["id"]}
        self.wanted.append(f"stop payout {payout['id']} if that is still possible")
        if self.maybe(0.1):
            self.call("get_payout", payout=payout["id"][:-2])
        self.call("get_payout", **own)
        self.call("cancel_payout", **own)
        if self.maybe(0.3):
            self.call("cancel_payout", **own)
        if self.maybe(0.4):
            self.call("get_payout", **own)
        if self.maybe(0.2):
            self.call(
                "create_payout", amount=self.amount(), currency=self.rng.choice(("eur", "usd"))
            )

    def products(self) -> None:
        """Change a product."""
        rng = self.rng
        product = self.made("create_product", name=rng.choice(GOODS), active=self.maybe(0.7))
        own = {"product": product["id"]}
        given: Row = rng.choice(
            (
                {"active": not product["active"]},
                {"caption": f"Best {rng.choice(GOODS).lower()} of {rng.randrange(2020, 2026)}"},
                {"description": rng.choice(NOTES), "name": rng.choice(GOODS)},
            )
        )
        self.wanted.append(f"change product {product['id']}: {given}")
        if self.maybe(0.1):
            self.call("get_product", product=product["id"][:-1])
        self.call("get_product", **own)
        if self.maybe(0.1):
            self.call("update_product", **own, colour="red")
        self.call("update_product", **own, **given)
        if self.maybe(0.6):
            self.call("get_product", **own)

    def tax_rates(self) -> None:
        """Change a tax rate."""
        rng = self.rng
        rate = self.made(
            "create_tax_rate",
            display_name=rng.choice(("VAT", "Sales tax", "City tax")),
            inclusive=self.maybe(0.5),
            percentage=rng.randrange(20, 240) / 10,
        )
        own = {"rate": rate["id"]}
        given: Row = rng.choice(
            (
                {"active": False},
                {"jurisdiction": rng.choice(("IT", "SE", "AT", "NL"))},
                {"description": f"valid from {rng.randrange(2026, 2031)}", "active": False},
            )
        )
        self.wanted.append(f"change tax rate {rate['id']}: {given}")
        self.call("get_tax_rate", **own)
        if self.maybe(0.08):
            self.call("update_tax_rate", rate=rate["id"][:-1], **given)
        if self.maybe(0.08):
            self.call("update_tax_rate", **own)
        self.call("update_tax_rate", **own, **given)
        if self.maybe(0.5):
            self.call("get_tax_rate", **own)

    def coupons(self) -> None:
        """Give out a coupon, or take one back."""
        rng = self.rng
        name = f"{rng.choice(GOODS).split()[-1].upper()}-{rng.randrange(1000, 9999)}"
        given: Row = {"duration": rng.choice(("once", "forever"))}
        off: Row = {"percent_off": rng.randrange(5, 50)}
        given |= off if self.maybe(0.5) else {"amount_off": self.amount(), "currency": CURRENCY}
        if self.maybe(0.5):
            self.wanted.append(f"make a coupon {name}: {given}")
            self.call("create_coupon", id=name, **given)
            if self.maybe(0.2):
                self.call("create_coupon", id=name, **given)
        else:
            self.made("create_coupon", id=name, **given)
            self.wanted.append(f"withdraw the coupon {name}")
        self.call("get_coupon", id=name)
        if "withdraw" in self.wanted[-1]:
            self.call("delete_coupon", id=name)
            if self.maybe(0.4):
                self.call(rng.choice(("get_coupon", "delete_coupon")), id=name)


WISHES: tuple[Callable[[Session], None], ...] = (
    Session.customers,
    Session.payments,
    *(Session.charges,) * 2,
    *(Session.payouts,) * 2,
    *(Session.products,) * 4,
    *(Session.tax_rates,) * 4,
    *(Session.coupons,) * 3,
)


def sessions(send: Call, rng: Random) -> Iterator[tuple[str, list[Row]]]:
    """Yield what each operator was asked, and the calls."""
    for _ in range(SESSIONS):
        session = Session(send, rng)
        for wish in rng.sample(WISHES, rng.choice((3, 4))):
            wish(session)
        yield f"Please {'; '.join(session.wanted)}.", session.calls
