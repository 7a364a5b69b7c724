"""RISC-V: an instruction set and a named ABI for each calling convention of the psABI."""

from __future__ import annotations

import msgspec

from abiprobe.harness.machines.targets.platform import Platform, by_triple

GNU = ("riscv64-linux-gnu-", "riscv64-unknown-elf-")
"""One program builds for both widths."""


def _platform(
    xlen: int, abi: str, isa: str = "gc", *, system: str = "linux-gnu", gcc_since: int = 0
) -> Platform:
    # lld before 15 cannot link code that was assembled to be relaxed.
    code = (f"-march=rv{xlen}{isa}", f"-mabi={abi}", "-mcmodel=medany", "-mno-relax")
    triple = f"riscv{xlen}-{system}"
    options = {"clang": by_triple(triple, *code), "gcc": code}
    hosts = frozenset({"riscv64"} if xlen == 64 else ())
    return Platform(f"riscv{xlen}-{abi}", triple, options, GNU, hosts, gcc_since=gcc_since)


def _vector_variant() -> Platform:
    """LP64D with the V extension and the calling convention for vector arguments, which gcc before 14 has not."""
    plain = _platform(64, "lp64d", "gcv", gcc_since=14)
    return msgspec.structs.replace(plain, target="riscv64-lp64d-vector")


PLATFORMS = (
    *(_platform(64, abi) for abi in ("lp64d", "lp64f", "lp64")),
    *(_platform(32, abi) for abi in ("ilp32d", "ilp32f", "ilp32")),
    _platform(32, "ilp32e", "emac", system="unknown-elf"),
    _platform(64, "lp64e", "emac", system="unknown-elf", gcc_since=14),
    _vector_variant(),
    # No compiler offers LP64Q; its types are those of LP64D, as which clang reads them.
    Platform("riscv64-lp64q", "riscv64-linux-gnu", {}),
)
