"""The parts of a mangled name: pieces with the clauses that give them, and the dictionary of substitutions (5.1.10)."""

from __future__ import annotations

from abc import ABC, abstractmethod

import msgspec

from abiprobe.oracles.abis.itanium.names.codes import sequence
from abiprobe.oracles.engine.policies import NameHabit
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.language.entities import Argument, Expression, Function, TemplateHead, Type, Variable
from abiprobe.oracles.text.clause import citing

SHEET = __package__.rpartition(".")[0]
cite, implements = citing(SHEET)
WRITING = "oracles.abis.itanium.names.writing.Writer"
SUBSTITUTION = cite("name.substitution", f"{WRITING}.substituted")


class Piece(msgspec.Struct, frozen=True):
    """A part of a mangled name, and the clause that gives it."""

    text: str
    clause: str


class NamePolicy(msgspec.Struct, frozen=True):
    """One reading of the text: the family whose practice is followed where it is silent, and the habits of a compiler."""

    family: Reading | None = None
    habits: frozenset[NameHabit] = frozenset()


class Writer(ABC):
    """A name that is being written."""

    def __init__(self, policy: NamePolicy) -> None:
        self.policy = policy
        self.pieces: list[Piece] = []
        self.components: dict[object, int] = {}
        self.in_declaration = False
        """True while the type of a function template is written by a compiler that looks at its declaration."""

    def put(self, text: str, clause: str) -> None:
        """Append a piece."""
        if text:
            self.pieces.append(Piece(text, clause))

    def substituted(self, component: object) -> bool:
        """Write the substitution of a component that has been there before; return whether it has."""
        number = self.components.get(component)
        if number is None:
            return False
        # [cxxabi:name.substitution]
        self.put(f"S{sequence(number)}_", SUBSTITUTION)
        return True

    def remember(self, component: object) -> None:
        """Number a component for substitution."""
        self.components.setdefault(component, len(self.components))

    @abstractmethod
    def type(self, of: Type) -> None:
        """Write a type."""

    @abstractmethod
    def arguments(self, of: tuple[Argument, ...], head: tuple[TemplateHead, ...] = ()) -> None:
        """Write template arguments; `head` has the parameters that a compiler declares."""

    @abstractmethod
    def expression(self, of: Expression) -> None:
        """Write an expression."""

    @abstractmethod
    def encoding(self, of: Function | Variable) -> None:
        """Write the encoding of a function or variable."""
