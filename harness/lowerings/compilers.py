"""The compiler of a lowering at a place, made ready to write LLVM IR."""

from __future__ import annotations

from pathlib import Path

from abiprobe.harness.lowerings.integers import types_at
from abiprobe.harness.lowerings.lowering import LoweringCompiler
from abiprobe.harness.lowerings.place import Place, language_of
from abiprobe.harness.machines.languages.printer import Printer
from abiprobe.harness.subjects.find import parse_subject


def compiler_at(place: Place, name: str, folder: Path) -> LoweringCompiler | None:
    """The compiler of that name at a place, with a scratch folder; `None` if it does not build for it."""
    command = place.command(name)
    if command is None:
        return None
    language = language_of(parse_subject(name))
    if language is None:
        return LoweringCompiler(command, folder)
    types = types_at(place)
    return None if types is None else LoweringCompiler(command, folder, printer=Printer(language, types))
