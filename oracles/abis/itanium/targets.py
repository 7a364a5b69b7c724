"""The targets whose calls of C++ are modelled."""

from __future__ import annotations

CALLS = (
    *("x86_64-sysv", "i386-sysv", "aarch64-aapcs64", "aarch64_be-aapcs64", "arm-aapcs", "arm-aapcs-vfp"),
    *("s390x", "powerpc64le-elfv2"),
    *("riscv64-lp64d", "riscv64-lp64", "riscv32-ilp32d", "riscv32-ilp32"),
)
