"""32-bit PowerPC, big-endian: the Power Architecture 32-bit ABI Supplement as Linux has it, with `long double` in the IBM format."""

from __future__ import annotations

from abiprobe.oracles.abis.powerpc.preserved import preserved
from abiprobe.oracles.abis.powerpc.supplement32.calls import calls
from abiprobe.oracles.abis.powerpc.supplement32.data import QUADWORD, TEXT, WORD, data_model
from abiprobe.oracles.dialects import factory
from abiprobe.oracles.engine.reading import READINGS
from abiprobe.oracles.model import CallerFrame, KeptWord, Preserved, RegisterConvention, Target, Toured
from abiprobe.oracles.text.clause import load_sheet

cite = load_sheet(__package__).cite
PRESERVED = cite("registers.preserved")
PRESERVED_FLOATING = cite("registers.preserved-floating")
PRESERVED_VECTOR = cite("registers.preserved-vector")
PRESERVED_CONDITION = cite("registers.preserved-condition")
VOLATILE_FIELDS = 0xFF00_0FFF
"""The bits of the condition register outside of CR2, CR3 and CR4; the first bit of CR0 is the most significant one."""

REGISTERS = RegisterConvention(
    (
        *preserved(PRESERVED, PRESERVED_FLOATING, PRESERVED_VECTOR, first=13),
        Preserved("cr", PRESERVED_CONDITION, free=VOLATILE_FIELDS),
    ),
    PRESERVED,
    QUADWORD,
    cite("stack.alignment"),
    # Where a function saves LR: behind the back chain of its caller's frame.
    shadow=WORD,
    caller_frame=CallerFrame(cite("stack.frame"), 2 * WORD, (KeptWord(0, WORD, cite("stack.header")),)),
)


TARGETS = (
    Target(
        name="powerpc-sysv",
        title="PowerPC, 32-bit, big-endian, by the 32-bit ABI supplement, with AltiVec",
        family="PowerPC",
        machine="ppc",
        sheet="ppc32",
        dialects={
            name: factory(data_model(reading), TEXT, calls, reading) for name, reading in READINGS.items()
        },
        registers=REGISTERS,
        # Three files of registers that are used up beside each other have more states than a tour can cross.
        toured=Toured.APART,
    ),
)
