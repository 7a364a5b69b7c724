"""A question about C++ in D, for people, and why there is none."""

from __future__ import annotations

from abiprobe.harness.machines.render.d import calls, classes, names
from abiprobe.harness.machines.render.unsayable import UnsayableError, why_not
from abiprobe.oracles.language.classes import Class
from abiprobe.oracles.language.cxx_calls import CxxPrototype
from abiprobe.oracles.language.entities import Entity
from abiprobe.oracles.language.question import Question


def declaration(question: Question) -> str:
    """The declarations of a question; raises `UnsayableError`."""
    match question:
        case Entity():
            return names.declarations(question)
        case Class():
            return classes.declaration(question)
        case CxxPrototype():
            return calls.declaration(question)
        case _:
            raise UnsayableError("tables and type information under names of its own only")


def unsayable(question: Question) -> str:
    """Return the reason why a question cannot be asked in D; empty if it can."""
    return why_not("D", lambda: declaration(question))
