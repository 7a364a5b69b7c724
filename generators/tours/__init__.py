"""Tours: few signatures that cross every transition of a model's automaton, and with them every rule for running out.

The automaton is derived from the model (`automaton`), by driving it (`driving`) with types that know no ABI (`menu`); `covering`
finds the signatures. A tour is a function of the model alone, so it has no seed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

import msgspec

from abiprobe.generators.tours.automaton import Automaton, Edge
from abiprobe.generators.tours.covering import Stage, cover
from abiprobe.generators.tours.driving import Driver, Mode, Prefix
from abiprobe.generators.tours.learning import derive
from abiprobe.generators.tours.menu import INT, USUAL
from abiprobe.oracles.language.features import type_features
from abiprobe.oracles.language.lang import Prototype, Type
from abiprobe.oracles.language.promotion import promoted
from abiprobe.oracles.model import AbiModel, Toured


class ModeTour(msgspec.Struct, frozen=True):
    """The tour of one mode: how many states, transitions to cross and classes there are, and the signatures.

    `mode` also names the file of registers that a tour keeps to beside the general one, if it does. `crossed` has for each signature the numbers of the results and transitions that it crosses.
    """

    mode: str
    states: int
    transitions: int
    classes: int
    signatures: tuple[Prototype, ...]
    crossed: tuple[tuple[int, ...], ...]


def tour(model: AbiModel, toured: Toured = Toured.WHOLE) -> tuple[ModeTour, ...]:
    """The tour of a model, a part for each mode that it knows; none for a model without calls."""
    return tuple(parts(model, toured))


def parts(model: AbiModel, toured: Toured = Toured.WHOLE) -> Iterator[ModeTour]:
    """The parts of a tour, one after the other, each of which may take seconds."""
    driver = Driver(model)
    if driver.answer(Prefix(Mode())) is None:
        return
    yield types(driver)
    for some, file in drivers_apart(driver, toured):
        yield from (part(some, derive(some, mode), file) for mode in driver.modes(INT))


def number_of_parts(model: AbiModel, toured: Toured = Toured.WHOLE) -> int:
    """Return the number of parts of a model's tour."""
    driver = Driver(model)
    if driver.answer(Prefix(Mode())) is None:
        return 0
    return 1 + len(driver.modes(INT)) * len(drivers_apart(driver, toured))


def drivers_apart(driver: Driver, toured: Toured) -> tuple[tuple[Driver, str], ...]:
    """The driver, or one that keeps to each file of registers beside that of integers, with the file."""
    if toured is Toured.WHOLE:
        return ((driver, ""),)
    found = dict.fromkeys(file for c_type in driver.menu for file in sorted(driver.files(c_type)))
    others = frozenset(found) - driver.files(INT)
    return tuple((driver.without(others - {file}), file) for file in found if file in others)


def types(driver: Driver) -> ModeTour:
    """Each type of the menu as a first and as a later argument and as a result, by itself: who lacks one misses one."""
    asked = [Prefix(Mode(), c_type, (c_type, INT, c_type)) for c_type in driver.menu]
    asked += [
        Prefix(Mode(variadic=True), None, (INT,), (c_type,))
        for c_type in driver.menu
        if promoted(c_type) == c_type
    ]
    signatures = tuple(prefix.prototype() for prefix in asked if driver.answer(prefix) is not None)
    return ModeTour("types", 0, 0, len(driver.menu), signatures, ((),) * len(signatures))


def part(driver: Driver, automaton: Automaton, file: str = "") -> ModeTour:
    """The tour of one mode."""
    required = own_transitions(driver, automaton)
    paths = cover(automaton, required, stages(automaton))
    turns: Counter[int] = Counter()
    crossed: dict[Prototype, tuple[int, ...]] = {}
    for path in paths:
        signature = spelled(automaton, automaton.starts[path.start][0], path.edges, turns)
        crossed[signature] = tuple(sorted({*crossed.get(signature, ()), *path.crossed}))
    states, crossings = len(set(automaton.views)), len(set(required.values()))
    classes = len(automaton.classes)
    mode = f"{named(automaton.mode)}, {file}" if file else named(automaton.mode)
    return ModeTour(mode, states, crossings, classes, tuple(crossed), tuple(crossed.values()))


def own_transitions(driver: Driver, automaton: Automaton) -> dict[Edge, object]:
    """The transitions that the tour of a mode must cross, by edge: all, but of a variadic call only those that are its own.

    What a variadic call does like any other is left to the others, and states that unnamed arguments cannot tell apart are
    one to them; `va_arg` in the callee is asked in every state that unnamed arguments lead to.
    """
    if not automaton.mode.variadic:
        return automaton.transitions
    own: dict[Edge, object] = {}
    for edge in automaton.all_edges:
        begun = bool(automaton.shortest[edge.source].unnamed)
        if begun or not is_plain(driver, automaton, edge):
            unnamed = automaton.classes[edge.label].unnamed
            view = unnamed_view(automaton, edge.source) if unnamed else automaton.views[edge.source]
            own[edge] = (unnamed, begun, edge.label, view)
    return own


def stages(automaton: Automaton) -> tuple[Stage, ...]:
    """Return the stages of a tour: types that most compilers have, then one rare feature more for each stage, then everything.

    So what a signature that needs a rare feature is the first to cross can be crossed by none without it.
    """
    classes = [type_features(one.example) - USUAL for one in automaton.classes]
    starts = [
        frozenset() if result is None else type_features(result) - USUAL for result, _ in automaton.starts
    ]
    rare = sorted({feature for needs in (*classes, *starts) for feature in needs})
    had: list[frozenset[str]] = [frozenset(), *(frozenset({feature}) for feature in rare), frozenset(rare)]
    return tuple(Stage(within(classes, some), within(starts, some)) for some in had)


def within(needs: Iterable[frozenset[str]], had: frozenset[str]) -> frozenset[int]:
    """The numbers of what needs no other features."""
    return frozenset(number for number, each in enumerate(needs) if each <= had)


def unnamed_view(automaton: Automaton, state: int) -> tuple[int, ...]:
    """Return the states to which unnamed arguments lead from a state."""
    return tuple(
        automaton.views[edge.target]
        for edge in automaton.edges[state]
        if automaton.classes[edge.label].unnamed
    )


def is_plain(driver: Driver, automaton: Automaton, edge: Edge) -> bool:
    """Return whether a call that is not variadic gets the same answer."""
    one, prefix = automaton.classes[edge.label], automaton.shortest[edge.source]
    plain = Prefix(Mode(), prefix.result, prefix.named)
    return driver.argument(plain, one.example, unnamed=False) == driver.argument(
        prefix, one.example, unnamed=one.unnamed
    )


def spelled(
    automaton: Automaton, result: Type | None, path: tuple[Edge, ...], turns: Counter[int]
) -> Prototype:
    """A signature; the types of a class take turns."""
    prefix = Prefix(automaton.mode, result)
    for edge in path:
        one = automaton.classes[edge.label]
        c_type = one.usual[turns[edge.label] % len(one.usual)]
        turns[edge.label] += 1
        prefix = prefix.then(c_type, unnamed=one.unnamed)
    return prefix.with_named().prototype()


def named(mode: Mode) -> str:
    """A mode in words."""
    if mode.convention is not None:
        return mode.convention.value
    if mode.regparm is not None:
        return f"regparm({mode.regparm})"
    return "variadic" if mode.variadic else "plain"
