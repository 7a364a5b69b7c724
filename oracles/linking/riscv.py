"""RISC-V object files: `e_flags` and attributes (RISC-V ELF psABI, File Header and Attributes)."""

from __future__ import annotations

from abiprobe.oracles.abis.riscv.isa.header import EM_RISCV, FLOAT_ABI, RVC, RVE, TSO
from abiprobe.oracles.linking.field import (
    UNSAID,
    Attribute,
    Field,
    First,
    Flags,
    Merged,
    Rules,
    Same,
    Tags,
    numbered,
    pairs,
)
from abiprobe.oracles.text.clause import load_sheet

cite = load_sheet("abiprobe.oracles.abis.riscv.isa").cite
__all__ = ["ARCH", "ARCH_STRING", "CLASS", "EM_RISCV", "FLAGS", "RULES"]

FLAGS, ARCH, CLASS = cite("object.flags"), cite("object.arch"), cite("object.class")
FLOAT_BITS = 0x6


def tag(number: int) -> Attribute:
    """A tag with a number; a missing one is 0, in a file without attributes, too."""
    return Attribute("riscv", number, silent=0)


ARCH_STRING = Attribute("riscv", 5, missing=None)
STACK_ALIGNMENT = First((Attribute("riscv", 4, missing=None), Flags(RVE, {0: 16, RVE: 4})))
"""Bytes; the default depends on the base."""
SUFFIXES = {
    RVE: "reduced register set (e)",
    **{
        flag: f"{width}-bit floating-point registers ({letter})" if width else "general registers only"
        for (width, flag), letter in zip(FLOAT_ABI.items(), ("", "f", "d", "q"), strict=True)
    },
}
PRIVILEGED = Same(free=frozenset({0}))

RULES = Rules(
    fields=(
        Field("ABI", Flags(FLOAT_BITS | RVE), FLAGS, Same(), SUFFIXES, hidden=True),
        Field("compressed instructions", Flags(RVC), FLAGS, Merged(), {RVC: "yes"}, bits=True),
        Field("total store order", Flags(TSO), FLAGS, Merged(), {TSO: "yes"}, bits=True),
        Field("instruction set", ARCH_STRING, ARCH, Merged()),
        Field("stack alignment in bytes", STACK_ALIGNMENT, cite("object.stack-align"), Same()),
        Field("unaligned accesses", tag(6), cite("object.unaligned"), Merged(), numbered("no", "yes")),
        Field(
            "atomic ABI", tag(14), cite("object.atomic"), Same(free=frozenset({0}), pairs=pairs((1, 2), (2, 3))),
            numbered("unknown", "A6C", "A6S", "A7"),
        ),
        Field(
            "use of x3", Attribute("riscv", 16, missing=UNSAID, silent=UNSAID), cite("object.x3"),
            Same(pairs=pairs((0, 1), (0, 2), (UNSAID, 0), (UNSAID, 1), (UNSAID, 2)), open=frozenset({UNSAID})),
            {UNSAID: "not said", **numbered("fixed, purpose unknown", "global pointer", "shadow stack pointer", "temporary")},
        ),
        Field("privileged specification", tag(8), cite("object.privileged"), PRIVILEGED),
        Field("minor privileged specification", tag(10), cite("object.privileged"), PRIVILEGED),
        Field("revision of the privileged specification", tag(12), cite("object.privileged"), PRIVILEGED),
    ),
    flags_clause=FLAGS,
    tags=(Tags("riscv", cite("object.tags"), optional=range(64, 128)),),
)  # fmt: skip
