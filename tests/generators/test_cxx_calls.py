"""The generator of calls of C++, the programs about them, their reduction, and what holds for every call."""

from __future__ import annotations

from itertools import islice

import msgspec
import pytest

from abiprobe.generators.cxx_calls import stream
from abiprobe.generators.reduction.candidates import candidates
from abiprobe.generators.reduction.cost import cost
from abiprobe.harness.machines.render.cxx_calls import arranged, cxx_calls_unit, cxx_functions_of
from abiprobe.harness.machines.render.declaration import declaration
from abiprobe.oracles.abis.itanium.definitions import is_empty
from abiprobe.oracles.abis.itanium.makable import can_be_made
from abiprobe.oracles.abis.itanium.triviality import is_non_trivial
from abiprobe.oracles.engine.cxx_call import CxxCall
from abiprobe.oracles.language.classes import Class, element
from abiprobe.oracles.language.cxx_calls import CxxParam, CxxPrototype, call_title, classes_in
from abiprobe.oracles.language.lang import Member, Param, Prototype, Record
from abiprobe.oracles.language.question import decode, encode, probe
from abiprobe.oracles.registry import CXX_CALLS, cxx_call_model, find_target
from abiprobe.oracles.text.place import Assignment, Passing

DRAWN = tuple(islice(stream(seed=11), 300))
TARGETS = tuple(sorted(CXX_CALLS))


def placed(target: str, asked: CxxPrototype) -> CxxCall | None:
    found = cxx_call_model(find_target(target)).call(asked)
    return found if isinstance(found, CxxCall) else None


def test_the_same_seed_draws_the_same_calls_and_none_twice() -> None:
    assert tuple(islice(stream(seed=11), 300)) == DRAWN
    assert len({probe(one).id for one in DRAWN}) == len(DRAWN)


def test_every_call_survives_as_json_and_has_a_title() -> None:
    assert all(decode(encode(one)) == one for one in DRAWN)
    assert all(call_title(one).endswith(")") or "/*" in call_title(one) for one in DRAWN)


def test_calls_of_every_sort_are_drawn() -> None:
    classes = {one for asked in DRAWN for one in classes_in(asked.types)}
    assert {is_non_trivial(one) for one in classes} == {is_empty(one) for one in classes} == {True, False}
    assert all(map(can_be_made, classes))
    for sort in ("this", "virtual", "variadic", "result"):
        assert {bool(getattr(one, sort)) for one in DRAWN} == {True, False}


def test_every_call_has_a_program() -> None:
    found = [(one, call) for one in DRAWN if (call := placed("x86_64-sysv", one))]
    text = cxx_calls_unit([cxx_functions_of(one, arranged(call)) for one, call in found])
    assert text.count('#line 1 "probe_') == len(found) > len(DRAWN) * 9 // 10
    assert all(one.name in declaration(one) for one, _ in found)


def test_every_candidate_of_a_reduction_is_cheaper() -> None:
    for one in DRAWN[:60]:
        assert all(cost(simpler) < cost(one) for simpler in candidates(one))


@pytest.mark.parametrize("target", TARGETS)
def test_what_is_non_trivial_is_passed_by_address_and_nothing_else_is_but_by_the_c_abi(target: str) -> None:
    for one in DRAWN[:100]:
        call = placed(target, one)
        for argument, passed in zip(
            one.arguments, call.assignment.params[one.this is not None :] if call else (), strict=bool(call)
        ):
            if isinstance(argument.type, Class) and is_non_trivial(argument.type):
                clause = "unnamed" if argument.name.startswith("...") else "parameter"
                assert (passed.passing, passed.clause) == (Passing.INDIRECT, f"cxxabi:calls.{clause}")


def in_c(asked: Class) -> Record:
    """The record of C that is declared as a class is."""
    members = tuple(
        Member(
            in_c(one.type) if isinstance(one.type, Class) else one.type,
            one.name,
            one.width,
            alignas=one.alignas,
        )  # type: ignore[arg-type]
        for one in asked.members
    )
    return Record(asked.tag, members, union=asked.union, align=asked.alignas)


def is_of_c(asked: Class) -> bool:
    """Return whether C could declare a class as it is."""
    return (
        not asked.bases
        and not asked.virtuals
        and asked.specials == type(asked.specials)()
        and bool(asked.members)
        and all(one.access.value == "public" and not one.no_unique_address for one in asked.members)
        and all(
            is_of_c(one.type) if isinstance(one.type, Class) else type(one.type).__name__ in PLAIN
            for one in asked.members
        )
    )


PLAIN = frozenset({"Scalar", "Pointer"})


@pytest.mark.parametrize("target", TARGETS)
def test_a_class_that_c_has_too_is_passed_as_in_c(target: str) -> None:
    model, compared = find_target(target).model(), 0
    classes = {one for asked in DRAWN for one in classes_in(asked.types) if is_of_c(one)}
    for one in classes:
        assert element(one) is one
        call = placed(target, CxxPrototype("f", one, (CxxParam("a", one),)))
        record = in_c(one)
        of_c = model.assign(Prototype("f", record, (Param("a", record),)))
        if call is None or not isinstance(of_c, Assignment):
            assert (call is None) is not isinstance(of_c, Assignment)
            continue
        assert msgspec.structs.replace(
            call.assignment, params=plain(call.assignment), result=None
        ) == msgspec.structs.replace(of_c, params=plain(of_c), result=None)
        compared += 1
    assert compared > 20


def plain(call: Assignment) -> tuple[object, ...]:
    """The places of values, without the names of their types."""
    values = (*call.params, *(() if call.result is None else (call.result,)))
    return tuple(msgspec.structs.replace(one, type="") for one in values)
