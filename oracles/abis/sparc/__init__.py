"""SPARC: 64-bit by the psABI of the SPARC Compliance Definition 2.4.1, 32-bit by the System V ABI supplement (`v8`)."""

from __future__ import annotations

from abiprobe.oracles.abis.sparc import v8
from abiprobe.oracles.abis.sparc.calls import calls
from abiprobe.oracles.abis.sparc.data import EXTENDED_WORD, QUADWORD, TEXT, data_model
from abiprobe.oracles.abis.sparc.parameter_array import HEADER, OUTS
from abiprobe.oracles.dialects import factory
from abiprobe.oracles.engine.reading import READINGS
from abiprobe.oracles.model import CallerFrame, Preserved, RegisterConvention, Target
from abiprobe.oracles.text.clause import load_sheet

cite = load_sheet(__package__).cite
KEPT = cite("registers.kept")

HABITS = {"unsigned_enums": True}
"""Policies in which both families depart from the text."""
REGISTERS = RegisterConvention(
    (
        *(Preserved(f"l{number}", KEPT) for number in range(8)),
        # By %i6 and %i7 the called function returns.
        *(Preserved(f"i{number}", KEPT) for number in range(6)),
    ),
    KEPT,
    QUADWORD,
    cite("stack.alignment"),
    # Where a function with variable arguments stores those that came in registers.
    shadow=OUTS * EXTENDED_WORD,
    caller_frame=CallerFrame(cite("stack.frame"), HEADER + OUTS * EXTENDED_WORD),
)


TARGETS = (
    Target(
        name="sparc64",
        title="SPARC, 64-bit, by the SPARC Compliance Definition",
        family="SPARC",
        machine="sparc64",
        sheet="scd",
        dialects={
            name: factory(data_model(reading), TEXT, calls, reading, HABITS if reading else {})
            for name, reading in READINGS.items()
        },
        registers=REGISTERS,
    ),
    *v8.TARGETS,
)
