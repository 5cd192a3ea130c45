"""Drives a run in a process of its own, to be killed: `python -m support.drive HOME SPEC`."""

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from envwright.agents import (
    Faults,
    Runtime,
    RuntimeConfig,
    Stop,
    drive,
    fork_point,
    fork_run,
    open_runtime,
    read_sources,
    request_run,
    resume_run,
    run_report,
)
from envwright.agents.config import STORE_VARIABLE
from envwright.events.errors import EnvwrightError
from envwright.events.values import RunSettings
from support.desk_recipe import install
from support.desk_worker import employ


def main() -> None:
    """Request the run (or resume it, or fork another), drive it to its end, print its report."""
    patch = pytest.MonkeyPatch()
    install(patch)
    employ(patch)
    home, spec = Path(sys.argv[1]), json.loads(sys.argv[2])
    faults = Faults(max_delay=spec.get("max_delay", 0.0), seed=spec.get("fault_seed", 0))
    runtime = open_runtime(
        RuntimeConfig(
            home=home,
            store=SecretStr(os.environ.get(STORE_VARIABLE, "")),
            faults=faults,
            lease_seconds=spec.get("lease_seconds", 15.0),
            checkpoints=spec.get("checkpoints", True),
        )
    )
    try:
        run_id = _run_id(runtime, spec)
        print(run_id, flush=True)
        ending = drive(runtime, run_id, workers=spec.get("workers", 1), stop=Stop())
        print(json.dumps({"ending": ending, **run_report(runtime, run_id)}), flush=True)
    except EnvwrightError as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        sys.exit(3)
    finally:
        runtime.close()


def _run_id(runtime: Runtime, spec: dict[str, Any]) -> str:
    if "resume" in spec:
        resume_run(runtime, spec["resume"])
        return str(spec["resume"])
    if "fork" in spec:
        point = fork_point(runtime, spec["fork"], spec["at"])
        return fork_run(runtime, spec["fork"], point, spec.get("set", ()))
    settings = RunSettings(**spec["settings"])
    if "subjects" in spec:
        sources = [("subjects.json", json.dumps(spec["subjects"]).encode())]
    else:
        sources = read_sources([Path(name) for name in spec["sources"]], settings.recipe)
    return request_run(runtime, settings, sources)


if __name__ == "__main__":
    main()
