"""Plain calls: words and reals that a model has where it has the values of another call."""

from __future__ import annotations

import pytest

from abiprobe.generators.pool import draw_pool
from abiprobe.harness.input import read
from abiprobe.harness.machines.targets import platform_of
from abiprobe.harness.triage.exports.plain import NoPlainCall, Plain, keys, plain_call, wanted
from abiprobe.oracles.language.lang import Param, Prototype, spelling
from abiprobe.oracles.registry import find_model, find_target
from abiprobe.oracles.text.place import Assignment

# The arguments of the plain call, then its result; worked out from the documents.
CALLS = [
    (
        "riscv64-lp64d",
        "struct S { float a; int : 0; float b; }; void f(struct S a);",
        ["float", "float"],
        None,
    ),
    ("riscv64-lp64d", "struct S { int a; float b[1]; }; struct S f(void);", [], "struct two"),
    ("riscv64-lp64d", "struct S { long a[3]; }; struct S f(struct S a);", ["void *", "void *"], None),
    ("x86_64-sysv", "union U { float a; int : 0; }; void f(union U a);", ["float"], None),
    (
        "x86_64-sysv",
        "struct S { long a; double b; }; void f(struct S a, int b);",
        ["unsigned long"] * 2 + ["double"],
        None,
    ),
    ("x86_64-sysv", "struct S { long a[3]; }; void f(struct S a);", ["unsigned long"] * 9, None),
    ("x86_64-sysv", "long double f(void);", [], "long double"),
    ("aarch64-aapcs64", "struct S { float a, b, c; }; struct S f(struct S a);", ["float"] * 3, "struct more"),
    ("i386-sysv", "struct S { int a; }; void f(struct S a, double b);", ["unsigned long"] * 3, None),
]


def declared(target: str, text: str) -> Prototype:
    return read(text, filename="t.h", triple=platform_of(find_target(target)).triple).functions[0]


def found(target: str, function: Prototype) -> tuple[Assignment, Plain]:
    model = find_model(target)
    places = model.assign(function)
    assert isinstance(places, Assignment)
    return places, plain_call(model, function, places, 16, exact=False)


@pytest.mark.parametrize(("target", "text", "arguments", "result"), CALLS)
def test_calls_with_the_same_places(target: str, text: str, arguments: list[str], result: str | None) -> None:
    _, plain = found(target, declared(target, text))
    assert [spelling(one.type) for one in plain.arguments] == arguments
    assert (plain.result and spelling(plain.result.type)) == result


@pytest.mark.parametrize("target", ["riscv64-lp64d", "x86_64-sysv", "aarch64-aapcs64", "s390x"])
def test_every_byte_that_counts_is_in_an_argument_of_the_plain_call(target: str) -> None:
    functions = draw_pool(seed=7, cases=25).prototypes
    model = find_model(target)
    answered = done = 0
    for function in functions:
        places = model.assign(function)
        if not isinstance(places, Assignment):
            continue
        answered += 1
        try:
            plain = plain_call(model, function, places, 16, exact=True)
        except NoPlainCall:
            continue
        done += 1
        needed = wanted(places.params, [bytes(one.size) for one in places.params])
        again = model.assign(
            Prototype(
                "g",
                plain.result and plain.result.type,
                tuple(Param(f"a{number}", one.type) for number, one in enumerate(plain.arguments)),
                convention=function.convention,
            )
        )
        assert isinstance(again, Assignment)
        covered = {where for one in again.params for piece in one.pieces for _, where in keys(piece)}
        assert {where for where, content in needed.items() if content.care} <= covered
    assert done > answered * 3 // 4, f"{done} of {answered}"


def test_a_stack_that_no_ordinary_call_aligns_has_none() -> None:
    text = "typedef char T __attribute__((aligned(64))); void f(long a, long b, long c, long d, long e, long g, T h);"
    with pytest.raises(NoPlainCall):
        found("x86_64-sysv", declared("x86_64-sysv", text))
