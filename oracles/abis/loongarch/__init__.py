"""LoongArch: the procedure call standard, LP64D, LP64F, LP64S, ILP32D and ILP32S."""

from __future__ import annotations

from functools import partial

from abiprobe.oracles.abis.loongarch.calls import calls
from abiprobe.oracles.abis.loongarch.data import TEXT, data_model
from abiprobe.oracles.abis.loongarch.variant import PRESERVED, variants
from abiprobe.oracles.dialects import factory
from abiprobe.oracles.engine.reading import READINGS
from abiprobe.oracles.model import CallerFrame, RegisterConvention, Target
from abiprobe.oracles.text.clause import load_sheet

cite = load_sheet(__package__).cite
STACK_ALIGNMENT = cite("stack.alignment")
STACK_FRAME = cite("stack.frame")


TARGETS = tuple(
    Target(
        name=variant.target,
        title=variant.title,
        family="LoongArch",
        machine=variant.target,
        sheet="lapcs",
        dialects={
            name: factory(data_model(reading, variant.grlen), TEXT, partial(calls, variant), reading)
            for name, reading in READINGS.items()
        },
        registers=RegisterConvention(
            variant.preserved, PRESERVED, 16, STACK_ALIGNMENT, caller_frame=CallerFrame(STACK_FRAME)
        ),
    )
    for variant in variants()
)
