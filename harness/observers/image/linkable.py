"""Attribution of failed links: the runtime may not fit what the compiler makes, or may not link at all.

The runtime is built for one variant of a machine. A compiler that is told to build for another one is right, and so is a linker
that does not put the two together: nothing is observed, and nobody is to blame.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from abiprobe.harness.base import child
from abiprobe.harness.machines.runtime.build import TABLE, link, link_apart, small_object
from abiprobe.harness.machines.workbench import Bench
from abiprobe.harness.observers.attempt import Attempt, Failed
from abiprobe.harness.subjects.compile import error_line
from abiprobe.results.verdicts.record import Outcome

OF_A_SYMBOL = re.compile(
    rb"undefined|unresolved|duplicate|multiple definition|relocat|out of range|overflow|truncated|not found",
    re.IGNORECASE,
)
"""A linker's words about what is in an object file, rather than of the machine that it is for."""
UNLIKE = "what the compiler builds for cannot be linked with abiprobe's image"
NO_FUNCTIONS = f"void (*const {TABLE}[])(void) = {{ 0 }};\n"


def not_linkable(attempt: Attempt, bench: Bench, units: Sequence[Path], done: child.Exit) -> Failed | None:
    """Return why a link failed if that is none of the compiler's doing, else `None`."""
    if not runtime_links(attempt, bench):
        words = error_line(done.stderr.replace(f"{attempt.folder}/".encode(), b""))
        return Failed(Outcome.NOT_RUN, f"abiprobe's own runtime cannot be linked here: {words}")
    if done.stopped or done.signal or OF_A_SYMBOL.search(done.stderr):
        return None
    alone = link_apart(units, attempt.scratch(".o"), bench.trusted)
    if not alone.ok:
        return None
    return Failed(Outcome.UNSUPPORTED, f"{UNLIKE}: {of_machines(done, attempt, bench, units)}")


def runtime_links(attempt: Attempt, bench: Bench) -> bool:
    """Return whether the runtime links with a unit of no functions that the trusted compiler makes."""
    unit = small_object(bench.machine, bench.trusted, "nothing", NO_FUNCTIONS)
    return link((unit,), bench.runtime, attempt.scratch(".elf"), bench.trusted).ok


def of_machines(done: child.Exit, attempt: Attempt, bench: Bench, units: Sequence[Path]) -> str:
    """Return what a linker says of two machines, with our names for the files."""
    text = done.stderr
    names = {str(path): "the image" for path in bench.runtime} | {
        str(path): "the compiler's file" for path in units
    }
    for path, name in names.items():
        text = text.replace(path.encode(), name.encode())
    return error_line(text.replace(f"{attempt.folder}/".encode(), b""))
