"""A binding that is a file of Python: a Python of its own imports it and says what it declares."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from abiprobe.harness.base import child
from abiprobe.harness.base.problem import Problem
from abiprobe.harness.bindings import cffi_lines, ctypes_lines
from abiprobe.harness.bindings.comparing import Compared, compared
from abiprobe.harness.bindings.described import Module
from abiprobe.harness.bindings.header import Header

HERE = Path(__file__).parent
CHILD = HERE / "python_child.py"
SECONDS = 30.0
MEMORY = 2 << 30


class Library(msgspec.Struct, frozen=True):
    """A library by which bindings are written: what describes an imported one, and the lines at which it declares what."""

    describer: Path
    lines_of: Callable[[bytes], dict[str, int]]


LIBRARIES = {
    "ctypes": Library(HERE / "ctypes_describer.py", ctypes_lines.lines_of),
    "cffi": Library(HERE / "cffi_describer.py", cffi_lines.lines_of),
}


def imported(file: str, python: Sequence[str], describer: Path) -> Module:
    """The declarations of a binding, as a Python says that imports it; raises `Problem` where that fails."""
    words = (*python, "-I", str(CHILD), str(describer), str(Path(file).resolve()))
    done = child.run(words, timeout=SECONDS, memory=MEMORY)
    if not done.ok:
        said = done.stderr.decode(errors="replace").strip().splitlines() or ["it has no words"]
        raise Problem(
            f"{file} cannot be imported: {said[-1]}", "does Python import it where its library is missing?"
        )
    try:
        return msgspec.json.decode(done.stdout, type=Module)
    except msgspec.DecodeError as error:
        raise Problem(f"{file} prints when it is imported", "it must not") from error


def compared_by_python(
    file: str, text: bytes, header: Header, python: Sequence[str], library: str
) -> Compared:
    """The declarations of a binding, held against a header."""
    module = imported(file, python, LIBRARIES[library].describer)
    return compared(file, module, LIBRARIES[library].lines_of(text), header)
