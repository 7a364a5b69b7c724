"""WebAssembly: the basic C ABI, wasm32."""

from __future__ import annotations

from collections.abc import Callable

from abiprobe.oracles.abis.wasm.calls import calls
from abiprobe.oracles.abis.wasm.data import TEXT, data_model
from abiprobe.oracles.abis.wasm.sheet import cite
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.lang import PRESERVING
from abiprobe.oracles.model import AbiModel, CallerFrame, Model, RegisterConvention, Target
from abiprobe.oracles.options import LayoutOptions

READINGS = {"": None, "clang": Reading.CLANG}
# A function's parameters and locals are its own, so a call has none to preserve.
REGISTERS = RegisterConvention(
    (), cite("stack.pointer"), 16, cite("stack.alignment"), caller_frame=CallerFrame(cite("stack.frame"))
)


def factory(reading: Reading | None) -> Callable[[LayoutOptions], AbiModel]:
    """What makes the model under language options."""
    data = data_model(reading)

    def model(options: LayoutOptions) -> AbiModel:
        return Model(TypeTable(data, TEXT, reading, options), calls, silent=PRESERVING)

    return model


TARGETS = (
    Target(
        name="wasm32",
        title="WebAssembly with the basic C ABI",
        machine="wasm32",
        sheet="wasm",
        dialects={name: factory(reading) for name, reading in READINGS.items()},
        registers=REGISTERS,
    ),
)
