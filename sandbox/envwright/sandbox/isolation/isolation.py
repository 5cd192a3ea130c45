"""Port of the isolation backends: a command with its files, limits and outcome."""

from typing import Protocol

from pydantic import Field

from envwright.events.values import Value


class Limits(Value):
    """What a job may use."""

    seconds: float = Field(default=60, gt=0)
    """Wall time; then everything that the job started is killed."""
    output_bytes: int = Field(default=64 * 1024, ge=0)
    """Bytes kept of each of standard output and error; the rest is read and dropped."""
    memory_bytes: int | None = Field(default=None, gt=0)
    """Address space of each process, where the backend can limit it."""


class Job(Value):
    """A command to run in a folder of its own."""

    command: tuple[str, ...] = Field(min_length=1)
    files: dict[str, bytes] = Field(default_factory=dict)
    """Files of the working folder, by relative path."""
    executable: frozenset[str] = frozenset()
    """Paths of `files` with the executable mode."""
    environment: dict[str, str] = Field(default_factory=dict)
    """Added to a clean environment; nothing is inherited."""
    stdin: bytes = b""
    key: str = ""
    """Effect key that `reap` finds leftovers by."""


class Completed(Value):
    """How a job ended."""

    exit_code: int
    """Negative for a signal."""
    stdout: str
    stderr: str
    timed_out: bool = False
    stdout_cut: bool = False
    """Whether standard output was longer than the limit."""
    stderr_cut: bool = False


class Capabilities(Value):
    """What a backend was seen to do on this machine."""

    trusted_only: bool
    """Whether only code that we wrote may run in it."""
    no_network: bool
    """Whether a job is kept from the network."""
    private_files: bool
    """Whether a job sees no files of the machine but its own and the system's."""
    kills_detached: bool
    """Whether processes that left the job's session die with it."""
    limits_memory: bool


class Isolation(Protocol):
    """Runs commands apart from this process and from each other.

    A job starts in a fresh folder with its files, a clean environment and an empty standard input,
    and nothing of it is left when `run` returns: no process, no folder.
    """

    @property
    def name(self) -> str:
        """Name of the backend."""

    def capabilities(self) -> Capabilities:
        """Find out, by doing, what the backend can do here; found out once."""

    def run(self, job: Job, limits: Limits) -> Completed:
        """Run a job to its end or its time limit.

        Raises:
            InfrastructureError: the job could not be started or watched.
            BadInputError: a file name is unsafe.
        """

    def reap(self, key: str) -> int:
        """Kill and remove what a lost process left under a job's key; return how much it was."""
