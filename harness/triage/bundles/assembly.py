"""Assembly that compilers make of a small unit, for people."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from abiprobe.harness.base import child
from abiprobe.harness.base.removal import temporary

SECONDS = 20.0
LINES = 60
"""Lines of assembly that an issue shows of one compiler."""
NOISE = re.compile(
    r"\s*\.(?!L|byte|word|long|quad|zero|2byte|4byte|8byte|half|dword|size_of)|\s*[#@;]|\.Lfunc_end\d+:|\s*$"
)
"""Directives, comments and empty lines; data stays."""


def assembly(command: Sequence[str], unit: str) -> str:
    """The assembly that a compiler writes for a unit, without directives; empty when it does not take the unit."""
    with temporary() as folder:
        source, out = Path(folder, "unit.c"), Path(folder, "unit.s")
        source.write_text(unit, "utf-8")
        done = child.run((*command, "-S", str(source), "-o", str(out)), timeout=SECONDS, scratch=Path(folder))
        if done.returncode != 0 or not out.exists():
            return ""
        text = out.read_text("utf-8", "replace")
    return plain(text)


def plain(text: str) -> str:
    """Assembly without directives and comments, at most `LINES` lines of it."""
    kept = [re.sub(r"\s+[#@] .*", "", line).rstrip() for line in text.splitlines() if not NOISE.match(line)]
    more = [f"... {len(kept) - LINES} more lines"] if len(kept) > LINES else []
    return "\n".join((*kept[:LINES], *more))
