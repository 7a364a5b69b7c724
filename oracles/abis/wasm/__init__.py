"""WebAssembly: the basic C ABI, wasm32."""

from __future__ import annotations

from abiprobe.oracles.abis.wasm.calls import calls
from abiprobe.oracles.abis.wasm.data import TEXT, data_model
from abiprobe.oracles.dialects import factory
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.model import CallerFrame, RegisterConvention, Target
from abiprobe.oracles.text.clause import load_sheet

cite = load_sheet(__package__).cite
READINGS = {"": None, "clang": Reading.CLANG}
# A function's parameters and locals are its own, so a call has none to preserve.
REGISTERS = RegisterConvention(
    (),
    cite("stack.pointer"),
    16,
    cite("stack.alignment"),
    caller_frame=CallerFrame(cite("stack.frame")),
    signature=cite("signature"),
)


TARGETS = (
    Target(
        name="wasm32",
        title="WebAssembly with the basic C ABI",
        family="WebAssembly",
        machine="wasm32",
        sheet="wasm",
        dialects={
            name: factory(data_model(reading), TEXT, calls, reading) for name, reading in READINGS.items()
        },
        registers=REGISTERS,
    ),
)
