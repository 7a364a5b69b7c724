"""The answer about a call of C++: a call of C above which it is made."""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import Prototype
from abiprobe.oracles.text.place import Assignment, Unspecified, Unsupported


class CxxCall(msgspec.Struct, frozen=True):
    """A call of C++ as one of C: `prototype` has the values that travel, those behind addresses as well, in the types of `types`.

    `destroyed` are the destructors that the caller runs, which the user provides, for its temporaries and the result, by
    the clause `destroyed_by`; `destroyed_in_callee` are those that the called function runs.
    """

    prototype: Prototype
    types: TypeTable
    assignment: Assignment
    destroyed: int
    destroyed_by: str
    destroyed_in_callee: int = 0


CxxAnswer: TypeAlias = CxxCall | Unspecified | Unsupported
"""The answer of a model to a call of C++."""
