"""clang, as an installed program."""

from __future__ import annotations

import shutil
from types import MappingProxyType

from abiprobe.harness.machines.targets import PLATFORMS, options_of
from abiprobe.harness.machines.targets.platform import is_new_enough
from abiprobe.harness.subjects import releases
from abiprobe.harness.subjects.debian import tree
from abiprobe.harness.subjects.families.gnu import CLANG_COMMON
from abiprobe.harness.subjects.subject import Family, Lowering


def find(name: str, target: str) -> tuple[str, ...] | None:
    """`clang-19` is a program on PATH, or else in the cache, from a wheel or from Debian's packages; it serves every target.

    Some targets need a later release.
    """
    about = PLATFORMS.get(target)
    if about is not None and not is_new_enough(name, about.clang_since):
        return None
    program = shutil.which(name)
    return (program,) if program else releases.program(name) or tree.program(name)


LOWERINGS = MappingProxyType(
    {
        "cir": Lowering(("-Xclang", "-fclangir"), ("-S", "-Xclang", "-emit-cir")),
        "llvmabi": Lowering(("-Xclang", "-fexperimental-abi-lowering")),
    }
)
"""Through ClangIR, and with LLVM's own ABI library in the place of clang's. A clang without ClangIR ignores its option."""

CLANG = Family("clang", options_of("clang"), CLANG_COMMON, find, any_triple=True, lowerings=LOWERINGS)
