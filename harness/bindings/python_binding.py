"""A binding that is a file of Python: a Python of its own imports it and says what it declares."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from abiprobe.harness.base import child
from abiprobe.harness.base.problem import Problem
from abiprobe.harness.bindings import cffi_lines, ctypes_lines
from abiprobe.harness.bindings.binding import Left
from abiprobe.harness.bindings.calls import Called
from abiprobe.harness.bindings.described import Module, answers, binding_of
from abiprobe.harness.bindings.facts import Fact, Facts, Gatherer
from abiprobe.harness.bindings.header import Header
from abiprobe.harness.bindings.prototypes import declarations

HERE = Path(__file__).parent
SECONDS = 30.0
MEMORY = 2 << 30


class Library(msgspec.Struct, frozen=True):
    """A library by which bindings are written: the program that imports one, and the lines at which it declares what."""

    child: Path
    lines_of: Callable[[bytes], dict[str, int]]


LIBRARIES = {
    "ctypes": Library(HERE / "ctypes_child.py", ctypes_lines.lines_of),
    "cffi": Library(HERE / "cffi_child.py", cffi_lines.lines_of),
}


def imported(file: str, python: Sequence[str], program: Path) -> Module:
    """The declarations of a binding, as a Python says that imports it; raises `Problem` where that fails."""
    words = (*python, "-I", str(program), str(Path(file).resolve()))
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


def asked(
    file: str, text: bytes, header: Header, python: Sequence[str], library: str
) -> tuple[Facts, list[tuple[Fact, int | bytes]], Called, list[Left]]:
    """The facts of a header with the binding's answers, its functions, and what the binding leaves open."""
    module = imported(file, python, LIBRARIES[library].child)
    lines = LIBRARIES[library].lines_of(text)
    binding = binding_of(file, module, lines)
    facts = Gatherer(header, binding).gathered()
    types = header.target.model().types
    return (
        facts,
        list(answers(facts, module)),
        declarations(header.declared.functions, module, binding, types),
        [Left(lines.get(name, 0), name, why) for name, why in module.left],
    )
