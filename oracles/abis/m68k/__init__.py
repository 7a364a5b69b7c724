"""m68k, big-endian: the ABI of GCC on Linux, as the M680x0 project describes it."""

from __future__ import annotations

from abiprobe.oracles.abis.m68k.calls import calls
from abiprobe.oracles.abis.m68k.data import ALIGNED, TEXT, data_model
from abiprobe.oracles.dialects import factory
from abiprobe.oracles.engine.reading import READINGS
from abiprobe.oracles.model import Preserved, RegisterConvention, Target
from abiprobe.oracles.text.clause import load_sheet

cite = load_sheet(__package__).cite
PRESERVED = cite("registers.preserved")
FLOATING = cite("registers.floating")
KEPT = (*(f"d{number}" for number in range(2, 8)), *(f"a{number}" for number in range(2, 6)))

REGISTERS = RegisterConvention(
    (
        *(Preserved(name, PRESERVED) for name in KEPT),
        Preserved("a6", cite("registers.frame")),
        *(Preserved(f"fp{number}", FLOATING) for number in range(2, 8)),
    ),
    cite("stack.return"),
    ALIGNED,
    cite("stack.alignment"),
)

TARGETS = (
    Target(
        name="m68k",
        title="Motorola 68000, from the 68020 on, with GCC's ABI for Linux",
        family="Motorola 68000",
        machine="m68k",
        sheet="m68k",
        dialects={
            name: factory(data_model(reading), TEXT, calls, reading) for name, reading in READINGS.items()
        },
        registers=REGISTERS,
    ),
)
