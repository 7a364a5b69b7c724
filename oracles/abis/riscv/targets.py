"""The named ABIs of RISC-V as targets (RISC-V ABIs Specification, Named ABIs)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

from abiprobe.oracles.abis.riscv import convention
from abiprobe.oracles.abis.riscv.calls import calls
from abiprobe.oracles.abis.riscv.convention import FLOAT_SAVED, Convention
from abiprobe.oracles.abis.riscv.data import ILP32, LP64, LP64_VECTOR, TEXT
from abiprobe.oracles.engine.data_model import DataModel
from abiprobe.oracles.engine.reading import READINGS, Reading
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language import lang
from abiprobe.oracles.model import (
    AbiModel,
    CallerFrame,
    Model,
    Preserved,
    RegisterConvention,
    SymbolMark,
    Target,
)
from abiprobe.oracles.text.clause import citing
from abiprobe.oracles.text.options import LayoutOptions

cite, implements = citing(__package__)
PRESERVED = cite("int.preserved")
FLOAT_PRESERVED = cite("fp.preserved")
VECTOR_PRESERVED = cite("vector.preserved")
STACK_ALIGNMENT = cite("int.stack-alignment")
STACK_PERSISTENCE = cite("int.stack-persistence")
VARIANT = SymbolMark("STO_RISCV_VARIANT_CC", 0x80, "variant_cc", cite("vector.mark"))


def dialects(
    data: DataModel, abi: Convention, attribute: lang.Convention | None = None
) -> Mapping[str, Callable[[LayoutOptions], AbiModel]]:
    """Map dialects to functions that make the model of one named ABI under language options; functions have `attribute`."""

    def model(reading: Reading | None, options: LayoutOptions) -> AbiModel:
        return Model(TypeTable(data, TEXT, reading, options), calls(abi), convention=attribute)

    return {name: partial(model, reading) for name, reading in READINGS.items()}


def registers(abi: Convention) -> RegisterConvention:
    """Return the registers that a function preserves under a named ABI; of a floating-point register, at most ABI_FLEN bits."""
    integers = tuple(Preserved(name, PRESERVED) for name in abi.saved)
    floats = tuple(Preserved(name, FLOAT_PRESERVED, abi.abi_flen) for name in FLOAT_SAVED)
    kept = (*integers, *floats) if abi.abi_flen else integers
    return RegisterConvention(
        kept, PRESERVED, abi.stack_align, STACK_ALIGNMENT, caller_frame=CallerFrame(STACK_PERSISTENCE)
    )


@implements("abi.named", "abi.lp64e")
def target(abi: Convention, machine: str) -> Target:
    """The target of one named ABI."""
    # [riscv:abi.named] [riscv:abi.lp64e]
    bits = abi.xlen * 8
    return Target(
        name=f"riscv{bits}-{abi.name}",
        title=f"RISC-V RV{bits} with the {abi.name.upper()} calling convention",
        family="RISC-V",
        machine=machine,
        sheet="riscv",
        dialects=dialects(LP64 if abi.xlen == 8 else ILP32, abi),
        registers=registers(abi),
    )


@implements("vector.preserved", "vector.mark")
def vector_target() -> Target:
    """LP64D with the vector variant for every function: what the attribute `riscv_vector_cc` asks for."""
    abi = convention.LP64D
    plain = registers(abi)
    vectors = tuple(Preserved(f"v{number}", VECTOR_PRESERVED) for number in (*range(1, 8), *range(24, 32)))

    return Target(
        name="riscv64-lp64d-vector",
        title="RISC-V RV64 LP64D with the standard vector calling convention variant",
        family="RISC-V",
        machine="riscv64v-lp64d",
        sheet="riscv",
        dialects=dialects(LP64_VECTOR, abi, lang.Convention.RISCV_VECTOR),
        # [riscv:vector.mark]
        registers=replace(plain, preserved=(*plain.preserved, *vectors), mark=VARIANT),
    )


TARGETS = (
    target(convention.LP64D, "riscv64"),
    target(convention.LP64F, "riscv64-lp64f"),
    target(convention.LP64, "riscv64-lp64"),
    target(convention.ILP32D, "riscv32-ilp32d"),
    target(convention.ILP32F, "riscv32-ilp32f"),
    target(convention.ILP32, "riscv32-ilp32"),
    target(convention.ILP32E, "riscv32-ilp32e"),
    target(convention.LP64E, "riscv64-lp64e"),
    # No compiler has LP64Q and no emulator Q: the model answers, and nobody can be asked.
    target(convention.LP64Q, ""),
    vector_target(),
)
