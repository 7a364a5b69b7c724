"""32-bit PowerPC, big-endian: the Power Architecture 32-bit ABI Supplement as Linux has it, with `long double` in the IBM format."""

from __future__ import annotations

from collections.abc import Callable

from abiprobe.oracles.abis.powerpc.preserved import preserved
from abiprobe.oracles.abis.powerpc.supplement32.calls import calls
from abiprobe.oracles.abis.powerpc.supplement32.data import QUADWORD, TEXT, WORD, data_model
from abiprobe.oracles.abis.powerpc.supplement32.sheet import cite
from abiprobe.oracles.engine.reading import READINGS, Reading
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.lang import PRESERVING
from abiprobe.oracles.model import (
    AbiModel,
    CallerFrame,
    KeptWord,
    Model,
    Preserved,
    RegisterConvention,
    Target,
    Toured,
)
from abiprobe.oracles.options import LayoutOptions

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


def factory(reading: Reading | None) -> Callable[[LayoutOptions], AbiModel]:
    """What makes the model under language options."""
    data = data_model(reading)

    def model(options: LayoutOptions) -> AbiModel:
        return Model(TypeTable(data, TEXT, reading, options), calls, silent=PRESERVING)

    return model


TARGETS = (
    Target(
        name="powerpc-sysv",
        title="PowerPC, 32-bit, big-endian, by the 32-bit ABI supplement, with AltiVec",
        machine="ppc",
        sheet="ppc32",
        dialects={name: factory(reading) for name, reading in READINGS.items()},
        registers=REGISTERS,
        # Three files of registers that are used up beside each other have more states than a tour can cross.
        toured=Toured.APART,
    ),
)
