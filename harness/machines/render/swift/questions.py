"""A question about C++ in Swift, for people, and why there is none."""

from __future__ import annotations

from abiprobe.harness.machines.render.swift import calls
from abiprobe.harness.machines.render.unsayable import UnsayableError, why_not
from abiprobe.oracles.language.cxx_calls import CxxPrototype
from abiprobe.oracles.language.question import Question


def declaration(question: Question) -> str:
    """The declarations of a question; raises `UnsayableError`."""
    if isinstance(question, CxxPrototype):
        return calls.declaration(question)
    raise UnsayableError("what C++ has, but is asked about its calls only")


def unsayable(question: Question) -> str:
    """Return the reason why a question cannot be asked in Swift; empty if it can."""
    return why_not("Swift", lambda: declaration(question))
