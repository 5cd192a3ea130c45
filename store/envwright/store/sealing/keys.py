"""Keys: the signing key in the user's configuration, and the public keys that an audit trusts."""

import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkstemp
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)

from envwright.events.errors import BadInputError, InfrastructureError
from envwright.store.sealing.verify import (
    FIELDS,
    PublicKeys,
    key_id,
    parse_public_key,
    signed_bytes,
)

_SIGNING_KEY = "signing.key"


def key_folder() -> Path:
    """Return where the signing key lives: `$XDG_CONFIG_HOME/envwright`."""
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "envwright"


@dataclass(frozen=True)
class SigningKey:
    """An Ed25519 key that signs checkpoints and reports."""

    private: Ed25519PrivateKey

    @property
    def id(self) -> str:
        """The id of its public key."""
        return key_id(self.private.public_key())

    @property
    def public_keys(self) -> PublicKeys:
        """Its public key, as an audit takes it."""
        return {self.id: self.private.public_key()}

    def public_pem(self) -> str:
        """Return its public key in PEM."""
        pem = self.private.public_key().public_bytes(
            Encoding.PEM, PublicFormat.SubjectPublicKeyInfo
        )
        return pem.decode("ascii")

    def public_hex(self) -> str:
        """Return its public key as 64 hex digits."""
        raw = self.private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
        return raw.hex()

    def sign(self, record: dict[str, Any], fields: tuple[str, ...] = FIELDS) -> dict[str, Any]:
        """Return a record with its signature."""
        record = {**record, "key": self.id}
        return {**record, "signature": self.private.sign(signed_bytes(record, fields)).hex()}


def open_signing_key(folder: Path | None = None, *, make: bool = True) -> SigningKey | None:
    """Read the signing key, making it where there is none; None where it may not be made.

    Raises:
        InfrastructureError: it cannot be read or written.
        BadInputError: others may read it, or the file is no Ed25519 key.
    """
    path = (folder or key_folder()) / _SIGNING_KEY
    try:
        if not path.exists():
            if not make:
                return None
            _make(path)
        if path.stat().st_mode & 0o077:
            raise BadInputError(f"others may read the signing key: chmod 600 {path}")
        key = load_pem_private_key(path.read_bytes(), password=None)
    except OSError as error:
        raise InfrastructureError(f"the signing key {path} cannot be used: {error}") from error
    except (ValueError, TypeError) as error:
        raise BadInputError(f"{path} is no private key in PEM: {error}") from error
    if not isinstance(key, Ed25519PrivateKey):
        raise BadInputError(f"{path} holds another kind of key; expected Ed25519")
    return SigningKey(key)


def _make(path: Path) -> None:
    """Make a key; of two processes at once the first one's stays."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    pem = Ed25519PrivateKey.generate().private_bytes(
        Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()
    )
    descriptor, name = mkstemp(prefix=path.name, dir=path.parent)  # Readable by its owner alone.
    draft = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(pem)
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileExistsError):
            os.link(draft, path)
    finally:
        draft.unlink(missing_ok=True)


def load_public_keys(given: list[str], home: Path | None = None) -> PublicKeys:
    """Read public keys, each in PEM or hex, or as the path of a file that holds one.

    Raises:
        BadInputError: one is neither, or lies in the home that it is to check: whoever can change
            the log could change that key too.
    """
    return dict(_public_key(text, home) for text in given)


def _public_key(text: str, home: Path | None) -> tuple[str, Any]:
    path = Path(text)
    content = text
    if len(text) < 4096 and "\n" not in text and path.is_file():
        if home is not None and path.resolve().is_relative_to(home.resolve()):
            raise BadInputError(
                f"the public key {text} lies in the home that it is to check; whoever can change "
                "the log could change it too: take the key from whom you trust, and keep it "
                "elsewhere"
            )
        content = path.read_text(encoding="ascii", errors="replace")
    try:
        key = parse_public_key(content)
    except ValueError as error:
        raise BadInputError(
            f"{text[:80]!r} is no public key ({error}); expected PEM, 64 hex digits, or the path "
            "of a file with either: `envwright audit key` prints yours"
        ) from error
    return key_id(key), key
