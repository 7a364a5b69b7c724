"""The machines whose files are known, and what is told and judged of any."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType

import msgspec

from abiprobe.harness.machines.elf_facts import dpu, riscv
from abiprobe.harness.machines.elf_facts.elf import ObjectFile
from abiprobe.harness.machines.elf_facts.facts import Fact, Trouble
from abiprobe.oracles.abis.dpu.elf import EM_DPU
from abiprobe.oracles.abis.riscv.isa.header import EM_RISCV

EM_GRAPHCORE_IPU = 248
"""The number that is registered for it; the document of the IPU gives none."""


def none_of_a_file(_found: ObjectFile) -> Iterator[Fact]:
    """No target: files of the machine say nothing of the ABI but the class."""
    yield from ()


def no_trouble(_found: ObjectFile) -> Iterator[Trouble]:
    """No troubles: the document of the machine asks nothing of a file."""
    yield from ()


def no_refusal(_one: ObjectFile, _other: ObjectFile) -> Iterator[Trouble]:
    """No refusal: any files of the machine may be linked together."""
    yield from ()


class Machine(msgspec.Struct, frozen=True):
    """A machine by its `e_machine`: its name, the targets of its files, and what is to be said of them."""

    name: str
    targets: Callable[[ObjectFile], str]
    facts: Callable[[ObjectFile], Iterator[Fact]] = none_of_a_file
    troubles: Callable[[ObjectFile], Iterator[Trouble]] = no_trouble
    refusals: Callable[[ObjectFile, ObjectFile], Iterator[Trouble]] = no_refusal


def _riscv_target(found: ObjectFile) -> str:
    return f"riscv{found.elf_class}-{riscv.named_abi(found)}"


def _x86_64_target(found: ObjectFile) -> str:
    return "x86_64-sysv" if found.elf_class == 64 else "x86-64 with 32-bit pointers (x32), which has no model"


_MIPS_N32, _MIPS_ABI, _MIPS_O32 = 0x20, 0xF000, 0x1000


def _mips_target(found: ObjectFile) -> str:
    if not found.little_endian:
        return "big-endian MIPS, which is no target"
    if found.elf_class == 64:
        return "mips64el-n64"
    # EF_MIPS_ABI2 marks n32, and a field of the flags o32.
    if found.flags & _MIPS_N32:
        return "mips64el-n32"
    return "mipsel-o32" if found.flags & _MIPS_ABI == _MIPS_O32 else "another MIPS, which is no target"


def _loongarch_target(found: ObjectFile) -> str:
    # The base ABI modifier (laelf, File Header): 1 is soft, 2 single, 3 double.
    base = (
        {1: "loongarch64-lp64s", 2: "loongarch64-lp64f", 3: "loongarch64-lp64d"}
        if found.elf_class == 64
        else {1: "loongarch32-ilp32s", 3: "loongarch32-ilp32d"}
    )
    return base.get(found.flags & 7, "LoongArch of another base ABI, which has no model")


def _arm_target(found: ObjectFile) -> str:
    # Which variant it is stands in its build attributes, which only those of RISC-V are read of.
    return "arm-aapcs or arm-aapcs-vfp" if found.little_endian else "big-endian Arm, which has no model"


MACHINES: Mapping[int, Machine] = MappingProxyType(
    {
        3: Machine("Intel 80386", lambda _found: "i386-sysv"),
        8: Machine("MIPS", _mips_target),
        20: Machine("PowerPC", lambda _found: "powerpc-sysv"),
        21: Machine(
            "64-bit PowerPC",
            lambda found: "powerpc64le-elfv2" if found.little_endian else "powerpc64-elfv1",
        ),
        22: Machine(
            "IBM S/390", lambda found: "s390x" if found.elf_class == 64 else "s390, which has no model"
        ),
        40: Machine("Arm", _arm_target),
        43: Machine("SPARC V9", lambda _found: "sparc64"),
        62: Machine("AMD x86-64", _x86_64_target),
        183: Machine(
            "AArch64", lambda found: "aarch64-aapcs64" if found.little_endian else "aarch64_be-aapcs64"
        ),
        190: Machine("NVIDIA CUDA", lambda _found: "nvptx64-cuda"),
        247: Machine(
            "BPF", lambda found: "bpf" if found.little_endian else "big-endian BPF, which is no target"
        ),
        258: Machine("LoongArch", _loongarch_target),
        EM_GRAPHCORE_IPU: Machine("Graphcore IPU", lambda _found: "colossus-ipu or colossus-ipu-supervisor"),
        EM_RISCV: Machine("RISC-V", _riscv_target, riscv.facts, riscv.troubles, riscv.refusals),
        EM_DPU: Machine("UPMEM DPU", lambda _found: "upmem-dpu", dpu.facts, dpu.troubles, dpu.refusals),
    }
)
"""By `e_machine`."""


def refusals(one: ObjectFile, other: ObjectFile) -> Iterator[Trouble]:
    """Why two files may not be linked together; nothing if they may."""
    for name, first, second in (
        ("machines", MACHINES[one.machine].name, MACHINES[other.machine].name),
        ("classes", f"ELF{one.elf_class}", f"ELF{other.elf_class}"),
        ("byte orders", order(one), order(other)),
    ):
        if first != second:
            yield Trouble(f"their {name} differ: {first} and {second}")
    if one.machine == other.machine:
        yield from MACHINES[one.machine].refusals(one, other)


def order(found: ObjectFile) -> str:
    """The byte order in a word."""
    return "little-endian" if found.little_endian else "big-endian"
