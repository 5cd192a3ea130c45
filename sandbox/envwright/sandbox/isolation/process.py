"""The `process` backend: plain processes, for code that we wrote; it keeps nobody out."""

import contextlib
import resource
import secrets
import shutil
import subprocess
import tempfile
import threading
from functools import cached_property
from pathlib import Path

from envwright.events import digest_bytes
from envwright.events.errors import InfrastructureError
from envwright.sandbox.isolation.descendants import kill_group, kill_marked
from envwright.sandbox.isolation.isolation import Capabilities, Completed, Job, Limits
from envwright.sandbox.isolation.output import BoundedOutput
from envwright.sandbox.packages.paths import check_collisions, safe_path

_JOB = "ENVWRIGHT_JOB"
_KEY = "ENVWRIGHT_KEY"
_PATH = "/usr/local/bin:/usr/bin:/bin"
_DRAIN_SECONDS = 5


class ProcessIsolation:
    """Runs trusted commands as processes of their own session, with nothing inherited.

    It limits time, output and memory and leaves nothing behind. It does not keep a job from the
    network or from the machine's files: untrusted code needs another backend.
    """

    name = "process"

    def capabilities(self) -> Capabilities:
        """Find out, by doing, what this machine allows."""
        return self._capabilities

    def run(self, job: Job, limits: Limits) -> Completed:
        """Run a job to its end or its time limit; see the port."""
        check_collisions([safe_path(path) for path in job.files])
        try:
            prefix = _folder_prefix(job.key)
            with tempfile.TemporaryDirectory(prefix=prefix, ignore_cleanup_errors=True) as folder:
                _place(job, Path(folder, "work"))
                Path(folder, "home").mkdir()
                return _execute(job, limits, Path(folder))
        except OSError as error:
            raise InfrastructureError(f"cannot run {job.command[0]!r}: {error}") from error

    def reap(self, key: str) -> int:
        """Kill and remove what a lost process left under `key`."""
        if not key:
            return 0
        killed = kill_marked(_KEY, key)
        folders = list(Path(tempfile.gettempdir()).glob(f"{_folder_prefix(key)}*"))
        for folder in folders:
            shutil.rmtree(folder, ignore_errors=True)
        return killed + len(folders)

    @cached_property
    def _capabilities(self) -> Capabilities:
        return Capabilities(
            trusted_only=True,
            no_network=False,
            private_files=False,
            kills_detached=self._kills_detached(),
            limits_memory=self._limits_memory(),
        )

    def _kills_detached(self) -> bool:
        mark = secrets.token_hex(16)
        environment = {"PATH": _PATH, _JOB: mark}
        process = subprocess.Popen(("sleep", "30"), env=environment, start_new_session=True)
        try:
            return kill_marked(_JOB, mark) == 1
        finally:
            process.kill()
            process.wait()

    def _limits_memory(self) -> bool:
        # The limit is set from outside, right after the start: the shell gives it time.
        job = Job(command=("sh", "-c", "sleep 0.05; ulimit -v"))
        completed = self.run(job, Limits(seconds=5, memory_bytes=1 << 30))
        return completed.stdout.strip() == str((1 << 30) // 1024)


def _folder_prefix(key: str) -> str:
    return f"envwright-{digest_bytes(key.encode())[:16]}-"


def _place(job: Job, folder: Path) -> None:
    folder.mkdir()
    for path, data in job.files.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)
        if path in job.executable:
            place.chmod(0o755)


def _execute(job: Job, limits: Limits, folder: Path) -> Completed:
    mark = secrets.token_hex(16)
    environment = {
        "PATH": _PATH,
        "LANG": "C.UTF-8",
        "TZ": "UTC",
        "HOME": str(folder / "home"),
        "TMPDIR": str(folder / "home"),
        **job.environment,
        _JOB: mark,
        _KEY: job.key,
    }
    with tempfile.TemporaryFile() as stdin:
        stdin.write(job.stdin)
        stdin.seek(0)
        process = subprocess.Popen(
            job.command,
            cwd=folder / "work",
            env=environment,
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        return _watch(process, mark, limits)


def _watch(process: subprocess.Popen[bytes], mark: str, limits: Limits) -> Completed:
    """Wait for the job's first process, then kill what it left and collect the output."""
    late = threading.Event()

    def stop() -> None:
        late.set()
        kill_group(process.pid)

    # A timer and a blocking wait: `wait(timeout)` polls and adds up to 50 ms to every job.
    timer = threading.Timer(limits.seconds, stop)
    timer.daemon = True
    try:
        _limit_memory(process.pid, limits.memory_bytes)
        assert process.stdout is not None and process.stderr is not None
        stdout = BoundedOutput(process.stdout, limits.output_bytes)
        stderr = BoundedOutput(process.stderr, limits.output_bytes)
        timer.start()
        process.wait()
    finally:
        timer.cancel()
        kill_group(process.pid)
        kill_marked(_JOB, mark)
        process.wait()
    out, out_cut = stdout.finish(_DRAIN_SECONDS)
    err, err_cut = stderr.finish(_DRAIN_SECONDS)
    return Completed(
        exit_code=process.returncode,
        stdout=out,
        stderr=err,
        timed_out=late.is_set(),
        stdout_cut=out_cut,
        stderr_cut=err_cut,
    )


def _limit_memory(process: int, limit: int | None) -> None:
    # Set from outside: `preexec_fn` may deadlock in a process with threads.
    if limit is not None and hasattr(resource, "prlimit"):
        with contextlib.suppress(ProcessLookupError):
            resource.prlimit(process, resource.RLIMIT_AS, (limit, limit))
