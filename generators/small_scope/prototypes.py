"""The calls of the small scope: each record and each bare type in every role.

How many arguments leave so many registers is for the model to say. Behind each argument there are two more, since a callee
that takes too few bytes, or too many, shows it on what comes next.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from abiprobe.generators.small_scope.forms import ALIGNED, ALIGNMENTS, BARE, INT, LDOUBLE, LLONG
from abiprobe.generators.small_scope.records import records
from abiprobe.oracles.language.lang import Convention, Kind, Param, Prototype, Scalar, Type, Typedef
from abiprobe.oracles.language.promotion import promoted
from abiprobe.oracles.model import AbiModel
from abiprobe.oracles.text.place import Assignment, Register, Unsupported

MOST_REGISTERS = 16
"""No convention has more registers of a kind for arguments."""
MOST_REGPARM = 3
"""No more registers can be asked for with `regparm`."""
DOUBLE = Scalar(Kind.DOUBLE)
NAMED = "v"
"""The last named parameter, where that is what a variadic call is about."""
BEHIND = Param("t", INT), Param("z", LDOUBLE)


def calls(model: AbiModel) -> Iterator[Prototype]:
    """Every bare type and every record in each role of a call of a target."""
    states = tuple(filled(model))
    others = tuple(conventions(model))
    in_registers = takes_regparm(model)
    for c_type in bare():
        yield from passed(c_type, states)
        yield from by_others(c_type, others)
        yield from by_regparm(c_type) if in_registers else ()
    for record in records():
        yield from passed(record, states)
        if all(one.width for one in record.members):
            yield from by_others(record, others)


def bare() -> Iterator[Type]:
    """Yield the types that are passed by themselves."""
    yield from BARE
    for number, (c_type, align) in enumerate((one, align) for one in ALIGNED for align in ALIGNMENTS):
        yield Typedef(f"T{number}", c_type, align)


def passed(c_type: Type, states: Sequence[tuple[Param, ...]]) -> Iterator[Prototype]:
    """A value in each role of the usual convention, behind what fills the registers; all of them in the last state."""
    # What is promoted is another type's question as an unnamed argument, and `va_start` does not take it.
    is_variadic = promoted(c_type) == c_type
    for before in states:
        yield Prototype("f", None, (*before, Param("r", c_type), *BEHIND))
        if is_variadic:
            named = before or (Param("n", INT),)
            yield Prototype("f", None, named, variadic=True, unnamed=(c_type, INT))
    # What is named on the stack, `va_arg` has to pass over.
    full = states[-1]
    if is_variadic and full:
        yield Prototype("f", None, (*full, Param(NAMED, c_type)), variadic=True, unnamed=(INT,))
    yield Prototype("f", c_type, ())
    # What a result overwrites shows on what came with it.
    yield Prototype("f", c_type, (Param("r", c_type), *BEHIND))


def by_others(c_type: Type, others: Iterable[Convention]) -> Iterator[Prototype]:
    """A value as argument and as result of functions of other conventions."""
    for convention in others:
        yield Prototype("f", None, (Param("r", c_type), *BEHIND), convention=convention)
        yield Prototype("f", c_type, (Param("d", DOUBLE), Param("i", LLONG)), convention=convention)


def by_regparm(c_type: Type) -> Iterator[Prototype]:
    """A value as argument and as result of functions with arguments in registers; the GCC manual tells those of integers alone."""
    yield Prototype("f", None, (Param("r", c_type), *BEHIND), regparm=MOST_REGPARM)
    yield Prototype("f", c_type, (Param("i", INT),), regparm=MOST_REGPARM)


def conventions(model: AbiModel) -> Iterator[Convention]:
    """The conventions that a target has beside its usual one."""
    for convention in Convention:
        if not isinstance(model.assign(Prototype("f", None, (), convention=convention)), Unsupported):
            yield convention


def takes_regparm(model: AbiModel) -> bool:
    """Return whether a target has an attribute that passes arguments in registers."""
    asked = Prototype("f", None, (), regparm=MOST_REGPARM)
    return not isinstance(model.assign(asked), Unsupported)


def filled(model: AbiModel) -> Iterator[tuple[Param, ...]]:
    """The arguments before a value.

    None, those that leave one register of each kind, and those that leave none and begin the stack.
    """
    integers = registers(model, LLONG)
    # Reals may use up integer registers, which are full by then.
    reals = registers(model, DOUBLE, tuple(fillers(integers, 0)))
    yield ()
    if integers or reals:
        yield tuple(fillers(max(0, integers - 1), max(0, reals - 1)))
        yield tuple(fillers(integers + 1, reals))


def registers(model: AbiModel, c_type: Type, before: tuple[Param, ...] = ()) -> int:
    """Return the number of arguments of a type that travel in registers after the arguments `before`."""
    some = tuple(Param(f"p{i}", c_type) for i in range(MOST_REGISTERS))
    answer = model.assign(Prototype("f", None, (*before, *some)))
    if not isinstance(answer, Assignment):
        return 0
    return sum(
        all(isinstance(piece.place, Register) for piece in one.pieces) for one in answer.params[len(before) :]
    )


def fillers(integers: int, reals: int) -> Iterator[Param]:
    """Arguments that fill so many registers of either kind."""
    yield from (Param(f"i{number}", LLONG) for number in range(integers))
    yield from (Param(f"d{number}", DOUBLE) for number in range(reals))
