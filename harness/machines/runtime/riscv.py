"""RISC-V as the runtime sees it: RV32 and RV64 for each ABI that a linker tells apart.

The processor is the same for all ABIs but E: the soft-float and single-float ones keep the registers of D, so that
what a compiler leaves there is seen too. No LP64Q: nothing here emulates Q.
"""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType

from abiprobe.harness.machines.runtime.description import OLDEST_CLANG, Machine, Slot, filed, numbered, slots
from abiprobe.oracles.text.place import Files, RegisterFile

_EMBEDDED = f"ra sp gp tp t0 t1 t2 s0 s1 {numbered('a', 0, 5)}"
_GENERAL = f"{_EMBEDDED} a6 a7 {numbered('s', 2, 11)} {numbered('t', 3, 6)}"
_FLOAT = (
    f"{numbered('ft', 0, 7)} fs0 fs1 {numbered('fa', 0, 7)} {numbered('fs', 2, 11)} {numbered('ft', 8, 11)}"
)
_FLOAT_BYTES = 8
_GNU = ("riscv64-linux-gnu-", "riscv64-unknown-elf-")
_CLANG_WITH_RVE = 18
_CLANG_WITH_V = 16
_VECTOR_BYTES = 16
"""VLEN is 128 bits, the least that the V extension allows."""


def _machine(xlen: int, abi: str) -> Machine:
    embedded = abi.endswith("e")
    # GNU ld before 2.42 and gcc before 14 know no RV64E.
    gnu = () if abi == "lp64e" else _GNU
    xbytes = xlen // 8
    state_bytes = 32 * (xbytes + _FLOAT_BYTES)
    return Machine(
        name=f"riscv{xlen}",
        abi=abi,
        pointer=xbytes,
        return_address=0,
        elf_machine=243,
        sp="sp",
        state_bytes=state_bytes,
        registers=MappingProxyType(_registers(xbytes, embedded=embedded)),
        files=_files(embedded=embedded),
        initial=bytes(state_bytes),
        steady=frozenset({"sp", "gp", "tp"}),
        # NaN boxing: a narrow floating-point value has ones above it.
        fill=0xFF,
        assembly="riscv.S",
        signals=True,
        hosts=frozenset({f"riscv{xlen}"}),
        triple=f"riscv{xlen}-linux-musl",
        flags=(
            f"-march=rv{xlen}{'emac' if embedded else 'gc'}",
            f"-mabi={abi}",
            "-mcmodel=medany",
            # lld before 15 cannot link code that was assembled to be relaxed.
            "-mno-relax",
        ),
        oldest_clang=_CLANG_WITH_RVE if embedded else OLDEST_CLANG,
        gcc=tuple(f"{prefix}gcc" for prefix in gnu),
        ld=tuple(f"{prefix}ld" for prefix in gnu),
        emulation=f"elf{xlen}lriscv",
    )


def _vector_machine() -> Machine:
    """RV64 with D and V: as without V, and the vector registers behind the others."""
    plain = _machine(64, "lp64d")
    size = plain.state_bytes + 32 * _VECTOR_BYTES
    names = numbered("v", 0, 31)
    vectors = slots(names, plain.state_bytes, _VECTOR_BYTES, _VECTOR_BYTES)
    flags = tuple("-march=rv64gcv" if flag.startswith("-march=") else flag for flag in plain.flags)
    return replace(
        plain,
        name="riscv64v",
        state_bytes=size,
        registers=MappingProxyType({**plain.registers, **vectors}),
        files=MappingProxyType({**plain.files, **filed((RegisterFile.VECTOR, names))}),
        initial=bytes(size),
        hosts=frozenset(),
        flags=flags,
        oldest_clang=_CLANG_WITH_V,
        gcc=(),
    )


def _registers(xbytes: int, *, embedded: bool) -> dict[str, Slot]:
    # The slot of x0 is unused.
    if embedded:
        return slots(_EMBEDDED, xbytes, xbytes, xbytes)
    general = slots(_GENERAL, xbytes, xbytes, xbytes)
    return general | slots(_FLOAT, 32 * xbytes, _FLOAT_BYTES, _FLOAT_BYTES)


def _files(*, embedded: bool) -> Files:
    """The files of all registers: a called function preserves s0 to s11, of which RV32E has two."""
    return filed(
        (RegisterFile.GENERAL, _EMBEDDED if embedded else _GENERAL),
        (RegisterFile.SAVED, numbered("s", 0, 1 if embedded else 11)),
        *(() if embedded else ((RegisterFile.FLOATING, _FLOAT),)),
    )


RISCV32 = _machine(32, "ilp32d")
RISCV64 = _machine(64, "lp64d")
RISCV64V = _vector_machine()

MACHINES = (
    RISCV32,
    *(_machine(32, abi) for abi in ("ilp32", "ilp32f", "ilp32e")),
    RISCV64,
    *(_machine(64, abi) for abi in ("lp64", "lp64f", "lp64e")),
    RISCV64V,
)
