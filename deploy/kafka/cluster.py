"""A real Apache Kafka on this machine, one broker or three: in Docker, or from the broker's jars.

    deploy/kafka/broker start [--brokers 3] [--port 9092] [--folder DIR] [--way docker|java]
    deploy/kafka/broker status
    deploy/kafka/broker stop

Standard library only. The folder of a cluster:

    <folder>/
    ├── cluster.json    the way it runs, its ports, and the process or container of each node
    └── node-1/         server.properties, broker.log and, with Java, data/
"""

import argparse
import contextlib
import hashlib
import json
import os
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from string import Template

HERE = Path(__file__).resolve().parent
IMAGE = "apache/kafka:4.3.1"
WAYS = ("docker", "java")
MESSAGE_BYTES = 1_048_588
PATIENCE = 90.0
"""Seconds until a cluster that does not answer has failed to start."""

_CLUSTER_ID = "ZW52d3JpZ2h0LWthZmthAA"
_HEAP = ("-Xms128m", "-Xmx320m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
_MAVEN_SECONDS = 540


class BrokerError(Exception):
    """The broker cannot be had here; the message says why and what would mend it."""


def cache() -> Path:
    """Return the folder where the broker's jars are kept, one per version of `pom.xml`."""
    root = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    version = hashlib.sha256((HERE / "pom.xml").read_bytes()).hexdigest()[:12]
    return Path(root) / "envwright" / f"kafka-{version}"


def jars() -> Path:
    """Return the folder of the broker's jars, resolved by Maven the first time.

    Raises:
        BrokerError: Java or Maven is missing, or the jars cannot be resolved.
    """
    if shutil.which("java") is None:
        raise BrokerError("no java; install it: sudo apt-get install openjdk-17-jre-headless")
    kept = cache()
    if kept.is_dir():
        return kept
    if shutil.which("mvn") is None:
        raise BrokerError("no mvn to resolve the broker's jars; sudo apt-get install maven")
    kept.parent.mkdir(parents=True, exist_ok=True)
    coming = Path(tempfile.mkdtemp(prefix="kafka-incoming-", dir=kept.parent))
    goal = ["dependency:copy-dependencies", "-DincludeScope=runtime", f"-DoutputDirectory={coming}"]
    command = ["mvn", "-q", "-B", "-f", str(HERE / "pom.xml"), *goal]
    try:
        _run(command, "Maven could not resolve the broker's jars", timeout=_MAVEN_SECONDS)
        # Another process may have been quicker; then its folder stays.
        with contextlib.suppress(OSError):
            coming.rename(kept)
    finally:
        shutil.rmtree(coming, ignore_errors=True)
    return kept


def docker_works() -> bool:
    """Say whether an engine answers and has, or can pull, the official image."""
    if shutil.which("docker") is None:
        return False
    try:
        _run(["docker", "version"], "no engine", timeout=20)
        try:
            _run(["docker", "image", "inspect", IMAGE], "no image", timeout=20)
        except BrokerError:
            _run(["docker", "pull", "-q", IMAGE], "no image", timeout=300)
    except BrokerError:
        return False
    return True


@dataclass
class Cluster:
    """Brokers on loopback ports, each of them also a controller of the quorum."""

    folder: Path
    way: str
    ports: tuple[int, ...]
    """Port of each broker; then the port of each one's controller."""
    message_max_bytes: int = MESSAGE_BYTES
    tied: bool = False
    """Whether a broker from jars ends with the process that started it, however that ends."""
    running: dict[int, int | str] = field(default_factory=dict)
    """Process id or container of each node that was started."""

    @property
    def brokers(self) -> int:
        """How many brokers there are."""
        return len(self.ports) // 2

    @property
    def nodes(self) -> range:
        """Numbers of the nodes."""
        return range(1, self.brokers + 1)

    @property
    def bootstrap(self) -> str:
        """What a client connects to."""
        return ",".join(f"127.0.0.1:{port}" for port in self.ports[: self.brokers])

    def start(self) -> None:
        """Start every node and wait until all of them answer.

        Raises:
            BrokerError: a node ended, or does not answer in time; with the end of its log.
        """
        for node in self.nodes:
            self.start_node(node)
        for node in self.nodes:
            self.wait_for(node)

    def start_node(self, node: int) -> None:
        """Start one node, with the data that it had."""
        home = self.home(node)
        home.mkdir(parents=True, exist_ok=True)
        (home / "server.properties").write_text(self.properties(node), "utf-8")
        in_docker = self.way == "docker"
        self.running[node] = self._container(node) if in_docker else self._process(node)
        self._save()

    def properties(self, node: int) -> str:
        """Return the configuration of one node."""
        replication = min(3, self.brokers)
        controllers = self.ports[self.brokers :]
        return Template((HERE / "server.properties").read_text("utf-8")).substitute(
            node=node,
            port=self.ports[node - 1],
            controller_port=controllers[node - 1],
            voters=",".join(f"{each}@127.0.0.1:{controllers[each - 1]}" for each in self.nodes),
            data="/var/lib/kafka/data" if self.way == "docker" else str(self.home(node) / "data"),
            replication=replication,
            in_sync=max(1, replication - 1),
            message_max_bytes=self.message_max_bytes,
        )

    def wait_for(self, node: int, patience: float = PATIENCE) -> None:
        """Wait until a node answers its clients.

        Raises:
            BrokerError: it ended or took too long.
        """
        deadline = time.monotonic() + patience
        while not answers(self.ports[node - 1]):
            if not self.alive(node) or time.monotonic() > deadline:
                end = "\n".join(self.log(node).splitlines()[-15:])
                raise BrokerError(f"broker {node} in {self.home(node)} did not start:\n{end}")
            time.sleep(0.1)

    def alive(self, node: int) -> bool:
        """Say whether a node's process or container runs."""
        handle = self.running.get(node)
        if isinstance(handle, str):
            shown = ["docker", "inspect", "-f", "{{.State.Running}}", handle]
            outcome = subprocess.run(shown, capture_output=True, text=True, check=False)
            return outcome.stdout.strip() == "true"
        return handle is not None and _is_ours(handle, self.home(node))

    def signal(self, node: int, number: signal.Signals) -> None:
        """Send a signal to one node: SIGKILL, SIGSTOP, SIGCONT or SIGTERM."""
        handle = self.running[node]
        if isinstance(handle, str):
            _run(["docker", "kill", "-s", number.name, handle], f"no signal for {handle}")
        elif self.alive(node):
            os.kill(handle, number)

    def stop(self, patience: float = 20.0) -> None:
        """Stop every node; one that does not end in time is killed."""
        for node in self.nodes:
            if self.alive(node):
                self.signal(node, signal.SIGCONT)
                self.signal(node, signal.SIGTERM)
        deadline = time.monotonic() + patience
        for node in self.nodes:
            while self.alive(node) and time.monotonic() < deadline:
                self._reap(node)
                time.sleep(0.05)
            if self.alive(node):
                self.signal(node, signal.SIGKILL)
            self._reap(node)
            if isinstance(handle := self.running.pop(node, None), str):
                subprocess.run(["docker", "rm", "-f", handle], capture_output=True, check=False)
        (self.folder / "cluster.json").unlink(missing_ok=True)

    def kill(self, node: int) -> None:
        """Kill one node as a power cut would, and wait until it is gone."""
        self.signal(node, signal.SIGKILL)
        while self.alive(node):
            self._reap(node)
            time.sleep(0.02)
        self._reap(node)

    def log(self, node: int) -> str:
        """Return what a node has logged."""
        if isinstance(handle := self.running.get(node), str):
            shown = ["docker", "logs", handle]
            outcome = subprocess.run(shown, capture_output=True, text=True, check=False)
            return outcome.stdout + outcome.stderr
        path = self.home(node) / "broker.log"
        return path.read_text("utf-8", errors="replace") if path.exists() else ""

    def home(self, node: int) -> Path:
        """Return the folder of one node."""
        return self.folder / f"node-{node}"

    def _process(self, node: int) -> int:
        home = self.home(node)
        java = ["java", *_HEAP, "-cp", f"{jars()}/*"]
        config = str(home / "server.properties")
        logging = f"-Dlog4j2.configurationFile={(HERE / 'log4j2.properties').as_uri()}"
        if not (home / "data" / "meta.properties").exists():
            tool = ["kafka.tools.StorageTool", "format", "-t", _CLUSTER_ID, "-c", config]
            _run([*java, logging, *tool], f"the storage of broker {node} could not be formatted")
        tie = ["setpriv", "--pdeathsig", "TERM"] if self.tied and shutil.which("setpriv") else []
        with (home / "broker.log").open("ab") as log:
            started = subprocess.Popen(
                [*tie, *java, logging, "kafka.Kafka", config],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        # It outlives this process; nobody waits for it through this object.
        started.returncode = 0
        return started.pid

    def _container(self, node: int) -> str:
        tag = hashlib.sha256(str(self.folder).encode()).hexdigest()[:8]
        name = f"envwright-kafka-{tag}-{node}"
        subprocess.run(["docker", "start", name], capture_output=True, check=False)
        self.running[node] = name
        if not self.alive(node):
            mount = f"{self.home(node)}:/mnt/shared/config:ro"
            options = ["--network", "host", "-e", f"CLUSTER_ID={_CLUSTER_ID}", "-v", mount]
            start = ["docker", "run", "-d", "--name", name, *options, IMAGE]
            _run(start, f"broker {node} did not start in Docker")
        return name

    def _reap(self, node: int) -> None:
        """Collect the exit status of a node that this process has started itself."""
        handle = self.running.get(node)
        if isinstance(handle, int):
            with contextlib.suppress(ChildProcessError):
                os.waitpid(handle, os.WNOHANG)

    def _save(self) -> None:
        fields = {"way": self.way, "ports": self.ports, "running": self.running}
        (self.folder / "cluster.json").write_text(json.dumps(fields, indent=1), "utf-8")


def find(folder: Path) -> Cluster | None:
    """Return the cluster that was started in a folder, None where there is none."""
    try:
        fields = json.loads((folder / "cluster.json").read_text("utf-8"))
    except FileNotFoundError:
        return None
    running = {int(node): handle for node, handle in fields["running"].items()}
    return Cluster(folder, fields["way"], tuple(fields["ports"]), running=running)


def new(
    folder: Path, *, brokers: int = 1, port: int | None = None, way: str | None = None
) -> Cluster:
    """Return a cluster that is about to be started; `port` None takes free ones.

    Raises:
        BrokerError: no way of running a broker works here.
    """
    if way is None:
        way = "docker" if docker_works() else "java"
    if way == "java":
        jars()
    count = 2 * brokers
    ports = free_ports(count) if port is None else tuple(range(port, port + count))
    return Cluster(folder.absolute(), way, ports)


def free_ports(count: int) -> tuple[int, ...]:
    """Return loopback ports that are free, below those that the system gives to clients."""
    found: list[int] = []
    for port in range(20_000 + os.getpid() % 10_000, 32_000):
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        found.append(port)
        if len(found) == count:
            return tuple(found)
    raise BrokerError(f"no {count} free ports between 20000 and 32000")


def answers(port: int, host: str = "127.0.0.1") -> bool:
    """Say whether a broker answers: it is asked which API versions it speaks."""
    request = struct.pack(">hhih", 18, 0, 1, -1)
    try:
        with socket.create_connection((host, port), timeout=2) as channel:
            channel.sendall(struct.pack(">i", len(request)) + request)
            return len(channel.recv(8)) == 8
    except OSError:
        return False


def _is_ours(pid: int, home: Path) -> bool:
    """Say whether a process runs and is the broker of a node: its id may be another's by now."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2]
        command = Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False
    return stat.split()[0] != "Z" and str(home / "server.properties").encode() in command


def _run(command: Sequence[str], what: str, timeout: float = 60) -> None:
    """Run a command to its end.

    Raises:
        BrokerError: it failed or took too long; with the end of what it said.
    """
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=timeout, check=False, errors="replace"
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise BrokerError(f"{what}: {error}") from error
    if done.returncode:
        raise BrokerError(f"{what}: {(done.stdout + done.stderr).strip()[-2000:]}")


def _start(options: argparse.Namespace) -> str:
    servers = os.environ.get("KAFKA_BOOTSTRAP_SERVERS")
    if servers:
        return f"{servers}  (KAFKA_BOOTSTRAP_SERVERS is set: nothing was started)"
    cluster = find(options.folder)
    if cluster is None:
        cluster = new(options.folder, brokers=options.brokers, port=options.port, way=options.way)
    elif cluster.brokers != options.brokers:
        raise BrokerError(f"{options.folder} runs {cluster.brokers} broker(s); stop them first")
    for node in cluster.nodes:
        if not cluster.alive(node):
            cluster.start_node(node)
    for node in cluster.nodes:
        cluster.wait_for(node)
    return f"{cluster.bootstrap}  ({cluster.way}; {cluster.folder})"


def _status(options: argparse.Namespace) -> str:
    cluster = find(options.folder)
    if cluster is None:
        raise BrokerError(f"no broker was started in {options.folder}")
    lines = []
    for node in cluster.nodes:
        port = cluster.ports[node - 1]
        state = "answers" if answers(port) else "runs" if cluster.alive(node) else "is down"
        lines.append(f"broker {node}: 127.0.0.1:{port} {state} ({cluster.way})")
    return "\n".join(lines)


def _stop(options: argparse.Namespace) -> str:
    cluster = find(options.folder)
    if cluster is None:
        return f"no broker was started in {options.folder}"
    cluster.stop()
    return f"stopped; the data stays in {options.folder} until you delete it"


_COMMANDS: dict[str, Callable[[argparse.Namespace], str]] = {
    "start": _start,
    "status": _status,
    "stop": _stop,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; exit code 3 where a broker cannot be had."""
    parser = argparse.ArgumentParser(prog="broker", description=__doc__.partition("\n")[0])
    state = os.environ.get("XDG_STATE_HOME") or str(Path.home() / ".local" / "state")
    parser.add_argument("command", choices=_COMMANDS)
    parser.add_argument("--brokers", type=int, choices=(1, 3), default=1)
    parser.add_argument("--port", type=int, default=9092, help="the first of the ports")
    parser.add_argument("--folder", type=Path, default=Path(state) / "envwright" / "kafka")
    parser.add_argument("--way", choices=WAYS, help="docker where it works, else java")
    options = parser.parse_args(arguments)
    options.folder = options.folder.absolute()
    try:
        print(_COMMANDS[options.command](options))
    except BrokerError as error:
        print(f"broker: {error}", file=sys.stderr)
        return 3
    return 0


if __name__ == "__main__":
    sys.exit(main())
