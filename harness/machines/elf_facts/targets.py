"""The targets of files, by class, byte order, flags and attributes."""

from __future__ import annotations

from abiprobe.harness.machines.elf_facts import riscv
from abiprobe.harness.machines.elf_facts.elf import ObjectFile
from abiprobe.harness.machines.elf_facts.values import value_of
from abiprobe.oracles.linking import arm, mips, powerpc


def riscv_target(found: ObjectFile) -> str:
    """A target of RISC-V."""
    return f"riscv{found.elf_class}-{riscv.named_abi(found)}"


def x86_64_target(found: ObjectFile) -> str:
    """A target of x86-64."""
    return "x86_64-sysv" if found.elf_class == 64 else "x86_64-x32"


def mips_target(found: ObjectFile) -> str:
    """A target of MIPS, by byte order and ABI."""
    targets = (
        {mips.N64: "mips64el-n64", mips.N32: "mips64el-n32", mips.O32: "mipsel-o32"}
        if found.little_endian
        else {mips.N64: "mips64-n64", mips.O32: "mips-o32"}
    )
    abi = value_of(mips.ABI_PLACE, found)
    return targets.get(abi if isinstance(abi, int) else 0, "another MIPS, which is no target")


def aarch64_target(found: ObjectFile) -> str:
    """A target of AArch64."""
    if found.elf_class == 64:
        return "aarch64-aapcs64" if found.little_endian else "aarch64_be-aapcs64"
    return "aarch64_ilp32-aapcs64" if found.little_endian else "big-endian ILP32, which is no target"


def loongarch_target(found: ObjectFile) -> str:
    """A target of LoongArch, by the base ABI modifier (laelf, File Header): 1 is soft, 2 single, 3 double."""
    base = (
        {1: "loongarch64-lp64s", 2: "loongarch64-lp64f", 3: "loongarch64-lp64d"}
        if found.elf_class == 64
        else {1: "loongarch32-ilp32s", 3: "loongarch32-ilp32d"}
    )
    return base.get(found.flags & 7, "LoongArch of another base ABI, which has no model")


def arm_target(found: ObjectFile) -> str:
    """A target of Arm, as far as the attributes give the variant."""
    if not found.little_endian:
        return "big-endian Arm, which has no model"
    match value_of(arm.ARGUMENTS, found):
        case arm.BASE:
            return "arm-aapcs"
        case arm.VFP:
            return "arm-aapcs-vfp"
        case _:
            return "arm-aapcs or arm-aapcs-vfp"


def power64_target(found: ObjectFile) -> str:
    """A target of 64-bit PowerPC, by byte order and version of the ABI."""
    match value_of(powerpc.VERSION, found), found.little_endian:
        case 1, False:
            return "powerpc64-elfv1"
        case 2, True:
            return "powerpc64le-elfv2"
        case 1, True:
            return "little-endian ELFv1, which is no target"
        case 2, False:
            return "big-endian ELFv2, which is no target"
        case _, little:
            return f"ELFv1 or ELFv2, {'little' if little else 'big'}-endian: the file does not say which"
