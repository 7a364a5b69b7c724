"""Golden rows on object files of the DPU, from its document."""

from __future__ import annotations

import importlib
from functools import partial

from laboratory.golden import Fact, tables

TABLE = ("accelerators", "dpu-files.tsv")
"""What is asked, and the answer."""


def facts() -> tuple[Fact, ...]:
    """The rows as facts."""
    return tuple(
        Fact(asked, "upmem-dpu", partial(holds, asked=asked, said=said))
        for asked, said in tables.rows(*TABLE)
    )


def holds(_target: object, _model: object, asked: str, said: str) -> bool:
    """Return whether the model of object files, as it is imported now, says so."""
    return answer(asked) == said


def answer(asked: str) -> str:
    """What the model says."""
    elf = importlib.import_module("abiprobe.oracles.abis.dpu.elf")
    what, _, about = asked.partition(" of ")
    match what:
        case "flags":
            return f"{elf.VERSION_IS_GIVEN | elf.ABI_VERSION << elf.VERSION_SHIFT:#010x}"
        case "version":
            version = elf.abi_version(int(about, 16))
            return "none" if version is None else str(version)
        case "instructions":
            return str(elf.IRAM_INSTRUCTIONS[about])
        case "memory":
            memory = elf.memory_of(int(about, 16))
            return f"{memory.name} at {memory.offset:#x}"
        case "relocations":
            return ", ".join(f"{number} {name}" for number, name in sorted(elf.RELOCATIONS.items()))
        case _:
            return str(getattr(elf, CONSTANTS[what]))


CONSTANTS = {
    "machine": "EM_DPU",
    "class": "ELF_CLASS",
    "os-abi": "OS_ABI",
    "instruction in memory": "INSTRUCTION_BYTES",
    "instruction in a file": "FILE_INSTRUCTION_BYTES",
}
"""The names of what is a number alone."""
