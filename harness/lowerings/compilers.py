"""The compiler of a lowering at a place, made ready to write LLVM IR."""

from __future__ import annotations

from pathlib import Path

from abiprobe.harness.lowerings.integers import types_at
from abiprobe.harness.lowerings.lowering import LoweringCompiler
from abiprobe.harness.lowerings.place import Place, language_of
from abiprobe.harness.machines.languages.printer import Printer
from abiprobe.harness.subjects.subject import Subject


def compiler_at(place: Place, subject: Subject, folder: Path) -> LoweringCompiler | None:
    """The compiler of a subject at a place, with a scratch folder; `None` if it does not build for it."""
    command = place.command(subject)
    if command is None:
        return None
    language = language_of(subject)
    if language is None:
        return LoweringCompiler(command, folder)
    types = types_at(place)
    return None if types is None else LoweringCompiler(command, folder, printer=Printer(language, types))
