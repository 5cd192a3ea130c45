"""The people, rows and wishes behind the recorded sessions, drawn from a seeded source."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple

Row = dict[str, Any]
Rows = dict[str, list[Row]]
Values = Callable[[Random, Row], Row]

FIRST = (
    "Amina, Bruno, Chiara, Dmitri, Elena, Farid, Greta, Hiro, Ines, Jonas, Katya, Luca, Mei, "
    "Nadia, Oscar, Priya, Rosa, Samir, Tova, Viktor"
)
LAST = (
    "Abara, Bergman, Castillo, Dorsey, Eklund, Fontaine, Grimaldi, Haddad, Ivanova, Jansen, "
    "Kimura, Lindqvist, Moreau, Novak, Okafor, Petrov, Quispe, Rossi, Silva, Tanaka"
)
AGENTS = ("Ada Whitlock", "Ben Osei", "Carla Reyes", "Dan Mercer", "Eve Lindholm", "Finn Barlow")
LEADS = ("Grace Tobin", "Hugo Sandoval", "Iris Feld", "Jun Nakata")
PLANS = ("basic", "plus", "business", "enterprise")
STATES = ("open", "pending", "waiting on customer")
LEVELS = ("low", "normal", "high", "urgent")
BRANCHES = ("Central", "Harbour", "Northgate", "Riverside", "Old Mill")
CONDITIONS = ("like new", "good", "worn", "damaged")


class Kind(NamedTuple):
    """How a row of a kind is read, and which field of another kind's row leads to it."""

    read: str
    key: str
    parent: str
    field: str


class Wish(NamedTuple):
    """What a user asks for: a write tool, the kind it works on, its values, the user's words."""

    tool: str
    kind: str
    words: str
    values: Values = lambda _rng, _row: {}


@dataclass(frozen=True)
class Scenario:
    """A service's rows, how they lead to each other, and what the people in `owner` wish for.

    `known` is the kind of row whose id a user may know; `created` maps the tools that create a
    row to the argument that takes its new id.
    """

    owner: str
    known: str
    find: str
    listing: str
    kinds: dict[str, Kind]
    wishes: tuple[Wish, ...]
    created: dict[str, str]
    new_ids: Iterator[str]
    rows: Rows


def ids(rng: Random, prefix: str) -> Iterator[str]:
    """Five-digit ids in random order, each once."""
    return (f"{prefix}-{number}" for number in rng.sample(range(10000, 99999), 5000))


def pick(**choices: Sequence[str]) -> Values:
    """Choose each value, other than the row's present one."""
    return lambda rng, row: {
        name: rng.choice([value for value in values if value != row.get(name)])
        for name, values in choices.items()
    }


def phone(rng: Random) -> str:
    """A fictional phone number."""
    return f"+1-555-{rng.randrange(1000, 9999)}-{rng.randrange(1000, 9999)}"


def phrases(rng: Random, first: str, second: str, count: int) -> list[str]:
    """Distinct phrases, each of a part from either comma-separated list."""
    pairs = [f"{a} {b}" for a in first.split(", ") for b in second.split(", ")]
    return rng.sample(pairs, count)


def people(rng: Random, count: int) -> list[Row]:
    """People with distinct names and e-mail addresses."""
    return [
        {
            "name": name,
            "email": f"{name.lower().replace(' ', '.')}@example.{rng.choice(('com', 'org'))}",
            "phone": phone(rng),
        }
        for name in phrases(rng, FIRST, LAST, count)
    ]


# --- helpdesk: customers have tickets, tickets are about products

ADJECTIVES = (
    "Compact, Quiet, Solar, Folding, Wireless, Portable, Smart, Heavy-duty, Silent, Dual-band, "
    "Slim, Rugged, Modular, Thermal"
)
DEVICES = (
    "Printer, Router, Heater, Desk Lamp, Keyboard, Scanner, Projector, Coffee Maker, Air Purifier, "
    "Door Lock"
)
FAULTS = (
    "stops after a minute",
    "makes a grinding noise",
    "shows error E-17",
    "does not pair",
    "arrived scratched",
    "needs a spare part",
    "overheats",
    "loses its settings",
)
FIXES = (
    "replaced the unit",
    "sent a spare part",
    "updated the firmware",
    "refunded the purchase",
    "explained the settings",
)
NOTES = (
    "called back and left a message",
    "photos of the damage received",
    "reproduced the fault in the lab",
    "asked the warehouse for stock",
    "warranty checked and valid",
)


def helpdesk(rng: Random, count: int) -> Scenario:
    """Customers of a shop, their support tickets and the products that those are about."""
    new_ids = ids(rng, "TKT")
    return Scenario(
        owner="customer",
        known="ticket",
        find="find_customer_by_email",
        listing="list_customer_tickets",
        kinds={
            "customer": Kind("get_customer", "customer_id", "ticket", "customer_id"),
            "ticket": Kind("get_ticket", "ticket_id", "customer", "ticket_ids"),
            "product": Kind("get_product", "product_id", "ticket", "product_id"),
        },
        wishes=helpdesk_wishes(),
        created={"create_ticket": "ticket_id"},
        rows=helpdesk_rows(rng, count, new_ids),
        new_ids=new_ids,
    )


def helpdesk_rows(rng: Random, count: int, ticket_ids: Iterator[str]) -> Rows:
    """Seed the customers with their tickets; a product occurs in two tickets at most."""
    product_ids, customer_ids = ids(rng, "PRD"), ids(rng, "CUS")
    products = [
        {
            "id": next(product_ids),
            "name": name,
            "category": rng.choice(("office", "network", "home", "security")),
            "price": rng.randrange(1900, 49900) / 100,
            "warranty_months": rng.choice((12, 24, 36)),
            "support_team": rng.choice(("Hardware", "Connectivity", "Appliances")),
        }
        for name in phrases(rng, ADJECTIVES, DEVICES, 130)
    ]
    about = iter(rng.sample(products * 2, 2 * len(products)))
    rows: Rows = {"logins": [], "customers": [], "tickets": [], "products": products}
    for person in people(rng, count):
        customer = {"id": next(customer_ids), **person, "plan": rng.choice(PLANS)}
        tickets = [
            ticket(rng, next(ticket_ids), customer, next(about)) for _ in range(rng.choice((2, 3)))
        ]
        customer["ticket_ids"] = [ticket["id"] for ticket in tickets]
        rows["logins"].append({"id": customer["email"], "customer_id": customer["id"]})
        rows["customers"].append(customer)
        rows["tickets"] += tickets
    return rows


def ticket(rng: Random, ticket_id: str, customer: Row, product: Row) -> Row:
    """Seed one ticket."""
    return {
        "id": ticket_id,
        "customer_id": customer["id"],
        "product_id": product["id"],
        "subject": f"{product['name']} {rng.choice(FAULTS)}",
        "priority": rng.choice(LEVELS[:3]),
        "status": rng.choice(STATES),
        "assignee": rng.choice(AGENTS),
        "team_lead": rng.choice(LEADS),
        "resolution": "",
        "comments": [],
    }


def helpdesk_wishes() -> tuple[Wish, ...]:
    """One wish per write tool of the helpdesk."""
    ticket = "my ticket “{ticket[subject]}”"
    comment, close = "comment on {0} as {{author}}: “{{text}}”", "close {0}, “{{resolution}}”"
    another = (
        "open ticket {{ticket_id}} with {{priority}} priority on the product of {0}: “{{subject}}”"
    )
    return (
        Wish(
            "update_ticket_status", "ticket", f"set {ticket} to “{{status}}”", pick(status=STATES)
        ),
        Wish(
            "update_ticket_priority",
            "ticket",
            f"give {ticket} {{priority}} priority",
            pick(priority=LEVELS),
        ),
        Wish("assign_ticket", "ticket", f"assign {ticket} to {{assignee}}", pick(assignee=AGENTS)),
        Wish("escalate_ticket", "ticket", f"escalate {ticket}"),
        Wish(
            "add_ticket_comment", "ticket", comment.format(ticket), pick(author=AGENTS, text=NOTES)
        ),
        Wish("close_ticket", "ticket", close.format(ticket), pick(resolution=FIXES)),
        Wish("create_ticket", "product", another.format(ticket), new_fault),
        Wish("change_customer_plan", "customer", "move me to the {plan} plan", pick(plan=PLANS)),
        Wish(
            "update_customer_phone",
            "customer",
            "change my phone number to {phone}",
            lambda rng, _: {"phone": phone(rng)},
        ),
    )


def new_fault(rng: Random, product: Row) -> Row:
    """What a new ticket about the product says."""
    fault = {"subject": f"{product['name']} {rng.choice(FAULTS)}"}
    return fault | {"priority": rng.choice(LEVELS)}


# --- library: members have loans and holds, both are about books

TITLES = (
    "The Salt, A Winter, The Glass, The Last, An Honest, The Borrowed, A Distant, The Paper, "
    "The Copper, A Quiet, The Hollow, The Second, A Northern, The Painted, The Iron, A Late"
)
NOUNS = (
    "Harbour, Garden, Letter, Orchard, Bridge, Lantern, Summer, River, House, Atlas, Voyage, Clock"
)
REASONS = ("unpaid fees", "card reported stolen", "moved away", "address not confirmed")


def library(rng: Random, count: int) -> Scenario:
    """Members of a public library, what they have borrowed or reserved, and the books."""
    new_ids = ids(rng, "HLD")
    return Scenario(
        owner="member",
        known="loan",
        find="find_member_by_email",
        listing="",
        kinds={
            "member": Kind("get_member", "member_id", "loan", "member_id"),
            "loan": Kind("get_loan", "loan_id", "member", "loan_ids"),
            "hold": Kind("get_hold", "hold_id", "member", "hold_ids"),
            "book": Kind("get_book", "book_id", "loan", "book_id"),
        },
        wishes=library_wishes(),
        created={"place_hold": "hold_id"},
        rows=library_rows(rng, count, new_ids),
        new_ids=new_ids,
    )


def library_rows(rng: Random, count: int, hold_ids: Iterator[str]) -> Rows:
    """Seed the members with their loans and holds; a book is in one loan and one hold at most."""
    book_ids, member_ids, loan_ids = ids(rng, "BKS"), ids(rng, "MBR"), ids(rng, "LON")
    books = [
        {
            "book_id": next(book_ids),
            "title": title,
            "author": phrases(rng, FIRST, LAST, 1)[0],
            "year": rng.randrange(1950, 2025),
            "shelf": shelf(rng),
            "copies": rng.randrange(1, 6),
        }
        for title in phrases(rng, TITLES, NOUNS, 170)
    ]
    lent, held = iter(rng.sample(books, len(books))), iter(rng.sample(books, len(books)))
    rows: Rows = {"logins": [], "members": [], "loans": [], "holds": [], "books": books}
    for person in people(rng, count):
        member = {"member_id": next(member_ids), **person, "home_branch": rng.choice(BRANCHES)}
        loans = [loan(rng, next(loan_ids), member, next(lent)) for _ in range(2)]
        holds = [hold(rng, next(hold_ids), member, next(held)) for _ in range(rng.choice((1, 2)))]
        member |= {"card_status": "active", "suspension_reason": ""}
        member["loan_ids"] = [loan["loan_id"] for loan in loans]
        member["hold_ids"] = [hold["hold_id"] for hold in holds]
        rows["logins"].append({"email": member["email"], "member_id": member["member_id"]})
        rows["members"].append(member)
        rows["loans"] += loans
        rows["holds"] += holds
    return rows


def shelf(rng: Random) -> str:
    """A shelf code."""
    return f"{rng.choice('ABCDEFGH')}{rng.randrange(1, 30):02}-{rng.randrange(1, 100):02}"


def day(rng: Random, first_month: int) -> str:
    """A day of 2026, in one of four months."""
    return f"2026-{first_month + rng.randrange(4):02}-{rng.randrange(1, 29):02}"


def loan(rng: Random, loan_id: str, member: Row, book: Row) -> Row:
    """Seed one loan."""
    return {
        "loan_id": loan_id,
        "member_id": member["member_id"],
        "book_id": book["book_id"],
        "title": book["title"],
        "status": "active",
        "due_date": day(rng, 2),
        "condition": "good",
    }


def hold(rng: Random, hold_id: str, member: Row, book: Row) -> Row:
    """Seed one hold."""
    return {
        "hold_id": hold_id,
        "member_id": member["member_id"],
        "book_id": book["book_id"],
        "title": book["title"],
        "pickup_branch": rng.choice(BRANCHES),
        "status": rng.choice(("waiting", "ready")),
    }


def library_wishes() -> tuple[Wish, ...]:
    """One wish per write tool of the library."""
    loan, hold, book = "“{loan[title]}”", "“{hold[title]}”", "“{book[title]}”"
    place = f"place hold {{hold_id}} for another copy of {loan} at {{pickup_branch}}"
    suspend = "suspend my card for this reason: {suspension_reason}"
    home, pickup = pick(home_branch=BRANCHES), pick(pickup_branch=BRANCHES)
    return (
        Wish(
            "renew_loan",
            "loan",
            f"renew {loan} until {{due_date}}",
            lambda rng, _: {"due_date": day(rng, 7)},
        ),
        Wish("return_loan", "loan", f"take back {loan}, {{condition}}", pick(condition=CONDITIONS)),
        Wish("report_loan_lost", "loan", f"note that I lost {loan}"),
        Wish(
            "place_hold", "book", place, lambda rng, row: {"title": row["title"]} | pickup(rng, row)
        ),
        Wish("change_hold_branch", "hold", f"let me pick up {hold} at {{pickup_branch}}", pickup),
        Wish("cancel_hold", "hold", f"cancel my hold on {hold}"),
        Wish("suspend_member", "member", suspend, pick(suspension_reason=REASONS)),
        Wish("change_home_branch", "member", "make {home_branch} my home branch", home),
        Wish(
            "move_book",
            "book",
            f"note that {book} now stands on shelf {{shelf}}",
            lambda rng, _: {"shelf": shelf(rng)},
        ),
    )
