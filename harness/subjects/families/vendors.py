"""The vendors' own compilers for the DPU and the IPU, which no registry carries: used where a user has them.

`dpu-upmem-dpurte-clang` is a clang with a target of its own. `popc` puts what it compiles in a container whose format is not
public, but writes assembly when asked; its layouts are read from that.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from abiprobe.harness.machines.targets import options_of
from abiprobe.harness.subjects.families.gnu import COMMON
from abiprobe.harness.subjects.subject import Family

TO_ASSEMBLY = (sys.executable, "-P", str(Path(__file__).with_name("to_assembly.py")))
DPU_NAME = "dpu-upmem-dpurte-clang"
POPC_NAME = "popc"
DPU_RUNNERS = ("dpu-lldb", "dpusim")
"""Programs that run a DPU program: the debugger, and the simulator behind it. Nothing here needs them yet."""


def find(name: str, _target: str) -> tuple[str, ...] | None:
    """Find the program of this name on PATH."""
    program = shutil.which(name)
    return (program,) if program else None


def runners(target: str) -> list[str]:
    """The vendor's programs that run code of a target, of those that are installed."""
    return [name for name in DPU_RUNNERS if target == "upmem-dpu" and shutil.which(name)]


DPU_CLANG = Family(
    DPU_NAME, options_of(DPU_NAME), COMMON, find, observers=("objects", "assembly"), assembly="dpu"
)
POPC = Family(
    POPC_NAME,
    options_of(POPC_NAME),
    (),
    find,
    prefix=TO_ASSEMBLY,
    observers=("objects", "assembly"),
    assembly="ipu",
)
VENDORS = (DPU_CLANG, POPC)
