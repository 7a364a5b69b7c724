"""The model of calls of C++ above a model of C: what the text says of a function."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import msgspec

from abiprobe.oracles.abis.itanium.calls import (
    DESTROY,
    EMPTY,
    EMPTY_RESULT,
    LARGE,
    TRIVIAL_ABI,
    Travels,
    as_cxx,
    destroyed,
    in_places,
    prototype_of,
    require_asked,
    result_of,
    sized_bytes,
    travelling,
    with_values,
)
from abiprobe.oracles.abis.itanium.graph import REMEMBERED
from abiprobe.oracles.abis.itanium.model import CxxModel
from abiprobe.oracles.abis.itanium.policy import policy_of
from abiprobe.oracles.abis.itanium.stand_ins import StandIns
from abiprobe.oracles.engine.cxx_call import CxxAnswer, CxxCall
from abiprobe.oracles.engine.data_model import EmptyClass
from abiprobe.oracles.engine.silence import AbsentError, SilentError
from abiprobe.oracles.language.classes import Class
from abiprobe.oracles.language.cxx_calls import CxxPrototype, classes_in
from abiprobe.oracles.language.lang import Prototype
from abiprobe.oracles.model import Model
from abiprobe.oracles.text.class_layout import ClassLayout
from abiprobe.oracles.text.clause import citing
from abiprobe.oracles.text.place import Assignment, Passed, Passing, Place, Unspecified, Unsupported

cite, implements = citing(__package__)


@dataclass(frozen=True)
class CxxCallModel:
    """Calls of C++ above a model of C, with the classes of the C++ ABI above the same."""

    base: Model
    classes: CxxModel
    _undecided: dict[Class, Unspecified | Unsupported | None] = field(
        default_factory=dict, repr=False, compare=False
    )

    def call(self, asked: CxxPrototype) -> CxxAnswer:
        """Return the places of a call of C++, if the texts decide them."""
        for one in classes_in(asked.types):
            if (silence := self.undecided(one)) is not None:
                return silence
        try:
            require_asked(asked)
            return self.placed(asked, self.stand_ins())
        except SilentError as silence:
            return Unspecified(silence.clause, silence.why)
        except AbsentError as absence:
            return Unsupported(str(absence))

    def in_c(self, asked: CxxPrototype) -> Prototype:
        """Return the call as one of C that travels alike: an address for what goes by one, and a large result for one in memory.

        Raises `SilentError` and `AbsentError` where the texts do not decide.
        """
        types = self.stand_ins()
        require_asked(asked)
        return prototype_of(asked, tuple(travelling(asked, types)), result_of(asked, types))

    def stand_ins(self) -> StandIns:
        """The types of C that stand for classes, by the reading that is followed."""
        policy = policy_of(self.classes.types.reading, self.classes.types.policies)
        return StandIns.over(self.classes.by(policy))

    def undecided(self, one: Class) -> Unspecified | Unsupported | None:
        """The reason why a class has no layout; `None` where it has one."""
        if one not in self._undecided:
            if len(self._undecided) >= REMEMBERED:
                self._undecided.clear()
            found = self.classes.layout(one)
            self._undecided[one] = None if isinstance(found, ClassLayout) else found
        return self._undecided[one]

    def placed(self, asked: CxxPrototype, types: StandIns) -> CxxAnswer:
        """The call above the places that the C ABI gives; raises `SilentError` and `AbsentError` as that does."""
        values, result = tuple(travelling(asked, types)), result_of(asked, types)
        base = replace(self.base, types=types)
        found = base.assign(prototype_of(asked, values, result))
        if not isinstance(found, Assignment):
            return found
        if result is not None and result.is_empty_value:
            require_agreement(base, types, result)
        params = tuple(in_places(values, found.params, types))
        for clause, some, other in others(values, result):
            without = base.assign(prototype_of(asked, some, other))
            if isinstance(without, Assignment):
                params = because(clause, params, tuple(in_places(some, without.params, types)))
        given = None
        if found.result is not None and result is not None:
            given = as_cxx(found.result, result, types)
        told = msgspec.structs.replace(found, params=params, result=given)
        caller, callee = destroyed(asked, types)
        clause = TRIVIAL_ABI if callee else DESTROY
        return CxxCall(with_values(asked, values, result), types, told, caller, clause, callee)


@implements("calls.empty-result")
def require_agreement(base: Model, types: StandIns, result: Travels) -> None:
    """Raise `SilentError` for an empty result that the C ABI has in memory, where that speaks of results of C++, too."""
    how, clause = types.data.empty_class
    assert isinstance(result.c_type, Class), "only classes are empty"
    if how is not EmptyClass.SIZED:
        return
    extent = types.extent(result.value)
    sized = base.assign(Prototype("f", sized_bytes("", extent.size, extent.align), ()))
    if isinstance(sized, Assignment) and sized.hidden:
        why = f"{result.c_type.tag} would be returned in memory by {clause}"
        raise SilentError(EMPTY_RESULT, why)


def others(
    values: tuple[Travels, ...], result: Travels | None
) -> Iterator[tuple[str, tuple[Travels, ...], Travels | None]]:
    """The values that would travel without the clauses on empty classes, each with its clause.

    Arguments of empty class would not be there, or the result would be in memory.
    """
    if any(one.is_empty_value for one in values):
        yield EMPTY, tuple(one for one in values if not one.is_empty_value), result
    if result is not None and result.is_empty_value:
        yield EMPTY_RESULT, values, msgspec.structs.replace(result, placed=LARGE)


def because(clause: str, params: tuple[Passed, ...], without: tuple[Passed, ...]) -> tuple[Passed, ...]:
    """Parameters that cite a clause where they would be elsewhere without it, or not be there."""
    others = {one.name: places(one) for one in without}
    return tuple(one if others.get(one.name) == places(one) else moved(clause, one) for one in params)


def moved(clause: str, passed: Passed) -> Passed:
    """A value that has its place by a clause."""
    pieces = tuple(msgspec.structs.replace(piece, clause=clause) for piece in passed.pieces)
    own = clause if passed.passing is Passing.DIRECT else passed.clause
    return msgspec.structs.replace(passed, pieces=pieces, clause=own)


def places(passed: Passed) -> tuple[Place, ...]:
    """The places of a value."""
    return tuple(piece.place for piece in passed.pieces)
