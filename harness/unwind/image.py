"""A unit of functions compiled by a subject, linked so that it can be stepped, and stepped."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import msgspec
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from abiprobe.harness.base import child
from abiprobe.harness.machines.runtime.build import Trusted
from abiprobe.harness.subjects.compile import Limits, compile_unit, failure_text
from abiprobe.harness.subjects.subject import Built
from abiprobe.harness.unwind.exidx import read_index
from abiprobe.harness.unwind.machines import Stepped
from abiprobe.harness.unwind.routines import placed_routines
from abiprobe.harness.unwind.stepping import CODE, ROUTINES, STUB_BYTES, STUBS, Stepper, Stepping
from abiprobe.harness.unwind.tables import UnreadableError, read_table
from abiprobe.harness.unwind.unit import OTHERS
from abiprobe.results.verdicts.record import Outcome

LINK_SECONDS = 60.0
MEMORY = ("memset", "memcpy", "memmove", "memcmp")
"""Functions that compilers call by themselves."""


CALLED = {name: STUBS + STUB_BYTES * number for number, name in enumerate((*OTHERS, *MEMORY))}
"""The addresses of the functions that are called."""


class Answer(msgspec.Struct, frozen=True):
    """The answer to a unit: its stepping, or the outcome and words of a compiler that failed; `code_bytes` is the size of its functions."""

    outcome: Outcome
    words: str = ""
    stepping: Stepping = msgspec.field(default_factory=Stepping)
    code_bytes: int = 0
    cpu_seconds: float = 0.0


def answer(
    source: str, functions: int, built: Built, about: Stepped, trusted: Trusted, folder: Path
) -> Answer:
    """Compile, link and step a unit with so many functions."""
    unit_object, image = folder / "unit.o", folder / "unit"
    compiled = compile_unit(built, source, unit_object, Limits(), functions)
    if compiled.outcome is not Outcome.OBSERVED:
        return Answer(compiled.outcome, compiled.words, cpu_seconds=compiled.cpu_seconds)
    routines, _ = placed_routines(about.machine.name, ROUTINES)
    linked = link(unit_object, image, trusted, {**CALLED, **routines})
    if not linked.ok:
        return Answer(Outcome.REFUSED, failure_text(linked, folder), cpu_seconds=compiled.cpu_seconds)
    try:
        table = read_table(image)
        index = read_index(image) if about.is_indexed else None
    except UnreadableError as error:
        return Answer(Outcome.UNDECODED, str(error), cpu_seconds=compiled.cpu_seconds)
    places = placed(image)
    stepper = Stepper(image, table, index, about, places)
    stop = CALLED["stop"]
    for number in range(functions):
        stepper.run(f"f{number}", stop)
    return Answer(
        Outcome.OBSERVED,
        stepping=stepper.result,
        code_bytes=sum(size for _, size in places.values()),
        cpu_seconds=compiled.cpu_seconds,
    )


def link(unit_object: Path, image: Path, trusted: Trusted, symbols: Mapping[str, int] = CALLED) -> child.Exit:
    """Link a unit, with its call frame information, to the addresses of what other units have."""
    argv = (
        *trusted.ld,
        "-static",
        "-N",
        "--no-relax",
        "--no-gc-sections",
        "-e",
        "0",
        f"-Ttext={CODE:#x}",
        *(f"--defsym={name}={address:#x}" for name, address in symbols.items()),
        "-o",
        str(image),
        str(unit_object),
    )
    return child.run(argv, timeout=LINK_SECONDS, scratch=image.parent)


def placed(image: Path) -> dict[str, tuple[int, int]]:
    """The address and size of each function in a program."""
    with image.open("rb") as file:
        table = ELFFile(file).get_section_by_name(".symtab")
        assert isinstance(table, SymbolTableSection), "the linker keeps symbols"
        return {
            one.name: (one["st_value"], one["st_size"])
            for one in table.iter_symbols()
            if one["st_info"]["type"] == "STT_FUNC"
        }
