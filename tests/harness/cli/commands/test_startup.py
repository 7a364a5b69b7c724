"""Two nights are compared in a moment: reading journals needs no compiler, no model and no drawing."""

from __future__ import annotations

import subprocess
import sys

HEAVY = ("rich", "hypothesis", "abiprobe.oracles.registry", "abiprobe.harness.runs.session")


def test_what_compares_two_runs_loads_little() -> None:
    code = f"import sys, abiprobe.harness.cli.commands.diff; print(*(set({HEAVY}) & set(sys.modules)))"
    done = subprocess.run((sys.executable, "-c", code), capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
