"""64-bit PowerPC, big-endian: the 64-bit PowerPC ELF ABI supplement, with `long double` in the IBM format."""

from __future__ import annotations

from abiprobe.oracles.abis.powerpc.doublewords import DOUBLEWORD, QUADWORD, SMALLEST_AREA
from abiprobe.oracles.abis.powerpc.elfv1.calls import HEADER, calls
from abiprobe.oracles.abis.powerpc.elfv1.data import data_model, text
from abiprobe.oracles.abis.powerpc.preserved import preserved
from abiprobe.oracles.dialects import factory
from abiprobe.oracles.engine.reading import READINGS
from abiprobe.oracles.model import CallerFrame, KeptWord, RegisterConvention, Target
from abiprobe.oracles.text.clause import load_sheet

cite = load_sheet(__package__).cite
PRESERVED = cite("registers.preserved")

HABITS = {"unsigned_enums": True, "bit_units_of_types": True}
"""Policies in which both families depart from the text."""
REGISTERS = RegisterConvention(
    preserved(PRESERVED, cite("registers.preserved-floating"), cite("registers.preserved-vector")),
    PRESERVED,
    QUADWORD,
    cite("stack.alignment"),
    # Where a function saves CR and LR: behind the back chain of its caller's frame.
    shadow=2 * DOUBLEWORD,
    caller_frame=CallerFrame(
        cite("stack.frame"), HEADER + SMALLEST_AREA, (KeptWord(0, DOUBLEWORD, cite("stack.header")),)
    ),
)


TARGETS = (
    Target(
        name="powerpc64-elfv1",
        title="PowerPC, 64-bit, big-endian, by the 64-bit PowerPC ELF ABI supplement (ELFv1)",
        family="PowerPC",
        machine="ppc64",
        sheet="elfv1",
        dialects={
            name: factory(data_model(reading), text(), calls, reading, HABITS if reading else {})
            for name, reading in READINGS.items()
        },
        registers=REGISTERS,
    ),
)
