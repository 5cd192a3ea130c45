"""Replays a package's reference in a process of its own and prints one JSON line of digests.

Run as `python -m envwright.sandbox.attempts FOLDER SEED`.
"""

import json
import sys
from pathlib import Path

from envwright.events.errors import EnvwrightError
from envwright.sandbox.attempts.rerun import replay_calls
from envwright.sandbox.packages import Bundle


def main(folder: str, seed: str) -> int:
    """Print the summary of the reference's rerun; return the exit code (2 for a bad package)."""
    try:
        bundle = Bundle.read(Path(folder))
        rerun = replay_calls(bundle, int(seed), bundle.solution.calls)
    except EnvwrightError as error:
        sys.stderr.write(f"{type(error).__name__}: {error}\n")
        return 2
    summary = {"revision": bundle.revision, **rerun.summary()}
    sys.stdout.write(json.dumps(summary, sort_keys=True) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
