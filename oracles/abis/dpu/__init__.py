"""UPMEM DPU: data model, calls, frame and object files."""

from __future__ import annotations

from abiprobe.oracles.abis.dpu import elf  # noqa: F401 - cites the clauses of object files
from abiprobe.oracles.abis.dpu.calls import calls
from abiprobe.oracles.abis.dpu.data import ATOMIC, ATOMIC_BY_COMPILER, data_model, text
from abiprobe.oracles.abis.dpu.frame import frame
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.model import AbiModel, Model, Target
from abiprobe.oracles.text.options import LayoutOptions

WRITTEN = data_model(ATOMIC)
BY_COMPILER = data_model(ATOMIC_BY_COMPILER)
TEXT = text()


def _written(options: LayoutOptions) -> AbiModel:
    return Model(TypeTable(WRITTEN, TEXT, None, options), calls(compiler=False))


def _compiler(options: LayoutOptions) -> AbiModel:
    return Model(TypeTable(BY_COMPILER, TEXT, Reading.CLANG, options), calls(compiler=True))


TARGETS = (
    Target(
        name="upmem-dpu",
        title="UPMEM DPU",
        family="UPMEM DPU",
        machine="",
        observers=("assembly",),
        sheet="dpu",
        dialects={"": _written, "compiler": _compiler},
        frame=frame(),
    ),
)
