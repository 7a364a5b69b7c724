"""The rules on object files by `e_machine`, and those that hold for every machine."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from abiprobe.oracles.linking import aarch64, arm, loongarch, mips, powerpc, riscv, s390x, sparc, x86
from abiprobe.oracles.linking.field import Answer, Common, Field, Ident, Merged, Property, Rules, Same, pairs
from abiprobe.oracles.text.clause import load_sheet

cite = load_sheet(__package__, "elf.toml").cite
MACHINE, CLASS, ORDER, KIND = cite("machine"), cite("class"), cite("byte-order"), cite("kind")
OTHER_PROPERTY = cite("property.other")

RULES: Mapping[int, Rules] = MappingProxyType(
    {
        aarch64.EM_AARCH64: aarch64.RULES,
        arm.EM_ARM: arm.RULES,
        loongarch.EM_LOONGARCH: loongarch.RULES,
        mips.EM_MIPS: mips.RULES,
        powerpc.EM_PPC: powerpc.RULES32,
        powerpc.EM_PPC64: powerpc.RULES64,
        riscv.EM_RISCV: riscv.RULES,
        s390x.EM_S390: s390x.RULES,
        sparc.EM_SPARCV9: sparc.RULES,
        x86.EM_386: x86.RULES,
        x86.EM_X86_64: x86.RULES,
    }
)

EI_OSABI, EI_ABIVERSION = 7, 8
NO_EXTENSIONS, FIRST_OF_A_MACHINE = 0, 64
UNEXTENDED = pairs(*((NO_EXTENSIONS, other) for other in range(1, FIRST_OF_A_MACHINE)))

EVERY_MACHINE = (
    Field("EI_OSABI", Ident(EI_OSABI), cite("os-abi"), Same(pairs=UNEXTENDED, otherwise=Answer.UNKNOWN), hidden=True),
    Field("EI_ABIVERSION", Ident(EI_ABIVERSION), cite("abi-version"), Same(otherwise=Answer.UNKNOWN), hidden=True),
    Field("stack size", Property(1), cite("property.stack-size"), Merged()),
    Field("no copy relocations of protected data", Property(2), cite("property.no-copy"), Common(), {1: "yes"}, bits=True),
    Field("features needed", Property(0xB0008000), cite("property.needed"), Merged(), bits=True),
)  # fmt: skip
"""The identification and the properties that any file may have."""
