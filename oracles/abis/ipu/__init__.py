"""Graphcore Colossus IPU: data model, worker and supervisor calls, vertices, frame."""

from __future__ import annotations

from collections.abc import Callable

from abiprobe.oracles.abis.ipu.calls import calls
from abiprobe.oracles.abis.ipu.convention import as_written, by_compiler
from abiprobe.oracles.abis.ipu.data import ATOMIC, ATOMIC_BY_COMPILER, TEXT, data_model
from abiprobe.oracles.abis.ipu.frame import frame
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.model import AbiModel, Model, Target
from abiprobe.oracles.text.clause import load_sheet
from abiprobe.oracles.text.options import LayoutOptions

implements = load_sheet(__package__).implements
WRITTEN = data_model(ATOMIC)
BY_COMPILER = data_model(ATOMIC_BY_COMPILER)


def _written(*, worker: bool) -> Callable[[LayoutOptions], AbiModel]:
    assign = calls(as_written(worker=worker))
    return lambda options: Model(TypeTable(WRITTEN, TEXT, None, options), assign)


def _compiler(*, worker: bool) -> Callable[[LayoutOptions], AbiModel]:
    assign = calls(by_compiler(worker=worker))
    return lambda options: Model(TypeTable(BY_COMPILER, TEXT, Reading.CLANG, options), assign)


@implements("type.complex")
def target(name: str, title: str, *, worker: bool) -> Target:
    """The target of worker or of supervisor code."""
    stack = frame(worker=worker)
    return Target(
        name=name,
        title=title,
        family="Graphcore IPU",
        machine="",
        observers=("assembly",),
        sheet="ipu",
        dialects={"": _written(worker=worker), "compiler": _compiler(worker=worker)},
        frame=stack,
    )


TARGETS = (
    target("colossus-ipu", "Graphcore Colossus IPU, worker code", worker=True),
    target("colossus-ipu-supervisor", "Graphcore Colossus IPU, supervisor code", worker=False),
)
