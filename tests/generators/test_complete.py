"""Suites tell every machine with a bounded number of states more, and the machine says what the model says."""

from __future__ import annotations

import os
from functools import cache

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from abiprobe.generators.complete.calls import Calls, argument_places, calls
from abiprobe.generators.complete.covering import state_cover
from abiprobe.generators.complete.identifiers import (
    InseparableError,
    characterization_set,
    divided,
    identifiers,
)
from abiprobe.generators.complete.learning import learnt
from abiprobe.generators.complete.machine import Machine, Word, minimal, told_everywhere
from abiprobe.generators.complete.suite import longest, suite
from abiprobe.generators.draw import SeededDraw
from abiprobe.generators.tours import drivers_apart
from abiprobe.generators.tours.automaton import Class, walk
from abiprobe.generators.tours.driving import Driver, Mode, Prefix
from abiprobe.generators.tours.guessing import Guess
from abiprobe.generators.tours.learning import refuted
from abiprobe.generators.tours.menu import DOUBLE, INT
from abiprobe.oracles.registry import find_target

from .mutants import difference, is_told, mutant

PLAIN, VARIADIC = Mode(), Mode(variadic=True)
QUICK = [
    ("x86_64-ms", PLAIN, ""),
    ("x86_64-ms", VARIADIC, ""),
    ("riscv32-ilp32e", PLAIN, ""),
    ("riscv32-ilp32e", VARIADIC, ""),
    ("upmem-dpu", VARIADIC, ""),
    ("i386-sysv", PLAIN, ""),
    ("i386-sysv", Mode(regparm=3), ""),
    ("riscv64-lp64d", PLAIN, ""),
]
SLOW = [
    *(("x86_64-sysv", mode, "") for mode in (PLAIN, VARIADIC)),
    *(("aarch64-aapcs64", mode, "") for mode in (PLAIN, VARIADIC)),
    ("s390x", VARIADIC, ""),
    ("arm-aapcs-vfp", PLAIN, ""),
    # Its suites are of one file of registers beside the general one each: both together have too many states.
    *(("powerpc64le-elfv2", mode, file) for mode in (PLAIN, VARIADIC) for file in "fv"),
]
EVERY = [*QUICK, *(pytest.param(*one, marks=pytest.mark.long) for one in SLOW)]
MUTANTS = 200
MANY = int(os.environ.get("ABIPROBE_MUTANTS", "2000"))
"""Mutants of the model of System V on x86-64; the documents tell of 100,000."""


@cache
def derived(target: str, mode: Mode, file: str = "") -> tuple[Driver, Calls]:
    asked = find_target(target)
    apart = {name: driver for driver, name in drivers_apart(Driver(asked.model()), asked.toured)}
    driver = apart[file]
    return driver, calls(driver, learnt(driver, mode))


@st.composite
def machines(draw: st.DrawFn) -> Machine:
    """Machines of up to five states and three letters."""
    states, letters = draw(st.integers(1, 5)), draw(st.integers(1, 3))
    step = st.tuples(st.integers(0, 2), st.integers(0, states - 1))
    row = st.fixed_dictionaries(dict.fromkeys(range(letters), step))
    return Machine(tuple(draw(row) for _ in range(states)), (0,) * states, frozenset(range(letters)))


def is_minimal(machine: Machine) -> bool:
    """Return whether all states are reached and differ."""
    states = range(len(machine.steps))
    seen = {0}
    for _ in states:
        seen |= {target for state in seen for _, target in machine.steps[state].values()}
    return len(seen) == len(states) and all(
        differ(machine, one, other) for one in states for other in range(one)
    )


def differ(machine: Machine, one: int, other: int) -> bool:
    """Return whether two states answer some word differently, as two machines that begin there."""
    return difference(begun(machine, one), begun(machine, other)) is not None


def begun(machine: Machine, state: int) -> Machine:
    """A machine that begins in another state, which changes places with the first."""
    swap = {0: state, state: 0}
    order = [swap.get(number, number) for number in range(len(machine.steps))]
    steps = (
        {letter: (one, swap.get(target, target)) for letter, (one, target) in machine.steps[old].items()}
        for old in order
    )
    return Machine(tuple(steps), tuple(machine.phases[old] for old in order), machine.common)


@given(machines(), st.integers(0, 2), st.integers(0, 10_000))
def test_a_suite_tells_every_machine_with_so_many_states_more(
    machine: Machine, extra: int, seed: int
) -> None:
    assume(is_minimal(machine))
    words, cover = suite(machine, extra), state_cover(machine)
    draw = SeededDraw(seed)
    for _ in range(20):
        other = mutant(draw, machine, extra)
        told = is_told(machine, words, cover, other)
        assert told is (difference(machine, other.machine) is not None)


@given(machines())
def test_what_is_not_minimal_has_no_characterization_set(machine: Machine) -> None:
    states = range(len(machine.steps))
    if all(differ(machine, one, other) for one in states for other in range(one)):
        assert divided(machine, [tuple(states)], ()) or len(states) == 1
        characterization_set(machine)
    else:
        with pytest.raises(InseparableError):
            characterization_set(machine)


@pytest.mark.parametrize("extra", [0, 1])
@pytest.mark.parametrize(("target", "mode", "file"), EVERY)
def test_a_suite_tells_every_mutant_of_a_model(target: str, mode: Mode, file: str, extra: int) -> None:
    machine = derived(target, mode, file)[1].machine
    assert survivors(machine, extra, MUTANTS) == []


def survivors(machine: Machine, extra: int, count: int) -> list[Word]:
    """Words that a suite does not have, which tell mutants that it misses."""
    words, cover, draw = suite(machine, extra), state_cover(machine), SeededDraw(extra)
    drawn = (mutant(draw, machine, extra) for _ in range(count))
    missed = (other for other in drawn if not is_told(machine, words, cover, other))
    return [word for other in missed if (word := difference(machine, other.machine)) is not None]


def test_many_mutants_of_system_v() -> None:
    machine = derived("x86_64-sysv", PLAIN)[1].machine
    assert survivors(machine, 1, MANY) == []


def test_a_smaller_suite_misses_what_a_larger_one_tells() -> None:
    machine = derived("x86_64-ms", PLAIN)[1].machine
    cover, draw = state_cover(machine), SeededDraw(1)
    drawn = [mutant(draw, machine, 3) for _ in range(2000)]
    missed = [other for other in drawn if not is_told(machine, suite(machine, 0), cover, other)]
    told = [other for other in missed if difference(machine, other.machine) is not None]
    assert told, "what has more states than the suite is for may pass"
    assert all(is_told(machine, suite(machine, 3), cover, other) for other in told)


@pytest.mark.parametrize(("target", "mode", "file"), EVERY)
def test_the_model_answers_every_word_of_the_suite_as_the_machine(target: str, mode: Mode, file: str) -> None:
    driver, found = derived(target, mode, file)
    for word in suite(found.machine, 0):
        prefix, state = Prefix(mode, found.letters[word[0]].types[0]), found.machine.after(0, word[:1])
        for number in word[1:]:
            letter = found.letters[number]
            (c_type,) = letter.types[:1]
            assert c_type is not None
            answer, target_state = found.machine.steps[state][number]
            assert argument_places(driver, prefix, c_type, unnamed=letter.unnamed) == answer
            prefix, state = prefix.then(c_type, unnamed=letter.unnamed), target_state


@pytest.mark.parametrize(("target", "mode"), [(target, mode) for target, mode, _ in QUICK])
def test_the_cover_reaches_every_state_and_has_its_own_beginnings(target: str, mode: Mode) -> None:
    machine = derived(target, mode)[1].machine
    cover = state_cover(machine)
    assert [machine.after(0, word) for word in cover] == list(range(len(machine.steps)))
    assert {word[:-1] for word in cover if word} <= set(cover)


@pytest.mark.parametrize(("target", "mode"), [(target, mode) for target, mode, _ in QUICK])
def test_two_identifiers_share_a_word_that_separates(target: str, mode: Mode) -> None:
    machine = derived(target, mode)[1].machine
    found = identifiers(machine, characterization_set(machine))
    for one, mine in enumerate(found):
        for other, its in enumerate(found[:one]):
            if machine.phases[one] == machine.phases[other]:
                shared = {word[:end] for word in mine for end in range(len(word) + 1)}
                shared &= {word[:end] for word in its for end in range(len(word) + 1)}
                assert any(machine.outputs(one, word) != machine.outputs(other, word) for word in shared)


def test_a_class_that_alone_tells_states_and_is_silent_in_some_is_left_out() -> None:
    steps = ({0: ("a", 1), 1: ("b", 0)}, {0: ("a", 0)})
    machine = Machine(steps, (0, 0), frozenset({0, 1}))
    with pytest.raises(InseparableError):
        characterization_set(machine)
    assert told_everywhere(machine).steps == ({0: ("a", 0)},)


def test_a_state_that_only_such_a_class_leads_to_is_left_out_with_it() -> None:
    steps = ({0: ("a", 0), 1: ("b", 1)}, {0: ("c", 1)})
    assert told_everywhere(Machine(steps, (0, 0), frozenset({0, 1}))).steps == ({0: ("a", 0)},)


@given(machines())
def test_a_minimal_machine_is_equivalent_and_has_no_two_states_alike(machine: Machine) -> None:
    found = minimal(machine)
    assert difference(machine, found) is None
    states = range(len(found.steps))
    assert all(differ(found, one, other) for one in states for other in range(one))


def test_the_suite_of_system_v_has_a_word_for_each_state_and_pair_of_classes() -> None:
    machine = derived("x86_64-sysv", PLAIN)[1].machine
    assert len(characterization_set(machine)) == 1
    # 126 states, two of 12 classes behind each; the rest begins with a result.
    assert 126 * 12**2 <= len(suite(machine, 1)) <= 126 * 12**2 + 60


def test_what_walks_missed_its_own_suite_finds() -> None:
    driver = Driver(find_target("x86_64-ms").model())
    blind = Guess(driver, PLAIN, (Class((INT, DOUBLE), unnamed=False),))
    one = walk(driver, PLAIN, blind.classes, (None,), ())
    assert len(one.edges) == 1, "without a word every state is the same"
    assert refuted(blind, one, [(0, (0, 0))])
    assert len(walk(driver, PLAIN, blind.classes, (None,), blind.words).edges) > 1


def test_no_word_begins_another() -> None:
    assert longest([(1, 2), (1,), (2,), (1, 2, 3), (2,)]) == ((1, 2, 3), (2,))


def test_what_is_rare_is_avoided() -> None:
    machine = derived("i386-sysv", PLAIN)[1].machine
    assert all(set(word) <= machine.common for word in state_cover(machine))
    assert all(set(word) <= machine.common for word in characterization_set(machine))
