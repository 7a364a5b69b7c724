"""RISC-V target descriptions: ISA strings, named ABIs, object headers, code models, recognised targets."""

from __future__ import annotations

from abiprobe.oracles.abis.riscv.isa.abi import ABIS, NamedAbi, find_abi, supports
from abiprobe.oracles.abis.riscv.isa.code_model import CodeModel, reaches
from abiprobe.oracles.abis.riscv.isa.header import Header, header
from abiprobe.oracles.abis.riscv.isa.march import Isa, asks_vendor, parse_march
from abiprobe.oracles.abis.riscv.isa.recognised import RECOGNISED, Target
from abiprobe.oracles.abis.riscv.isa.written import Refused

__all__ = [
    "ABIS",
    "RECOGNISED",
    "CodeModel",
    "Header",
    "Isa",
    "NamedAbi",
    "Refused",
    "Target",
    "asks_vendor",
    "find_abi",
    "header",
    "parse_march",
    "reaches",
    "supports",
]
