"""The address: the URL of a database on a server, and how it is spoken of without its password."""

from urllib.parse import quote, quote_plus

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from envwright.events.errors import BadInputError

_SCHEMES = ("postgresql", "postgres", "postgresql+psycopg")
_EXPECTED = "expected postgresql://USER@HOST:PORT/DATABASE, with %-escapes in user and password"
_VEIL = "***"


class Address:
    """Where a database is; as text it has no password."""

    def __init__(self, text: str) -> None:
        """Read a URL.

        Raises:
            BadInputError: it is none, is not PostgreSQL's, or names no database.
        """
        scheme = text.partition(":")[0]
        if scheme not in _SCHEMES:
            raise BadInputError(f"a store of the kind {scheme!r} is not known; {_EXPECTED}")
        try:
            url = make_url(text)
        except (ArgumentError, ValueError):
            # The cause quotes the URL, password and all.
            raise BadInputError(f"the URL of the store cannot be read; {_EXPECTED}") from None
        if not url.database:
            raise BadInputError(f"the URL of the store names no database; {_EXPECTED}")
        self.url: URL = url.set(drivername="postgresql+psycopg")

    def __str__(self) -> str:
        bare = URL.create(
            "postgresql",
            username=self.url.username,
            host=self.url.host,
            port=self.url.port,
            database=self.url.database,
        )
        return bare.render_as_string()

    def __repr__(self) -> str:
        return f"Address({str(self)!r})"

    @property
    def user(self) -> str:
        """Who connects, as far as the URL says."""
        return self.url.username or "the default user"

    def veil(self, text: str) -> str:
        """Return what a driver says without the password, should it be in there."""
        password = self.url.password
        if password is not None and str(password):
            for form in {str(password), quote(str(password), safe=""), quote_plus(str(password))}:
                text = text.replace(form, _VEIL)
        return " ".join(text.split())
