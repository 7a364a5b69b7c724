"""64-bit SPARC: the 64-bit psABI of the SPARC Compliance Definition 2.4.1."""

from __future__ import annotations

from collections.abc import Callable

from abiprobe.oracles.abis.sparc.calls import calls
from abiprobe.oracles.abis.sparc.data import EXTENDED_WORD, QUADWORD, TEXT, data_model
from abiprobe.oracles.abis.sparc.parameter_array import HEADER, OUTS
from abiprobe.oracles.abis.sparc.sheet import cite
from abiprobe.oracles.engine.reading import READINGS, Reading
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.lang import PRESERVING
from abiprobe.oracles.model import AbiModel, CallerFrame, Model, Preserved, RegisterConvention, Target
from abiprobe.oracles.options import LayoutOptions

KEPT = cite("registers.kept")

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


def factory(reading: Reading | None) -> Callable[[LayoutOptions], AbiModel]:
    """What makes the model under language options."""
    data = data_model(reading)

    def model(options: LayoutOptions) -> AbiModel:
        return Model(TypeTable(data, TEXT, reading, options), calls, silent=PRESERVING)

    return model


TARGETS = (
    Target(
        name="sparc64",
        title="SPARC, 64-bit, by the SPARC Compliance Definition",
        machine="sparc64",
        sheet="scd",
        dialects={name: factory(reading) for name, reading in READINGS.items()},
        registers=REGISTERS,
    ),
)
