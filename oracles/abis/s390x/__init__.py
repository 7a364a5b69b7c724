"""s390x: the ELF ABI supplement of IBM Z, with the vector facility."""

from __future__ import annotations

from abiprobe.oracles.abis.s390x.calls import SAVE_AREA, WORD, calls
from abiprobe.oracles.abis.s390x.data import TEXT, data_model
from abiprobe.oracles.dialects import factory
from abiprobe.oracles.engine.reading import READINGS
from abiprobe.oracles.model import CallerFrame, KeptWord, Preserved, RegisterConvention, Target
from abiprobe.oracles.text.clause import load_sheet

cite = load_sheet(__package__).cite
PRESERVED = cite("registers.preserved")
PRESERVED_REAL = cite("registers.preserved-real")

REGISTERS = RegisterConvention(
    (
        *(Preserved(f"r{number}", PRESERVED) for number in range(6, 14)),
        *(Preserved(f"f{number}", PRESERVED_REAL) for number in range(8, 16)),
    ),
    PRESERVED,
    8,
    cite("stack.alignment"),
    # The slot of the back chain, which comes first, is not the called function's.
    shadow=SAVE_AREA - WORD,
    caller_frame=CallerFrame(cite("stack.frame"), SAVE_AREA, (KeptWord(0, WORD, cite("stack.back-chain")),)),
)


TARGETS = (
    Target(
        name="s390x",
        title="s390x with the vector facility, by the ELF ABI supplement",
        family="s390x",
        machine="s390x",
        sheet="lzsabi",
        dialects={name: factory(data_model(), TEXT, calls, reading) for name, reading in READINGS.items()},
        registers=REGISTERS,
    ),
)
