"""LoongArch: the procedure call standard, LP64D, LP64F, LP64S, ILP32D and ILP32S."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from abiprobe.oracles.abis.loongarch.calls import calls
from abiprobe.oracles.abis.loongarch.data import TEXT, data_model
from abiprobe.oracles.abis.loongarch.sheet import cite
from abiprobe.oracles.abis.loongarch.variant import PRESERVED, Variant, variants
from abiprobe.oracles.engine.reading import READINGS, Reading
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.lang import PRESERVING
from abiprobe.oracles.model import AbiModel, CallerFrame, Model, RegisterConvention, Target
from abiprobe.oracles.options import LayoutOptions

STACK_ALIGNMENT = cite("stack.alignment")
STACK_FRAME = cite("stack.frame")


def factory(variant: Variant, reading: Reading | None) -> Callable[[LayoutOptions], AbiModel]:
    """What makes the model of a variant under language options."""
    data = data_model(reading, variant.grlen)

    def model(options: LayoutOptions) -> AbiModel:
        return Model(TypeTable(data, TEXT, reading, options), partial(calls, variant), silent=PRESERVING)

    return model


TARGETS = tuple(
    Target(
        name=variant.target,
        title=variant.title,
        machine=variant.target,
        sheet="lapcs",
        dialects={name: factory(variant, reading) for name, reading in READINGS.items()},
        registers=RegisterConvention(
            variant.preserved, PRESERVED, 16, STACK_ALIGNMENT, caller_frame=CallerFrame(STACK_FRAME)
        ),
    )
    for variant in variants()
)
