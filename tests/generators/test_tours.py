"""Automata derived from models say what the models say, and tours cross all of them."""

from __future__ import annotations

import random
from functools import cache

import pytest

from abiprobe.generators.tours import drivers_apart, named, own_transitions, part, stages
from abiprobe.generators.tours.automaton import LONGEST, Automaton, Edge
from abiprobe.generators.tours.driving import Driver, Mode, Prefix
from abiprobe.generators.tours.learning import derive
from abiprobe.generators.tours.menu import USUAL
from abiprobe.harness.runs import tours
from abiprobe.oracles.language.features import type_features
from abiprobe.oracles.language.lang import Convention, Kind, Prototype, Scalar
from abiprobe.oracles.model import Toured
from abiprobe.oracles.registry import find_model, find_target

PLAIN, VARIADIC = Mode(), Mode(variadic=True)
QUICK = [
    ("x86_64-ms", PLAIN),
    ("x86_64-ms", VARIADIC),
    ("riscv64-lp64", PLAIN),
    ("riscv32-ilp32e", VARIADIC),
    ("upmem-dpu", VARIADIC),
]
COUNTS = [
    # Registers left of each file, and the parity of the stack when one has none.
    ("aarch64-aapcs64", 8 * 8 + 2 * (9 + 8)),
    # A position: one of four registers, or the stack.
    ("x86_64-ms", 5),
    # Registers left, and the parity of the stack when none is.
    ("riscv64-lp64", 8 + 2),
    # Words of the list, of which each real takes one and each vector two; behind it the parity, 14 numbers of reals and 13 of vectors.
    (
        "powerpc64-elfv1",
        sum(word - 2 * some + 1 for word in range(8) for some in range(word // 2 + 1)) + 2 * 14 * 13,
    ),
    ("riscv32-ilp32e", 7),
]


@cache
def derived(target: str, mode: Mode) -> tuple[Driver, Automaton]:
    driver = Driver(find_model(target))
    return driver, derive(driver, mode)


def crossed(driver: Driver, automaton: Automaton, signature: Prototype) -> set[Edge]:
    """The edges that a signature of the tour crosses."""
    prefix = Prefix(automaton.mode, signature.result)
    number = dict(automaton.starts)[signature.result]
    found: set[Edge] = set()
    for index, argument in enumerate(signature.arguments):
        unnamed = index >= len(signature.params)
        label = next(
            label
            for label, one in enumerate(automaton.classes)
            if one.unnamed is unnamed and argument.type in one.types
        )
        edge = next(edge for edge in automaton.edges[number] if edge.label == label)
        shortest = automaton.shortest[number]
        expected = driver.argument(shortest, automaton.classes[label].example, unnamed=unnamed)
        given = driver.argument(prefix, argument.type, unnamed=unnamed)
        assert expected is not None
        assert given is not None
        assert given[0] == expected[0], "the automaton says where the model puts it"
        found.add(edge)
        prefix, number = prefix.then(argument.type, unnamed=unnamed), edge.target
    return found


@pytest.mark.parametrize(("target", "mode"), QUICK)
def test_a_tour_crosses_every_transition(target: str, mode: Mode) -> None:
    driver, automaton = derived(target, mode)
    made = part(driver, automaton)
    found = set().union(*(crossed(driver, automaton, signature) for signature in made.signatures))
    required = own_transitions(driver, automaton)
    assert set(required.values()) == {required[edge] for edge in found if edge in required}
    assert made.transitions > 0
    assert max(len(signature.arguments) for signature in made.signatures) <= LONGEST


@pytest.mark.parametrize(("target", "mode"), QUICK)
def test_any_call_goes_the_way_of_the_automaton(target: str, mode: Mode) -> None:
    driver, automaton = derived(target, mode)
    choose = random.Random(1).choice
    for _ in range(40):
        result, number = choose(automaton.starts)
        prefix = Prefix(mode, result)
        for _ in range(LONGEST):
            if not automaton.edges[number]:
                break
            edge = choose(automaton.edges[number])
            one = automaton.classes[edge.label]
            c_type = choose(one.types)
            expected = driver.argument(automaton.shortest[number], one.example, unnamed=one.unnamed)
            given = driver.argument(prefix, c_type, unnamed=one.unnamed)
            assert given is not None
            assert expected is not None
            assert given[0] == expected[0], (prefix, c_type)
            prefix, number = prefix.then(c_type, unnamed=one.unnamed), edge.target


@pytest.mark.parametrize(("target", "states"), COUNTS)
def test_states_are_what_the_registers_and_the_stack_allow(target: str, states: int) -> None:
    assert len(derived(target, PLAIN)[1].edges) == states


def test_system_v_has_seven_times_nine_times_two_states() -> None:
    driver, automaton = derived("x86_64-sysv", PLAIN)
    assert len(automaton.edges) == 7 * 9 * 2
    assert all(len(edges) == len(automaton.classes) for edges in automaton.edges)
    made = part(driver, automaton)
    assert sum(len(crossed(driver, automaton, one)) for one in made.signatures) >= made.transitions


def test_states_that_differ_later_are_apart_and_cross_the_same() -> None:
    fastcall = Mode(convention=Convention.FASTCALL)
    driver, automaton = derived("i386-sysv", fastcall)
    assert len(set(automaton.views)) < len(automaton.edges)
    # Where an edge leads is where the model goes from each beginning of a call that leads to its source.
    made = part(driver, automaton)
    assert all(
        crossed(driver, automaton, signature) for signature in made.signatures[:20] if signature.params
    )


def test_what_is_rare_comes_last() -> None:
    _, automaton = derived("i386-sysv", VARIADIC)
    first, *_, last = stages(automaton)
    classes = [one.example for one in automaton.classes]
    assert all(type_features(classes[number]) <= USUAL for number in first.classes)
    assert last.classes == frozenset(range(len(classes))) >= first.classes
    assert last.starts == frozenset(range(len(automaton.starts)))


def test_a_class_is_what_the_model_treats_alike() -> None:
    classes = derived("riscv64-lp64", PLAIN)[1].classes
    (words,) = [one for one in classes if Scalar(Kind.INT) in one.types]
    # Without floating-point registers a double is a word like any other; a pair of them is none.
    assert Scalar(Kind.DOUBLE) in words.types
    assert Scalar(Kind.INT128) not in words.types


@pytest.mark.parametrize("target", ["powerpc-sysv", "powerpc64le-elfv2"])
def test_a_tour_apart_keeps_to_one_file_beside_the_general_registers(target: str) -> None:
    apart = drivers_apart(Driver(find_model(target)), Toured.APART)
    files = {file: {one for c_type in some.menu for one in some.files(c_type)} for some, file in apart}
    assert files == {"f": {"r", "f"}, "v": {"r", "v"}}


def test_vector_functions_have_no_tour() -> None:
    assert tours.parts(find_target("x86_64-vfabi")) == ()


def test_a_tour_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = tours.questions(find_target("x86_64-ms"))
    assert asked
    tours.parts.cache_clear()
    monkeypatch.setattr(tours.tours, "tour", lambda _model: pytest.fail("derived again"))
    assert tours.questions(find_target("x86_64-ms")) == asked


def test_modes_have_names() -> None:
    assert [named(mode) for mode in (PLAIN, VARIADIC, Mode(regparm=2))] == ["plain", "variadic", "regparm(2)"]


def test_every_signature_is_iso_c() -> None:
    assert all(one.params for one in part(*derived("i386-sysv", Mode(variadic=True))).signatures)
