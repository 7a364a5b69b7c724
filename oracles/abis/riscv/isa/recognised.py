"""Targets that RISC-V compilers name: an instruction set, an ABI and a code model."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import msgspec

from abiprobe.oracles.abis.riscv.isa.abi import ABIS, NamedAbi, supports
from abiprobe.oracles.abis.riscv.isa.code_model import CodeModel
from abiprobe.oracles.abis.riscv.isa.march import Isa, parse_march
from abiprobe.oracles.abis.riscv.isa.written import Refused
from abiprobe.oracles.text.place import Unspecified


class Target(msgspec.Struct, frozen=True):
    """A recognised target. `march` is as its users write it; `remark` says what they must know."""

    name: str
    march: str
    abi: NamedAbi
    code_model: CodeModel = CodeModel.MEDANY
    remark: str = ""

    @property
    def isa(self) -> Isa:
        """The instruction set of `march`."""
        isa = parse_march(self.march)
        assert isinstance(isa, Isa), isa
        return isa

    @property
    def fault(self) -> Refused | Unspecified | None:
        """The reason why the instruction set cannot carry the ABI; `None` if it can."""
        return supports(self.isa, self.abi)


def _recognised() -> Mapping[str, Target]:
    rows = (
        Target(
            "riscv32-riscemu",
            "rv32ima",
            ABIS["ilp32"],
            remark="xDSL writes RV32IMA_Zto: no extension is named Zto, and Ztso is a memory model that the "
            "emulator, which runs one hart in order, neither needs nor declares; so the plain RV32IMA stands in",
        ),
        Target("riscv64-linux", "rv64gc", ABIS["lp64d"], remark="the Linux distributions add C to RV64G"),
        Target(
            "snitch",
            "rv32imafd_xssr_xfrep_xdma",
            ABIS["ilp32d"],
            remark="Xssr, Xfrep and Xdma are vendor extensions that upstream clang and gas do not know",
        ),
    )
    return MappingProxyType({row.name: row for row in rows})


RECOGNISED = _recognised()
