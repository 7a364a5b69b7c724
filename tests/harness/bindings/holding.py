"""Bindings of library.h that are held against it, as they are and with faults planted in them."""

from __future__ import annotations

from pathlib import Path

import msgspec

from abiprobe.harness.bindings.checking import OnTarget, held
from abiprobe.harness.input import STRICT
from abiprobe.harness.subjects.subject import Subject
from abiprobe.oracles.registry import find_target

HERE = Path(__file__).parent
HEADER = HERE / "library.h"


def on_target(target: str, subject: Subject, binding: Path, header: Path = HEADER) -> OnTarget:
    """A binding held against a header on a target, as a subject reads it."""
    how = msgspec.structs.replace(STRICT, strict=False)
    (found,) = held([str(header)], str(binding), [find_target(target)], (subject, ("O0",)), how)
    return found


def planted(folder: Path, binding: Path, *changes: tuple[str, str]) -> Path:
    """A binding with other words, each of which it has once."""
    text = binding.read_text()
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    path = folder / f"library{binding.suffix}"
    path.write_text(text)
    return path


def line_of(binding: Path, text: str) -> int:
    """The line of a binding that has a text."""
    return next(number for number, line in enumerate(binding.read_text().splitlines(), 1) if text in line)
