"""32-bit SPARC (V8): the SPARC Processor Supplement of the System V ABI, as far as its sentences were read."""

from __future__ import annotations

from abiprobe.oracles.abis.sparc.v8.calls import calls
from abiprobe.oracles.abis.sparc.v8.data import DOUBLEWORD, TEXT, WORD, data_model
from abiprobe.oracles.abis.sparc.v8.parameter_array import HEADER, OUTS
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
    DOUBLEWORD,
    cite("stack.alignment"),
    # Where a function with variable arguments stores those that came in registers.
    shadow=OUTS * WORD,
    caller_frame=CallerFrame(cite("stack.frame"), HEADER + OUTS * WORD),
)


TARGETS = (
    Target(
        name="sparc-sysv",
        title="SPARC, 32-bit (V8), by the System V ABI supplement, as it is quoted",
        family="SPARC",
        machine="sparc",
        sheet="sparc32",
        dialects={
            name: factory(data_model(reading), TEXT, calls, reading, HABITS if reading else {})
            for name, reading in READINGS.items()
        },
        registers=REGISTERS,
    ),
)
