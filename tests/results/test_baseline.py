"""Baselines: what of a declaration is kept, and which changes of it break what was built before."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abiprobe.oracles.lang import Kind, Member, Param, Prototype, Record, Scalar
from abiprobe.oracles.registry import TARGETS, find_model
from abiprobe.results.baseline import SCHEMA, Baseline, BaselineError, baseline, changes, decoded, encoded

TARGET = "x86_64-sysv"
CHAR, INT, DOUBLE = (Scalar(kind) for kind in (Kind.CHAR, Kind.INT, Kind.DOUBLE))


def record(*members: tuple[str, Scalar]) -> Record:
    return Record("S", tuple(Member(c_type, name) for name, c_type in members))


def kept(*questions: Record | Prototype, target: str = TARGET) -> Baseline:
    records = [one for one in questions if isinstance(one, Record)]
    functions = [one for one in questions if isinstance(one, Prototype)]
    return baseline([(target, find_model(target), records, functions)])


def lines(before: Baseline, after: Baseline) -> list[tuple[str, bool]]:
    return [(one.line.removeprefix(f"{TARGET}  "), one.breaks) for one in changes(before, after)]


def function(*types: Scalar | Record, result: Scalar | None = None) -> Prototype:
    return Prototype("f", result, tuple(Param(f"p{at}", c_type) for at, c_type in enumerate(types)))


BEFORE = record(("c", CHAR), ("d", DOUBLE))
CHANGES = {
    "nothing": (BEFORE, []),
    "a member in the padding": (
        record(("c", CHAR), ("new", INT), ("d", DOUBLE)),
        [("struct S: member new is new: bits 32 to 64", False)],
    ),
    "a member at the end": (
        record(("c", CHAR), ("d", DOUBLE), ("e", INT)),
        [
            ("struct S: size: 16 bytes -> 24 bytes", True),
            ("struct S: member e is new: bits 128 to 160", False),
        ],
    ),
    "a member that is gone": (
        record(("c", CHAR)),
        [
            ("struct S: size: 16 bytes -> 1 byte", True),
            ("struct S: alignment: 8 bytes -> 1 byte", True),
            ("struct S: member d is gone (was bits 64 to 128)", True),
        ],
    ),
}


@pytest.mark.parametrize("what", CHANGES)
def test_changes_of_a_record(what: str) -> None:
    after, expected = CHANGES[what]
    assert lines(kept(BEFORE), kept(after)) == expected


def test_names_of_parameters_are_no_abi() -> None:
    renamed = Prototype("f", INT, (Param("other", DOUBLE),))
    assert not lines(kept(function(DOUBLE, result=INT)), kept(renamed))


def test_a_parameter_of_another_type_travels_elsewhere() -> None:
    found = lines(kept(function(INT, INT)), kept(function(DOUBLE, INT)))
    assert found == [
        ("f(): parameter 1: int, direct, bytes 0 to 4 in rdi -> double, direct, bytes 0 to 8 in xmm0", True),
        ("f(): parameter 2: int, direct, bytes 0 to 4 in rsi -> int, direct, bytes 0 to 4 in rdi", True),
    ]


def test_declarations_that_come_and_go() -> None:
    gone, come = lines(kept(BEFORE), kept(function(INT))), lines(kept(function(INT)), kept(BEFORE))
    assert gone == [("f() is new", False), ("struct S is gone", True)]
    assert come == [("f() is gone", True), ("struct S is new", False)]


@given(st.sampled_from(sorted(TARGETS)))
def test_a_baseline_is_what_its_file_says(target: str) -> None:
    found = kept(BEFORE, function(BEFORE, INT, result=DOUBLE), target=target)
    assert decoded(encoded(found)) == found
    assert not list(changes(found, found))
    assert encoded(found).endswith(b"}\n")


@pytest.mark.parametrize("data", [b"", b"[]", b"\xff", b'{"schema": 1}', b'{"schema": 99, "targets": {}}'])
def test_another_file_is_no_baseline(data: bytes) -> None:
    with pytest.raises(BaselineError):
        decoded(data)


def test_targets_that_only_one_knows_are_left_out() -> None:
    assert not list(changes(Baseline(SCHEMA, {}), kept(BEFORE)))
