"""How stack and memory stand when a caller hands over."""

from __future__ import annotations

import pytest

from abiprobe.harness.input import read
from abiprobe.harness.machines.runtime.machine import X86_64, machine
from abiprobe.harness.machines.runtime.script import Called, Peeked
from abiprobe.harness.observers.image.entry import misaligned, misplaced_memory, misplaced_result
from abiprobe.harness.observers.image.plan import CallPlan, plan_call
from abiprobe.oracles.language.question import probe
from abiprobe.oracles.registry import find_model, find_target
from abiprobe.oracles.text.options import LayoutOptions
from abiprobe.oracles.text.place import Assignment
from abiprobe.results.verdicts.observations import Frame
from abiprobe.results.verdicts.wording import value_text, where_text

WIDE = """
typedef float v32 __attribute__((vector_size(32)));
void f(v32, v32, v32, v32, v32, v32, v32, v32, v32);
"""
BY_REFERENCE = "struct S { char a[3]; }; void f(struct S a, long double b);"


def planned(target: str, source: str) -> CallPlan:
    function = read(source, filename="f.h", triple="x86_64-linux-gnu").functions[0]
    model = find_model(target, LayoutOptions(vectors=32))
    assignment = model.assign(function)
    assert isinstance(assignment, Assignment)
    return plan_call(model.types, probe(function).id, function, assignment)


def captured(sp: int = 0x1000, *addresses: int) -> Called:
    block = X86_64.state({"rsp": sp.to_bytes(8, "little")})
    peeks = tuple(Peeked(address, b"") for address in addresses)
    return Called(0, sp, 1, block, b"", peeks, (), block, b"")


@pytest.mark.parametrize(
    ("source", "sp", "clauses"),
    [
        ("void f(int);", 0x1008, []),
        ("void f(int);", 0x1000, ["x86_64:stack.alignment"]),
        ("void f(long double);", 0x1008, []),
        (WIDE, 0x1018, []),
        (WIDE, 0x1008, ["x86_64:stack.alignment"]),
    ],
)
def test_the_stack_under_the_arguments(source: str, sp: int, clauses: list[str]) -> None:
    registers = find_target("x86_64-sysv").registers
    assert registers is not None
    found = misaligned(planned("x86_64-sysv", source), captured(sp), X86_64, registers)
    assert [item.clause for item in found] == clauses


@pytest.mark.parametrize(
    ("addresses", "told"),
    [
        ((0x100, 0x204), []),
        ((0x108, 0x200), [("a", "address in rcx", "a multiple of 16", "8 bytes above one")]),
    ],
)
def test_the_memory_of_what_is_passed_by_reference(
    addresses: tuple[int, int], told: list[tuple[str, str, str, str]]
) -> None:
    found = misplaced_memory(planned("x86_64-ms", BY_REFERENCE), captured(0x1008, *addresses), X86_64)
    assert [
        (item.what, where_text(item.place), value_text(item.expected), value_text(item.seen))
        for item in found
    ] == told


@pytest.mark.parametrize("target", ["aarch64-aapcs64", "aarch64_be-aapcs64"])
@pytest.mark.parametrize(
    ("source", "address", "places"),
    [
        ("struct S { _Alignas(32) int a; }; struct S f(void);", 0x1020, []),
        (
            "struct S { _Alignas(32) int a; }; struct S f(void);",
            0x1010,
            [("address in x8", "16 bytes above one")],
        ),
        ("struct S { char a[17]; }; struct S f(void);", 0x1001, []),
        ("struct S { long a[3]; }; struct S f(void);", 0x1004, [("address in x8", "4 bytes above one")]),
        ("struct S { long a; }; struct S f(void);", 0x1004, []),
        ("void f(int);", 0x1001, []),
    ],
)
def test_the_memory_of_a_result(
    target: str, source: str, address: int, places: list[tuple[str, str]]
) -> None:
    here = machine(find_target(target).machine)
    block = here.state({"x8": address.to_bytes(8, here.order)})
    found = misplaced_result(planned(target, source), Frame(block, here.registers, here.files, b"", 0), here)
    assert [(where_text(item.place), value_text(item.seen)) for item in found] == places
