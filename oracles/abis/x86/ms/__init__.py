"""x86-64 with Microsoft's calling convention on a System V system, as the attribute ms_abi asks for."""

from __future__ import annotations

from functools import partial

from msgspec.structs import replace

from abiprobe.oracles.abis.x86.data import TEXT, data_model
from abiprobe.oracles.abis.x86.ms.calls import FIRST_STACK_ARGUMENT, SHADOW, assign
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import Convention
from abiprobe.oracles.model import AbiModel, CallerFrame, Model, Preserved, RegisterConvention, Target
from abiprobe.oracles.text.clause import load_sheet
from abiprobe.oracles.text.options import LayoutOptions

cite = load_sheet(__package__).cite
NONVOLATILE = cite("registers.nonvolatile")
CONTROL_WORDS = cite("registers.control")
MXCSR_STATUS = 0x3F
"""The bits of MXCSR that are the status of past operations."""
INTEGERS = ("rbx", "rbp", "rdi", "rsi", "r12", "r13", "r14", "r15")
REGISTERS = RegisterConvention(
    (
        *(Preserved(name, NONVOLATILE) for name in INTEGERS),
        *(Preserved(f"xmm{index}", NONVOLATILE) for index in range(6, 16)),
        Preserved("x87_control", CONTROL_WORDS),
        Preserved("mxcsr", CONTROL_WORDS, free=MXCSR_STATUS),
    ),
    NONVOLATILE,
    16,
    cite("stack.alignment"),
    shadow=SHADOW,
    caller_frame=CallerFrame(cite("stack.frame"), FIRST_STACK_ARGUMENT),
)


def _model(reading: Reading | None, options: LayoutOptions) -> AbiModel:
    table = TypeTable(data_model(options), TEXT, reading, options)
    return Model(
        table,
        assign,
        convention=Convention.MS_ABI,
        wider=lambda vectors: _model(reading, replace(options, vectors=vectors)),
    )


MS = Target(
    name="x86_64-ms",
    title="x86-64 with Microsoft's calling convention (ms_abi) on System V types",
    family="x86-64",
    machine="x86_64",
    sheet="ms",
    dialects={
        "": partial(_model, None),
        "gcc": partial(_model, Reading.GCC),
        "clang": partial(_model, Reading.CLANG),
    },
    registers=REGISTERS,
)
