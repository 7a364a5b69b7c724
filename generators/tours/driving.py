"""Ask a model about calls that grow argument by argument.

A model is asked like anyone else asks it, so what is found here holds for what it says, whatever its cursor is like inside.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from string import digits
from typing import TypeAlias

from abiprobe.generators.tours.menu import INT, menu
from abiprobe.oracles.language.lang import Convention, Param, Prototype, Type
from abiprobe.oracles.language.promotion import promoted
from abiprobe.oracles.model import AbiModel
from abiprobe.oracles.text.place import Assignment, Passed, Register

Way: TypeAlias = tuple[str, tuple[str, ...]]
"""How a value travels, and the registers it takes in the order of its bytes (`""` for the stack)."""
Response: TypeAlias = tuple[Way, int]
"""The way of a value, and by how many bytes the stack argument area grows."""


@dataclass(frozen=True)
class Mode:
    """The part of a prototype that affects all of its arguments: its convention, and whether it is variadic."""

    variadic: bool = False
    convention: Convention | None = None
    regparm: int | None = None


@dataclass(frozen=True)
class Prefix:
    """The beginning of a call: its mode, result, named and unnamed arguments so far."""

    mode: Mode
    result: Type | None = None
    named: tuple[Type, ...] = ()
    unnamed: tuple[Type, ...] = ()

    @property
    def length(self) -> int:
        """The number of arguments."""
        return len(self.named) + len(self.unnamed)

    @cached_property
    def _hash(self) -> int:
        return hash((self.mode, self.result, self.named, self.unnamed))

    def __hash__(self) -> int:
        return self._hash

    def then(self, c_type: Type, *, unnamed: bool) -> Prefix:
        """Add an argument."""
        return self.with_more((), (c_type,)) if unnamed else self.with_more((c_type,), ())

    def with_more(self, named: Sequence[Type], unnamed: Sequence[Type]) -> Prefix:
        """Add arguments."""
        return Prefix(self.mode, self.result, (*self.named, *named), (*self.unnamed, *unnamed))

    def with_named(self) -> Prefix:
        """Add a named parameter where C before C23 wants one before the ellipsis."""
        lacks_one = self.mode.variadic and not self.named
        return self.then(INT, unnamed=False) if lacks_one else self

    def may_take(self, c_type: Type, *, unnamed: bool) -> bool:
        """Return whether C allows this argument next: unnamed ones follow a named one, and are promoted."""
        if unnamed:
            return bool(self.mode.variadic and self.named) and promoted(c_type) == c_type
        return not self.unnamed

    def prototype(self, name: str = "f") -> Prototype:
        """The prototype of the call, with parameters called `a0`, `a1` and so on."""
        params = tuple(Param(f"a{index}", c_type) for index, c_type in enumerate(self.named))
        mode = self.mode
        return Prototype(
            name,
            self.result,
            params,
            mode.variadic,
            self.unnamed,
            convention=mode.convention,
            regparm=mode.regparm,
        )


class Driver:
    """A model that remembers its answers."""

    def __init__(self, model: AbiModel) -> None:
        self._model = model
        self.menu = menu(scalable=bool(model.types.data.vector_bits), sve=bool(model.types.data.sve_bits))
        self._answers: dict[Prefix, Assignment | None] = {}

    def without(self, files: frozenset[str]) -> Driver:
        """A driver of the same model that takes no type which uses one of these files of registers."""
        other = Driver(self._model)
        other.menu = tuple(c_type for c_type in self.menu if not files & self.files(c_type))
        return other

    def files(self, c_type: Type) -> frozenset[str]:
        """The files of registers that an argument takes before any is used up, by the letters that their names begin with."""
        answer = self.answer(Prefix(Mode(), None, (c_type,)))
        registers = () if answer is None else names(answer.params[0].pieces)
        return frozenset(name.rstrip(digits) for name in registers if name)

    def answer(self, prefix: Prefix) -> Assignment | None:
        """The places of a call, `None` where the model has none."""
        if prefix not in self._answers:
            found = self._model.assign(prefix.prototype())
            self._answers[prefix] = found if isinstance(found, Assignment) else None
        return self._answers[prefix]

    def argument(self, prefix: Prefix, c_type: Type, *, unnamed: bool) -> Response | None:
        """The places of one further argument; `None` where C or the model has no such call."""
        before = self.answer(prefix)
        if before is None or not prefix.may_take(c_type, unnamed=unnamed):
            return None
        after = self.answer(prefix.then(c_type, unnamed=unnamed))
        if after is None:
            return None
        return way(after.params[-1]), after.stack_bytes - before.stack_bytes

    def way(self, prefix: Prefix, c_type: Type, *, unnamed: bool) -> Way | None:
        """Return the way that one further argument travels, or `None` if C or the model has no such call."""
        if not prefix.may_take(c_type, unnamed=unnamed):
            return None
        after = self.answer(prefix.then(c_type, unnamed=unnamed))
        return None if after is None else way(after.params[-1])

    def result(self, mode: Mode, c_type: Type) -> tuple[Way, Way, int] | None:
        """Return the way of a result of this type, that of the hidden arguments it needs, and the bytes by which the stack grows."""
        plain, answer = self.answer(Prefix(mode)), self.answer(Prefix(mode, c_type))
        if plain is None or answer is None or answer.result is None:
            return None
        hidden = tuple(place for one in answer.hidden for place in names(one.pieces))
        return way(answer.result), ("hidden", hidden), answer.stack_bytes - plain.stack_bytes

    def modes(self, c_type: Type) -> tuple[Mode, ...]:
        """Every mode in which the model answers about a function of a `c_type`."""
        own = self._model.declared(Prefix(Mode()).prototype()).convention
        asked = [Mode(), Mode(variadic=True)]
        asked += [Mode(convention=convention) for convention in Convention if convention is not own]
        asked += [Mode(regparm=count) for count in (1, 2, 3)]
        return tuple(mode for mode in asked if self.answer(begun(mode, c_type)) is not None)


def begun(mode: Mode, c_type: Type) -> Prefix:
    """A call of one argument, or of a named and an unnamed one."""
    prefix = Prefix(mode).then(c_type, unnamed=False)
    return prefix.then(c_type, unnamed=True) if mode.variadic else prefix


def way(passed: Passed) -> Way:
    """Return the way that a value travels, comparable between calls."""
    return passed.passing.value, names(passed.pieces)


def names(pieces: tuple[object, ...]) -> tuple[str, ...]:
    """The registers of pieces, `""` for the stack."""
    places = (getattr(piece, "place", None) for piece in pieces)
    return tuple(place.name if isinstance(place, Register) else "" for place in places)
