"""The signatures of a complete suite: words over classes of types, and which type stands for a class."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

import msgspec

from abiprobe.generators.complete.calls import CallLetter, Calls, calls
from abiprobe.generators.complete.covering import state_cover
from abiprobe.generators.complete.identifiers import identifiers
from abiprobe.generators.complete.learning import LONGEST, learnt, separable
from abiprobe.generators.complete.machine import Word
from abiprobe.generators.complete.suite import every_word, longest, size
from abiprobe.generators.tours import drivers_apart, named
from abiprobe.generators.tours.automaton import MOST_STATES
from abiprobe.generators.tours.driving import Driver, Mode, Prefix
from abiprobe.generators.tours.menu import INT
from abiprobe.oracles.language.lang import PRESERVING, Prototype, Type
from abiprobe.oracles.model import AbiModel, Toured

Choose: TypeAlias = Callable[[Sequence[Type | None]], Type | None]
"""A choice of the type that stands for a class."""
MOST_WORDS = 2_000_000
"""Signatures of the largest suite."""


class ModeSuite(msgspec.Struct, frozen=True):
    """The suite of one mode for so many `extra` states.

    `words` have common classes only, and are complete for these by themselves; the `rare` ones, which need a type that not every
    compiler has, make them complete for all classes. `fewer` and `fewer_rare` are the same for one extra state less, if there is
    one. `alone` has each type of the classes by itself. `file` is the file of registers that the arguments keep to beside the
    general one, if they do.
    """

    mode: Mode
    name: str
    file: str
    extra: int
    states: int
    letters: tuple[CallLetter, ...]
    words: tuple[Word, ...]
    rare: tuple[Word, ...]
    fewer: tuple[Word, ...]
    fewer_rare: tuple[Word, ...]
    alone: tuple[Prototype, ...]


class CutOffError(Exception):
    """An automaton does not end, or has more states than are looked for, or its suite has more words than can be asked."""


def suites(model: AbiModel, extra: int, toured: Toured = Toured.WHOLE) -> Iterator[ModeSuite]:
    """Yield the suite of each mode that a model knows; none for a model without calls.

    Raises `CutOffError` where an automaton has too many states, and `InseparableError` where it is not minimal.
    """
    driver = Driver(model)
    if driver.answer(Prefix(Mode())) is None:
        return
    for some, file in drivers_apart(driver, toured):
        for mode in driver.modes(INT):
            # No text says what these preserve, and a caller relies on it from call to call.
            if mode.convention in PRESERVING:
                continue
            automaton = learnt(some, mode)
            if max(prefix.length for prefix in automaton.shortest) == LONGEST:
                raise CutOffError(f"the number of arguments is a state of {named(mode)} calls")
            if len(automaton.edges) == MOST_STATES:
                raise CutOffError(f"{MOST_STATES} states or more in the automaton of {named(mode)} calls")
            yield of_mode(some, calls(some, automaton), file, extra)


def of_mode(driver: Driver, found: Calls, file: str, extra: int) -> ModeSuite:
    """Return the suite of one mode, without classes that are in the way; raises `CutOffError` and `InseparableError`."""
    machine, telling = separable(found.machine)
    cover = state_cover(machine)
    identify = identifiers(machine, telling)
    if (words := size(machine, extra, identify)) > MOST_WORDS:
        raise CutOffError(
            f"{words:,} signatures, more than {MOST_WORDS:,}, by the automaton of {found.name} calls"
        )
    # What tells states apart has to be common for the common words to be complete.
    common = machine.common.union(*cover, *telling) == machine.common

    def divided(count: int) -> tuple[tuple[Word, ...], tuple[Word, ...]]:
        every = set(every_word(machine, count, cover, identify))
        plain = {word for word in every if machine.common.issuperset(word)} if common else every
        return longest(plain), longest(every - plain)

    return ModeSuite(
        found.mode,
        found.name,
        file,
        extra,
        len(machine.steps),
        found.letters,
        *divided(extra),
        *divided(max(extra - 1, 0)),
        tuple(alone(driver, found)),
    )


def alone(driver: Driver, found: Calls) -> Iterator[Prototype]:
    """Yield each type of each class by itself: as a first and a later argument, and as a result where it is one."""
    results = {c_type for number in found.machine.steps[0] for c_type in found.letters[number].types}
    for letter in found.letters[len(found.machine.steps[0]) :]:
        for c_type in (one for one in letter.types if one is not None):
            prefix = Prefix(found.mode, c_type if c_type in results else None)
            if letter.unnamed:
                prefix = prefix.with_more((INT,), (c_type, c_type))
            else:
                prefix = prefix.with_more((c_type, INT, c_type), ())
            if driver.answer(prefix) is not None:
                yield prefix.prototype()


def simplest(types: Sequence[Type | None]) -> Type | None:
    """Choose the simplest type of a class."""
    return types[0]


def signature(suite: ModeSuite, word: Word, choose: Choose) -> Prototype:
    """Return the signature of a word, in which types are chosen for their classes."""
    letters = [suite.letters[number] for number in word]
    result, *arguments = [choose(letter.usual) for letter in letters]
    prefix = Prefix(suite.mode, result)
    for letter, c_type in zip(letters[1:], arguments, strict=True):
        assert c_type is not None, "only a result may be nothing"
        prefix = prefix.then(c_type, unnamed=letter.unnamed)
    return prefix.with_named().prototype()
