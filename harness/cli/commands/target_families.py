"""Families of targets: those of one architecture, or of one system on it, which lists and tables show together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from abiprobe.oracles.registry import TARGETS

FAMILIES: Mapping[str, str | tuple[str, ...]] = {
    "RISC-V": "riscv",
    "x86-64": ("x86_64-sysv", "x86_64-ms", "x86_64-vfabi", "x86_64-x32"),
    "Windows": ("x86_64-windows", "aarch64-windows"),
    "i386": "i386",
    "AArch64": ("aarch64-aapcs64", "aarch64_be", "aarch64_sve", "aarch64-darwin"),
    "Arm, 32-bit": "arm-",
    "s390x": "s390x",
    "LoongArch": "loongarch",
    "PowerPC": "powerpc",
    "MIPS": "mips",
    "SPARC": "sparc",
    "WebAssembly": "wasm32",
    "BPF": "bpf",
    "CUDA (PTX)": "nvptx",
    "Graphcore IPU": "colossus",
    "UPMEM DPU": "upmem",
}
"""The beginnings of the names of each family's targets."""


def family_of(target: str) -> str:
    """The family of a target."""
    return next(family for family, beginning in FAMILIES.items() if target.startswith(beginning))


def family_names(targets: Iterable[str]) -> str:
    """The families that some targets belong to."""
    found = {family_of(target) for target in targets}
    return ", ".join(family for family in FAMILIES if family in found)


def without_model(targets: Sequence[str]) -> str:
    """Return the targets of a family that have no model, in brackets; empty if all have one."""
    found = [name for name in targets if not TARGETS[name].modelled]
    if len(found) == len(targets):
        return " (no model)"
    return f" ({len(found)} without a model)" if found else ""
