"""The vendors' own compilers for the DPU and the IPU, which no registry carries: used where a user has them.

`dpu-upmem-dpurte-clang` is a clang with a target of its own. `popc` puts what it compiles in a container whose format is not
public, but writes assembly when asked; its layouts are read from that.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from abiprobe.harness.toolchains.gnu import COMMON
from abiprobe.harness.toolchains.subject import Family

TO_ASSEMBLY = (sys.executable, "-P", str(Path(__file__).with_name("to_assembly.py")))
DPU_NAME = "dpu-upmem-dpurte-clang"
POPC_NAME = "popc"
DPU_RUNNERS = ("dpu-lldb", "dpusim")
"""What runs a DPU program: the debugger, and the simulator behind it. Nothing here needs them yet."""


def find(name: str, _target: str) -> tuple[str, ...] | None:
    """The program of this name."""
    program = shutil.which(name)
    return (program,) if program else None


def runners(target: str) -> list[str]:
    """The vendor's programs that run code of a target, of those that are installed."""
    return [name for name in DPU_RUNNERS if target == "upmem-dpu" and shutil.which(name)]


DPU_CLANG = Family(DPU_NAME, {"upmem-dpu": ()}, COMMON, find, assembly="dpu")
POPC = Family(
    POPC_NAME,
    {
        "colossus-ipu": ("--target=ipu2",),
        "colossus-ipu-supervisor": ("--target=ipu2", "-msupervisor"),
    },
    (),
    find,
    prefix=TO_ASSEMBLY,
    assembly="ipu",
)
VENDORS = (DPU_CLANG, POPC)
