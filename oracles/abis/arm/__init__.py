"""32-bit Arm: the Procedure Call Standard for the Arm Architecture, its base standard and its VFP variant."""

from __future__ import annotations

from abiprobe.oracles.abis.arm.calls import base_calls, vfp_calls
from abiprobe.oracles.abis.arm.data import TEXT, data_model
from abiprobe.oracles.dialects import Calls, factory
from abiprobe.oracles.engine.reading import READINGS
from abiprobe.oracles.model import CallerFrame, Preserved, RegisterConvention, Target
from abiprobe.oracles.text.clause import load_sheet

cite = load_sheet(__package__).cite
PRESERVED = cite("registers.preserved")
PRESERVED_VFP = cite("registers.preserved-vfp")

# Linux has no role for r9, so that it is preserved as well.
REGISTERS = RegisterConvention(
    (
        *(Preserved(f"r{number}", PRESERVED) for number in range(4, 12)),
        *(Preserved(f"s{number}", PRESERVED_VFP) for number in range(16, 32)),
    ),
    PRESERVED,
    8,
    cite("stack.alignment"),
    caller_frame=CallerFrame(cite("stack.frame")),
)


def target(abi: str, title: str, calls: Calls) -> Target:
    """The target for one variant of the standard."""
    return Target(
        name=f"arm-{abi}",
        title=f"32-bit Arm with the {title}",
        family="Arm, 32-bit",
        machine=f"arm-{abi}",
        sheet="aapcs32",
        dialects={
            name: factory(data_model(reading), TEXT, calls, reading) for name, reading in READINGS.items()
        },
        registers=REGISTERS,
    )


TARGETS = (
    target("aapcs", "base standard of AAPCS32", base_calls),
    target("aapcs-vfp", "VFP variant of AAPCS32", vfp_calls),
)
