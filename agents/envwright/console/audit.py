"""The command `audit`: whether the log is whole and what it admitted was earned; seals, proofs."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from envwright.agents import Runtime, RuntimeConfig
from envwright.agents.audit import Question
from envwright.agents.audit import audit as judge
from envwright.agents.bootstrap import check_proof, open_evidence, own_key, trusted_keys
from envwright.console.exits import Exit
from envwright.console.home import known_home
from envwright.console.identity import find_run
from envwright.console.options import HomeOption, JsonOption
from envwright.console.pages.audit import audit_page
from envwright.console.report.audit_file import check_place, write_audit
from envwright.console.terminal import measuring, notice, print_json, print_page
from envwright.events.canonical import Json
from envwright.events.errors import BadInputError

RunOption = Annotated[
    str | None,
    typer.Argument(
        metavar="[RUN]", help="Id of a run, or its unique beginning; without one, the whole home."
    ),
]
ReportOption = Annotated[
    Path | None,
    typer.Option(
        "--report",
        metavar="FILE",
        dir_okay=False,
        help="Write the report here as one HTML page, with a signed JSON file beside it.",
    ),
]
KeyOption = Annotated[
    list[str] | None,
    typer.Option(
        "--key",
        metavar="PUB",
        help="Public key to trust: a file, PEM or 64 hex digits. May be repeated.",
        show_default="your own",
    ),
]
AnchorsOption = Annotated[
    str | None,
    typer.Option(
        "--anchors",
        metavar="PLACE",
        help="File, folder or URL of the anchors.",
        show_default="ENVWRIGHT_ANCHORS or a file in your state folder",
    ),
]
StrictOption = Annotated[
    bool, typer.Option("--require-anchored", help="Fail if an event is under no anchor.")
]
ProofOption = Annotated[
    Path | None,
    typer.Option("--out", metavar="FILE", dir_okay=False, help="Write the proof here."),
]
EventArgument = Annotated[
    str | None, typer.Argument(metavar="[EVENT]", help="Id of an event, or its position.")
]
GrowthOption = Annotated[
    tuple[int, int] | None,
    typer.Option(
        "--consistency",
        metavar="A B",
        help="Prove that checkpoint B only added to what checkpoint A held.",
    ),
]
ProofArgument = Annotated[
    Path, typer.Argument(metavar="PROOF", help="A proof, or the .sig file of a report.")
]
HexOption = Annotated[bool, typer.Option("--hex", help="Print it as 64 hex digits, not as PEM.")]


class AuditGroup(TyperGroup):
    """The commands of `audit`; what names none of them is the run to audit."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put in the name of the audit itself where none is given."""
        if not args or (args[0] not in self.commands and args[0] != "--help"):
            args = ["check", *args]
        return super().parse_args(ctx, args)


def check(
    run: RunOption = None,
    report: ReportOption = None,
    key: KeyOption = None,
    anchors: AnchorsOption = None,
    require_anchored: StrictOption = False,
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Check that nothing in the log was changed, and that each admission was earned.

    Every byte of every event, the Merkle tree under every signed checkpoint, every anchor and
    artifact; then who wrote what, in answer to what, and for each admitted package that its whole
    gate set passed on the admitted revision before it was admitted. Projections are not trusted.

    Events after the last anchor are reported as unanchored, not as proved.

    Exit codes: 0 all is well, 1 a check failed, with the events that it failed at.

    Examples:
      envwright audit run-01997f3c5a7e --report audit.html
      envwright audit --key auditor.pub --anchors anchors.jsonl --require-anchored --json
    """
    if report is not None:
        check_place(report)
    with known_home(home) as runtime:
        run_id = None if run is None else _run_id(runtime, run)
        question = Question(run_id, require_anchored)
        found = _audited(runtime, question, key or [], anchors)
    if report is not None:
        for path in write_audit(report, found):
            notice(f"written: {path}")
    if as_json:
        print_json(found)
    else:
        print_page(*audit_page(found))
    raise typer.Exit(Exit.DONE if found["ok"] else Exit.CHECK_FAILED)


def seal(
    anchors: AnchorsOption = None, home: HomeOption = None, as_json: JsonOption = False
) -> None:
    """Sign a checkpoint of all that the log holds, and copy it to the anchors.

    This happens by itself when a run ends. Where there is nothing new the last one stands.

    Examples:
      envwright audit seal
      envwright audit seal --anchors /mnt/elsewhere/anchors.jsonl
    """
    with known_home(home) as runtime, open_evidence(_config(runtime, anchors)) as evidence:
        record = evidence.sealer.seal()
        if record is None:
            raise BadInputError("the log is empty; there is nothing to seal")
        evidence.sealer.publish()
        place = evidence.anchors().location
    if as_json:
        print_json({**record, "anchors": place})
    else:
        notice(
            f"checkpoint {record['number']} up to position {record['to']}, signed with key "
            f"{record['key']}, is anchored in {place}"
        )


def key(as_hex: HexOption = False, as_json: JsonOption = False) -> None:
    """Print your public key, for whoever is to check what you sign; it is made at first need.

    Give it to auditors by a way of its own: in the home it would prove nothing.

    Examples:
      envwright audit key > auditor.pub
      envwright audit key --hex
    """
    own = own_key()
    if as_json:
        print_json({"key": own.id, "pem": own.public_pem(), "hex": own.public_hex()})
    else:
        typer.echo(own.public_hex() if as_hex else own.public_pem(), nl=as_hex)


def prove(
    event: EventArgument = None,
    consistency: GrowthOption = None,
    out: ProofOption = None,
    home: HomeOption = None,
) -> None:
    """Make a small file that proves an event is in the log, or that the log only grew.

    Whoever has your public key can check it without the log: `envwright audit verify`.

    Examples:
      envwright audit prove 01997f3c-5a7e-7000-8000-1b9af4795074 --out proof.json
      envwright audit prove --consistency 3 7 --out growth.json
    """
    if (event is None) == (consistency is None):
        raise BadInputError("say what to prove: an EVENT, or --consistency with two checkpoints")
    with known_home(home) as runtime, open_evidence(runtime.config) as evidence:
        if consistency is not None:
            proof = evidence.prover.consistency(*consistency)
        else:
            proof = evidence.prover.inclusion(str(event))
    if out is None:
        print_json(dict(proof))
        return
    try:
        out.write_text(json.dumps(proof, indent=2) + "\n", encoding="ascii")
    except OSError as error:
        raise BadInputError(f"cannot write {out}: {error.strerror}; name another file") from error
    notice(f"written: {out}")


def verify(proof: ProofArgument, key: KeyOption = None, as_json: JsonOption = False) -> None:
    """Check a proof, or the signature of a report, with nothing but a public key.

    Needs no home. A report's .sig file stands beside the report that it signs.

    Exit codes: 0 it proves what it says, 1 it does not, with what is wrong.

    Examples:
      envwright audit verify proof.json --key auditor.pub
      envwright audit verify audit.json.sig --key auditor.pub
    """
    try:
        record = json.loads(proof.read_bytes())
    except (OSError, ValueError) as error:
        raise BadInputError(f"cannot read {proof}: {error}; expected a JSON file") from error
    if not isinstance(record, dict):
        raise BadInputError(f"{proof} is no proof; expected a JSON object")
    keys = trusted_keys(key or [])
    if not keys:
        raise BadInputError("no public key; give --key, as `envwright audit key` printed it")
    proved = check_proof(record, keys, lambda name: _beside(proof, name))
    if as_json:
        print_json({"ok": True, "kind": record["kind"], "proves": proved})
    else:
        typer.echo(proved)


def _beside(proof: Path, name: str) -> bytes:
    path = proof.parent / Path(name).name
    try:
        return path.read_bytes()
    except OSError as error:
        raise BadInputError(f"the report {path} cannot be read: {error.strerror}") from error


def _run_id(runtime: Runtime, text: str) -> str:
    # A log that cannot be read all through is to be audited all the same.
    return text if runtime.log.version(f"run/{text}") else find_run(runtime, text)


def _config(runtime: Runtime, anchors: str | None) -> RuntimeConfig:
    config = runtime.config
    return config if anchors is None else config.model_copy(update={"anchors": anchors})


def _audited(
    runtime: Runtime, question: Question, given: list[str], anchors: str | None
) -> dict[str, Json]:
    keys = trusted_keys(given, runtime.config.home)
    with open_evidence(_config(runtime, anchors)) as evidence:
        if not keys and evidence.has_seals():
            raise BadInputError(
                "the log is sealed, and you have no key of your own to check that with; give "
                "--key with the public key of whoever sealed it"
            )
        with measuring("events verified") as count:
            gathered = evidence.gather(keys, progress=count)
        found = judge(runtime.log, gathered, question)
    return {**found, "keys": sorted(keys), "own_key": not given}


audit = typer.Typer(cls=AuditGroup, rich_markup_mode="rich")

AUDIT: tuple[Callable[..., None], ...] = (check, seal, key, prove, verify)
"""What `audit` can do; `check` is what it does where nothing else is said."""

ABOUT_AUDIT = """Check that nothing in the log was changed and that each admission was earned.

`envwright audit [RUN]` is the audit itself, `check`; its options are --report FILE, --key PUB,
--anchors PLACE, --require-anchored, --home DIR and --json, told in full by
`envwright audit check --help`. The other commands seal the log, and make and check proofs.

Examples:
  envwright audit run-01997f3c5a7e --report audit.html
  envwright audit --require-anchored --key auditor.pub --json
  envwright audit prove 01997f3c-5a7e-7000-8000-1b9af4795074 --out proof.json
"""
