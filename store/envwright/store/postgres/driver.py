"""The driver: libpq's calls behind those of the hot paths, and text that may hold a NUL.

psycopg's cursors take three times as long for a statement as the calls beneath them.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import count
from typing import Any

import psycopg
from psycopg import adapt, pq
from psycopg.abc import Buffer, Transformer
from psycopg.errors import error_from_result
from psycopg.types.string import StrBinaryDumper
from sqlalchemy import Integer, LargeBinary

from envwright.store.postgres.pipeline import Call, send_together
from envwright.store.schema import METADATA
from envwright.store.transaction import Statement

_IN_TRANSACTION = (
    pq.TransactionStatus.ACTIVE,
    pq.TransactionStatus.INTRANS,
    pq.TransactionStatus.INERROR,
)
_DONE = (pq.ExecStatus.COMMAND_OK, pq.ExecStatus.TUPLES_OK)

# Numbers as text: in binary form they would have to be of the very width that the server expects.
_TEXT, _BYTES = adapt.PyFormat.TEXT, adapt.PyFormat.BINARY

_PREPARED = 200
"""Most statements that a connection keeps prepared."""


class PostgresRows:
    """The rows of a statement, all of them here."""

    def __init__(self, result: "pq.abc.PGresult", transformer: Transformer) -> None:
        self._result = result
        self._transformer = transformer
        self._next = 0

    @property
    def rowcount(self) -> int:
        """How many rows the statement changed or gave."""
        return self._result.command_tuples or 0

    def fetchone(self) -> tuple[Any, ...] | None:
        """Return the next row, None at the end."""
        if self._next >= self._result.ntuples:
            return None
        self._next += 1
        return self._load(self._next - 1, self._next)[0]

    def fetchall(self) -> list[tuple[Any, ...]]:
        """Return the rows that are left."""
        start, self._next = self._next, self._result.ntuples
        return self._load(start, self._next)

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        return iter(self.fetchall())

    def _load(self, start: int, end: int) -> list[tuple[Any, ...]]:
        self._transformer.set_pgresult(self._result)
        return self._transformer.load_rows(start, end, tuple)


class PostgresDriver:
    """A psycopg connection that takes SQL with `?` and gives rows as tuples."""

    IntegrityError = psycopg.IntegrityError

    def __init__(self, connection: "psycopg.Connection[Any]") -> None:
        self._connection = connection
        self._pgconn = connection.pgconn
        self._transformer: Transformer = adapt.Transformer(connection)
        self._names: dict[str, bytes] = {}
        self._begun: list[Statement] = []

    @property
    def in_transaction(self) -> bool:
        """Whether a transaction is open; with a lost connection none is."""
        return bool(self._begun) or self._pgconn.transaction_status in _IN_TRANSACTION

    @property
    def is_lost(self) -> bool:
        """Whether the connection is of no more use."""
        return self._connection.closed

    def begin(self, *statements: str) -> None:
        """Begin a transaction; what begins it is sent with the first statement that follows."""
        self._begun = [(sql, ()) for sql in statements]

    def send_begun(self) -> None:
        """Send what begins the transaction, for statements that do not come this way."""
        if self._begun:
            self.together([])

    def execute(self, sql: str, parameters: Sequence[Any] = (), /) -> PostgresRows:
        """Run one statement."""
        if self._begun:
            return self.together([(sql, parameters)])[0]
        name, values, formats = self._call(sql, parameters)
        # Binary: bytes travel as they are, not as text of twice their size.
        if name:
            result = self._pgconn.exec_prepared(name, values, formats, pq.Format.BINARY)
        else:
            query = numbered(sql)
            result = self._pgconn.exec_params(query, values, None, formats, pq.Format.BINARY)
        return self._rows(sql, result)

    def together(self, statements: Sequence[Statement]) -> list[PostgresRows]:
        """Run statements of which none needs what another gives, in one round trip."""
        begun, self._begun = self._begun, []
        every = [*begun, *statements]
        calls = [self._call(sql, parameters) for sql, parameters in every]
        if len(every) == 1 or not all(name for name, _, _ in calls):
            return [self.execute(*statement) for statement in every][len(begun) :]
        results = send_together(self._pgconn, calls)
        rows = [self._rows(sql, result) for (sql, _), result in zip(every, results, strict=True)]
        return rows[len(begun) :]

    def executemany(self, sql: str, parameters: Iterable[Sequence[Any]], /) -> None:
        """Run one statement for each of some rows."""
        for row in parameters:
            self.execute(sql, row)

    def copy(self, table: str, rows: Iterable[Sequence[Any]]) -> None:
        """Insert rows that give all columns of a table in order."""
        command = f"COPY {table} FROM STDIN (FORMAT BINARY)".encode()
        cursor = self._connection.cursor()
        # Rows are looked through as wholes, which takes less time than a call for each value.
        cursor.adapters.register_dumper(str, StrBinaryDumper)
        with cursor.copy(command) as copy:
            copy.set_types(column_types(table))
            for row in rows:
                copy.write_row(_storable(row))

    def _call(self, sql: str, parameters: Sequence[Any]) -> Call:
        formats = [_BYTES if type(value) is bytes else _TEXT for value in parameters]
        values = self._transformer.dump_sequence(parameters, formats)
        wire = self._transformer.formats
        return self._names.get(sql) or self._prepare(sql), values, wire

    def _rows(self, sql: str, result: "pq.abc.PGresult") -> PostgresRows:
        self._checked(result)
        if sql == "COMMIT" and result.command_status != b"COMMIT":
            # The server rolls back without an error what an error before has undone.
            raise psycopg.errors.InFailedSqlTransaction("nothing was committed: an error was lost")
        return PostgresRows(result, self._transformer)

    def _prepare(self, sql: str) -> bytes:
        if len(self._names) >= _PREPARED:
            return b""
        # Without types: the server knows them better than the values do.
        name = b"envwright_%d" % len(self._names)
        self._checked(self._pgconn.prepare(name, numbered(sql)))
        self._names[sql] = name
        return name

    def _checked(self, result: "pq.abc.PGresult") -> None:
        if result.status in _DONE:
            return
        error = error_from_result(result, encoding="utf-8")
        if error.sqlstate is None:  # libpq's own words: the server is gone.
            raise psycopg.OperationalError(str(error))
        raise error


@lru_cache(maxsize=1000)
def numbered(sql: str) -> bytes:
    """Return SQL with `$1`, `$2` … in place of its question marks; it has none in literals."""
    first, *others = sql.split("?")
    numbers = count(1)
    return "".join([first, *(f"${next(numbers)}{part}" for part in others)]).encode()


@lru_cache(maxsize=10)
def column_types(table: str) -> list[str]:
    """Return the types of the columns of a table, as the server calls them."""
    return [
        "bytea"
        if isinstance(column.type, LargeBinary)
        else "int8"
        if isinstance(column.type, Integer)
        else "text"
        for column in METADATA.tables[table].columns
    ]


# PostgreSQL's text has no NUL. The forms keep the order of code points, which keys are read in.
_ESCAPES = (("\x01", "\x01\x02"), ("\x00", "\x01\x01"))


def _escaped(text: str) -> str:
    if "\x00" in text or "\x01" in text:
        for plain, form in _ESCAPES:
            text = text.replace(plain, form)
    return text


def _storable(row: Sequence[Any]) -> Sequence[Any]:
    text = "".join([value for value in row if type(value) is str])
    if "\x00" not in text and "\x01" not in text:
        return row
    return [_escaped(value) if type(value) is str else value for value in row]


def _plain(data: Buffer) -> str:
    text = str(data, "utf-8")
    if "\x01" in text:
        for plain, form in reversed(_ESCAPES):
            text = text.replace(form, plain)
    return text


class _TextDumper(adapt.Dumper):
    """Sends text whose type the server infers."""

    def dump(self, obj: str) -> bytes:
        return _escaped(obj).encode()


class _BinaryTextDumper(adapt.Dumper):
    """Sends text where its type is known, as in a COPY."""

    format = pq.Format.BINARY
    oid = psycopg.postgres.types["text"].oid

    def dump(self, obj: str) -> bytes:
        return _escaped(obj).encode()


class _TextLoader(adapt.Loader):
    """Reads text."""

    def load(self, data: Buffer) -> str:
        return _plain(data)


class _BinaryTextLoader(_TextLoader):
    """Reads text that came in binary form, which is the same."""

    format = pq.Format.BINARY


def adapt_text(connection: "psycopg.Connection[Any]") -> None:
    """Let a connection keep any text."""
    adapters = connection.adapters
    adapters.register_dumper(str, _BinaryTextDumper)
    adapters.register_dumper(str, _TextDumper)  # The last one is taken where both would do.
    for kind in ("text", "varchar"):
        adapters.register_loader(kind, _TextLoader)
        adapters.register_loader(kind, _BinaryTextLoader)
