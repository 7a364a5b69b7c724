"""PTX: CUDA devices, from C to the parameters of PTX, and from those to registers, stack and constant bank."""

from __future__ import annotations

from collections.abc import Callable

from abiprobe.oracles.abis.ptx.calls import calls
from abiprobe.oracles.abis.ptx.data import TEXT, data_model
from abiprobe.oracles.abis.ptx.device_model import DeviceModel
from abiprobe.oracles.abis.ptx.families import AS_WRITTEN, CLANG, CLANG_14, CLANG_16, NVCC, Family
from abiprobe.oracles.abis.ptx.nvcc_records import NvidiaTable
from abiprobe.oracles.engine.policies import HABITS
from abiprobe.oracles.engine.policies import TEXT as WRITTEN
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.model import AbiModel, Target
from abiprobe.oracles.text.options import LayoutOptions

FAMILIES: dict[str, tuple[Family, Reading | None]] = {
    "": (AS_WRITTEN, None),
    "nvcc": (NVCC, Reading.CLANG),
    "nvrtc": (NVCC, Reading.CLANG),
    "clang-14": (CLANG_14, Reading.CLANG),
    "clang-16": (CLANG_16, Reading.CLANG),
    "clang": (CLANG, Reading.CLANG),
}
"""Each dialect: what its compilers do about parameters, and how they read GNU C."""
NEWEST = "clang"
"""The dialect of the newest clang."""
NVIDIA = ("nvcc", "nvrtc")
"""The dialects of NVIDIA's own front ends."""


def _dialect(name: str, family: Family, reading: Reading | None) -> Callable[[LayoutOptions], AbiModel]:
    def model(options: LayoutOptions) -> AbiModel:
        data = data_model(
            long_double=family.long_double, has_bit_int=family.bit_int, packs_ms_units=name == NEWEST
        )
        habits = HABITS.get(reading, WRITTEN).changed(family.habits)
        if name in NVIDIA:
            runtime = name == "nvrtc"
            types: TypeTable = NvidiaTable(data, TEXT, reading, options, habits=habits, runtime=runtime)
        else:
            types = TypeTable(data, TEXT, reading, options, habits=habits)
        return DeviceModel(types, calls(family), family=family)

    return model


TARGETS = (
    Target(
        name="nvptx64-cuda",
        title="PTX for CUDA devices, 64-bit addresses",
        family="CUDA (PTX)",
        machine="",
        observers=("device",),
        sheet="ptx",
        dialects={name: _dialect(name, family, reading) for name, (family, reading) in FAMILIES.items()},
    ),
)
