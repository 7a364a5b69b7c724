"""`abiprobe diff --abi-breaks`: where two compilers lay out or place differently, whatever the text says."""

from __future__ import annotations

from collections.abc import Mapping

from abiprobe.harness.cli.commands.console import answers, print_json
from abiprobe.harness.machines.render.declaration import declaration
from abiprobe.harness.nights.abi_breaks import breaks
from abiprobe.results.journal.journal import Run
from abiprobe.results.report.breaks_text import breaks_json, print_breaks


def show_breaks(old: Run, new: Run, names: Mapping[str, str], form: str) -> int:
    """Print every break; 1 when there is one, 3 when nothing could be compared, else 0."""
    found = breaks(old, new, names)
    if form == "json":
        print_json(breaks_json(found, declaration))
    else:
        print_breaks(answers(), found, declaration)
    return found.status
