"""The error tree of the whole system: every error names the boundary that failed.

EnvwrightError
├── BadInputError            what a user gave cannot be used (exit code 2)
├── CanonicalError           a value has no canonical JSON form
├── UnknownSchemaError       an event type or schema version that this code does not know
├── UndecodableError         bytes from a bus are no event
├── MissingExtraError        an optional dependency is not installed (also an ImportError)
├── LogError
│   ├── ConcurrencyError     the stream is not at the expected version
│   ├── FencedError          the lease behind the commit belongs to somebody else by now
│   ├── IdempotencyError     a known idempotency key came back with another payload
│   └── IntegrityError       stored bytes do not match their hashes
├── ArtifactError
│   ├── ArtifactMissingError
│   └── ArtifactCorruptError
├── EffectError
│   ├── EffectMismatchError  a replayed handler asked for something else than was recorded
│   ├── EffectMissingError   a replayed handler asked for what has no recorded outcome
│   └── OutcomeUnknownError  a `once` effect was requested and never completed
└── InfrastructureError      a machine, service or sandbox failed: retried, then the run pauses
"""


class EnvwrightError(Exception):
    """Base of every error that Envwright raises on purpose."""


class BadInputError(EnvwrightError):
    """What the user gave cannot be used; the message says what was expected and the remedy."""


class CanonicalError(EnvwrightError):
    """A value has no canonical JSON form (NaN, an infinity, a key that is not text)."""


class UnknownSchemaError(EnvwrightError):
    """An event type or schema version that this code does not know; it is refused, not guessed."""


class UndecodableError(EnvwrightError):
    """Bytes from a bus are no event, or are not the event that they say they are."""


class MissingExtraError(EnvwrightError, ImportError):
    """An optional dependency is not installed; the message says which `pip install` brings it."""


class LogError(EnvwrightError):
    """The log refused a commit or found its own bytes wrong."""


class ConcurrencyError(LogError):
    """The stream is not at the version that the commit expected; read again and retry."""


class FencedError(LogError):
    """The commit carries a fencing token that is no longer the current one; drop the work."""


class IdempotencyError(LogError):
    """An idempotency key seen before came back with another payload."""


class IntegrityError(LogError):
    """Stored bytes do not match their recorded hash or position."""


class ArtifactError(EnvwrightError):
    """An artifact could not be served."""


class ArtifactMissingError(ArtifactError):
    """No artifact has this digest."""


class ArtifactCorruptError(ArtifactError):
    """The stored bytes do not hash to the artifact's digest."""


class EffectError(EnvwrightError):
    """The effect journal and the handler disagree."""


class EffectMismatchError(EffectError):
    """A replayed handler asked for something else than the journal recorded under that key."""


class EffectMissingError(EffectError):
    """A replayed handler asked for something that the journal has no outcome of."""


class OutcomeUnknownError(EffectError):
    """A `once` effect was requested and never completed; a person must say `retry` or `abandon`."""


class InfrastructureError(EnvwrightError):
    """A machine, service or sandbox failed; never a failed attempt and never a zero reward."""
