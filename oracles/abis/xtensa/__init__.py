"""Xtensa without register windows (CALL0), little-endian: the ABI of its manual, as far as its sentences were read."""

from __future__ import annotations

from abiprobe.oracles.abis.xtensa.calls import calls
from abiprobe.oracles.abis.xtensa.data import QUADWORD, data_model, layouts
from abiprobe.oracles.dialects import factory
from abiprobe.oracles.engine.reading import READINGS
from abiprobe.oracles.model import Preserved, RegisterConvention, Target
from abiprobe.oracles.text.clause import load_sheet

cite = load_sheet(__package__).cite
KEPT = cite("registers.kept")

TARGETS = (
    Target(
        name="xtensa-call0",
        title="Tensilica Xtensa, CALL0, by the manual's ABI, as it is quoted",
        family="Xtensa",
        machine="xtensa",
        sheet="xtensa",
        dialects={
            name: factory(data_model(reading), layouts(reading), calls, reading)
            for name, reading in READINGS.items()
        },
        registers=RegisterConvention(
            tuple(Preserved(f"a{number}", KEPT) for number in range(12, 16)),
            KEPT,
            QUADWORD,
            cite("stack.alignment"),
        ),
    ),
)
