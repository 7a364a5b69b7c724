"""Qualcomm Hexagon: data types, calls and register usage of the ABI User Guide."""

from __future__ import annotations

from abiprobe.oracles.abis.hexagon.calls import calls
from abiprobe.oracles.abis.hexagon.data import DOUBLEWORD, TEXT, data_model
from abiprobe.oracles.dialects import factory
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.model import CallerFrame, Preserved, RegisterConvention, Target
from abiprobe.oracles.text.clause import load_sheet

cite = load_sheet(__package__).cite
PRESERVED = cite("registers.preserved")
FRAME = cite("registers.frame")

REGISTERS = RegisterConvention(
    (*(Preserved(f"r{number}", PRESERVED) for number in range(16, 28)), Preserved("r30", FRAME)),
    FRAME,
    DOUBLEWORD,
    cite("stack.alignment"),
    caller_frame=CallerFrame(cite("stack.frame")),
)

TARGETS = (
    Target(
        name="hexagon",
        title="Qualcomm Hexagon, without vectors of HVX",
        family="Hexagon",
        machine="hexagon",
        sheet="hexagon",
        dialects={
            "": factory(data_model(None), TEXT, calls, None),
            "clang": factory(data_model(Reading.CLANG), TEXT, calls, Reading.CLANG),
        },
        registers=REGISTERS,
    ),
)
