"""32-bit Arm as the runtime sees it: the core registers, and those of VFP and NEON.

The first sixteen double-word registers are known by the names of their halves, s0 to s31.
"""

from __future__ import annotations

from types import MappingProxyType

from abiprobe.harness.machines.runtime.description import Machine, Slot, filed, numbered, slots
from abiprobe.oracles.text.place import RegisterFile

_WORD, _SINGLE, _DOUBLE = 4, 4, 8
_VECTORS = 16 * _WORD
_STATE_BYTES = _VECTORS + 32 * _DOUBLE


def _machine(abi: str, suffix: str, float_abi: str) -> Machine:
    return Machine(
        name="arm",
        abi=abi,
        pointer=_WORD,
        return_address=0,
        elf_machine=40,
        sp="sp",
        state_bytes=_STATE_BYTES,
        registers=MappingProxyType(
            {
                **slots(numbered("r", 0, 12), 0, _WORD, _WORD),
                "sp": Slot(13 * _WORD, _WORD),
                "lr": Slot(14 * _WORD, _WORD),
                **slots(numbered("s", 0, 31), _VECTORS, _SINGLE, _SINGLE),
                **slots(numbered("d", 16, 31), _VECTORS + 32 * _SINGLE, _DOUBLE, _DOUBLE),
            }
        ),
        files=filed(
            (RegisterFile.GENERAL, f"{numbered('r', 0, 12)} sp lr"),
            (RegisterFile.SINGLE, numbered("s", 0, 31)),
            (RegisterFile.FLOATING, numbered("d", 16, 31)),
        ),
        initial=bytes(_STATE_BYTES),
        steady=frozenset({"sp", "lr"}),
        assembly="arm.S",
        hosts=frozenset(),
        triple=f"arm-linux-musleabi{suffix}",
        flags=("-march=armv7-a", "-mfpu=neon", f"-mfloat-abi={float_abi}", "-marm"),
        gcc=(f"arm-linux-gnueabi{suffix}-gcc", f"arm-linux-gnueabi{suffix}-gcc-12"),
        ld=(f"arm-linux-gnueabi{suffix}-ld",),
        emulation="armelf_linux_eabi",
    )


ARM = _machine("aapcs-vfp", "hf", "hard")
MACHINES = (ARM, _machine("aapcs", "", "softfp"))
