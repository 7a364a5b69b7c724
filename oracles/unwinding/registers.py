"""The registers of each machine in call frame information: their numbers, and the state at a function's entry."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from abiprobe.oracles.text.clause import load_sheet


@dataclass(frozen=True)
class Unwinding:
    """The numbers in DWARF of a machine's registers by their ABI names, as `clause` gives them.

    `link` names the register that holds the return address at entry; where there is none, it is on top of the stack. The CFA
    is `above` bytes above the stack pointer at the call site, by the clause `cfa` if the text of the ABI says so. What lies
    more than `red_zone` bytes below the stack pointer is lost by the clause `below`, and by none where that is empty. A register
    without a rule has the same value as in the previous frame, by the clause `default`; where that is empty, no text says so and
    compilers do. `parts` gives registers that have no number, and the register of which they are a part,
    `older` other numbers that registers had before. `entry` names the register that holds the address of a function when it is entered,
    `sign` the clause by which rows say whether a return address is signed.
    """

    numbers: Mapping[str, int] = field(hash=False)
    clause: str
    link: str = ""
    above: int = 0
    cfa: str = ""
    red_zone: int = 0
    below: str = ""
    default: str = ""
    parts: Mapping[str, str] = field(default_factory=dict, hash=False)
    older: Mapping[int, int] = field(default_factory=dict, hash=False)
    entry: str = ""
    sign: str = ""


def row(first: int, *names: str) -> dict[str, int]:
    """Registers whose numbers follow one another."""
    return {name: first + index for index, name in enumerate(names)}


def named(prefix: str, first: int, end: int) -> tuple[str, ...]:
    """Registers in a row by their names."""
    return tuple(f"{prefix}{number}" for number in range(first, end))


X86, ARM = load_sheet(__package__, "x86.toml"), load_sheet(__package__, "arm.toml")
RISCV, S390X = load_sheet(__package__, "riscv.toml"), load_sheet(__package__, "s390x.toml")
POWERPC = load_sheet(__package__, "powerpc.toml")
X86_64 = Unwinding(
    row(0, "rax", "rdx", "rcx", "rbx", "rsi", "rdi", "rbp", "rsp", *named("r", 8, 16)),
    X86.cite("registers.x86-64"),
    red_zone=128,
    below=X86.cite("red-zone"),
)
I386 = Unwinding(row(0, "eax", "ecx", "edx", "ebx", "esp", "ebp", "esi", "edi"), X86.cite("registers.i386"))
AARCH64 = Unwinding(
    {**row(0, *named("x", 0, 31), "sp"), **row(64, *named("v", 0, 32))},
    ARM.cite("registers.aarch64"),
    link="x30",
    below=ARM.cite("inactive.aarch64"),
    sign=ARM.cite("sign"),
    default=ARM.cite("default"),
)
ARM32 = Unwinding(
    {**row(0, *named("r", 0, 13), "sp", "lr"), **row(256, *named("d", 0, 32))},
    ARM.cite("registers.arm"),
    link="lr",
    below=ARM.cite("inactive.arm"),
    default=ARM.cite("default"),
    parts={f"s{number}": f"d{number // 2}" for number in range(32)},
    older={256 + number: 64 + 2 * number for number in range(16)},
)
RISCV_UNWINDING = Unwinding(
    {
        # Neither gp nor tp: nothing changes them.
        **row(1, "ra", "sp"),
        **row(5, "t0", "t1", "t2", "s0", "s1", *named("a", 0, 8), *named("s", 2, 12), *named("t", 3, 7)),
        **row(
            32, *named("ft", 0, 8), "fs0", "fs1", *named("fa", 0, 8), *named("fs", 2, 12), *named("ft", 8, 12)
        ),
    },
    RISCV.cite("registers"),
    link="ra",
    below=RISCV.cite("persistence"),
)
S390X_UNWINDING = Unwinding(
    {
        **row(0, *named("r", 0, 16)),
        **row(16, *(f"f{number}" for first in (0, 1, 8, 9) for number in range(first, first + 8, 2))),
    },
    S390X.cite("registers"),
    link="r14",
    above=160,
    cfa=S390X.cite("cfa"),
    default=S390X.cite("default"),
)
PPC64LE = Unwinding(
    {
        # Neither r2 nor r13: nothing changes them. What v20 to v31 and fields of CR hold, Unicorn does not tell.
        **row(0, "r0", "r1"),
        **row(3, *named("r", 3, 13)),
        **row(14, *named("r", 14, 32)),
        **row(32, *named("f", 0, 32)),
        "lr": 65,
    },
    POWERPC.cite("registers"),
    link="lr",
    red_zone=512,
    below=POWERPC.cite("protected-zone"),
    entry="r12",
)
UNWINDING: Mapping[str, Unwinding] = {
    "x86_64": X86_64,
    "i386": I386,
    "aarch64": AARCH64,
    "aarch64_be": AARCH64,
    "arm": ARM32,
    "riscv64": RISCV_UNWINDING,
    "riscv32": RISCV_UNWINDING,
    "s390x": S390X_UNWINDING,
    "ppc64le": PPC64LE,
}
"""By the name of the machine."""
DEBUGGED: Mapping[str, Mapping[str, int]] = {
    "x86_64": {**X86_64.numbers, **row(17, *named("xmm", 0, 16))},
    "aarch64": AARCH64.numbers,
    "riscv64": {"gp": 3, "tp": 4, **RISCV_UNWINDING.numbers},
}
"""The registers of machines in debug information, those among them that have no column in tables."""
