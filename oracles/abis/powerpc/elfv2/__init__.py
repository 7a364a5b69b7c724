"""64-bit PowerPC, little-endian: the 64-Bit ELF V2 ABI, with `long double` in the IBM format."""

from __future__ import annotations

from abiprobe.oracles.abis.powerpc.doublewords import DOUBLEWORD, QUADWORD
from abiprobe.oracles.abis.powerpc.elfv2.calls import calls
from abiprobe.oracles.abis.powerpc.elfv2.data import TEXT, data_model
from abiprobe.oracles.abis.powerpc.elfv2.doublewords import HEADER
from abiprobe.oracles.abis.powerpc.preserved import preserved
from abiprobe.oracles.dialects import factory
from abiprobe.oracles.engine.reading import READINGS
from abiprobe.oracles.model import CallerFrame, KeptWord, RegisterConvention, Target, Toured
from abiprobe.oracles.text.clause import load_sheet

cite = load_sheet(__package__).cite
PRESERVED = cite("registers.preserved")
PRESERVED_FLOATING = cite("registers.preserved-floating")
PRESERVED_VECTOR = cite("registers.preserved-vector")

REGISTERS = RegisterConvention(
    preserved(PRESERVED, PRESERVED_FLOATING, PRESERVED_VECTOR),
    PRESERVED,
    QUADWORD,
    cite("stack.alignment"),
    # Where a function saves CR and LR: behind the back chain of its caller's frame.
    shadow=2 * DOUBLEWORD,
    caller_frame=CallerFrame(cite("stack.frame"), HEADER, (KeptWord(0, DOUBLEWORD, cite("stack.header")),)),
)


TARGETS = (
    Target(
        name="powerpc64le-elfv2",
        title="PowerPC, 64-bit, little-endian, by the 64-Bit ELF V2 ABI",
        family="PowerPC",
        machine="ppc64le",
        sheet="elfv2",
        dialects={
            name: factory(data_model(reading), TEXT, calls, reading) for name, reading in READINGS.items()
        },
        registers=REGISTERS,
        # Three files of registers that are used up beside each other have more states than a tour can cross.
        toured=Toured.APART,
    ),
)
