"""A function of another target's convention is asked about where that target is."""

from __future__ import annotations

from abiprobe.harness.input.declared import Declared, by_target, declared_in_ours
from abiprobe.oracles.registry import find_target

TEXT = """
struct S { int a; };
int mine(struct S s);
int __attribute__((ms_abi)) theirs(struct S s);
"""
ONLY = "int __attribute__((ms_abi)) theirs(int a);"


def names(found: list[Declared]) -> dict[str, tuple[int, list[str]]]:
    return {
        one.target.spelling: (len(one.records), [function.name for function in one.functions])
        for one in found
    }


def test_functions_of_microsofts_convention_are_questions_of_its_target() -> None:
    read = by_target([declared_in_ours(TEXT, find_target("x86_64-sysv"))])
    assert names(read) == {"x86_64-sysv": (1, ["mine"]), "x86_64-ms": (0, ["theirs"])}


SYSV = """
int mine(int a);
int __attribute__((sysv_abi)) theirs(int a);
int (__attribute__((__sysv_abi__)) also)(int a);
void last(int a) __attribute__((sysv_abi));
"""


def test_functions_of_system_v_are_questions_of_its_target() -> None:
    read = by_target([declared_in_ours(SYSV, find_target("x86_64-ms@gcc-reading"))])
    assert names(read) == {
        "x86_64-ms@gcc-reading": (0, ["mine"]),
        "x86_64-sysv@gcc-reading": (0, ["theirs", "also", "last"]),
    }
    assert all(function.convention is None for one in read for function in one.functions)
    both = by_target([declared_in_ours(SYSV, find_target(target)) for target in ("x86_64-ms", "x86_64-sysv")])
    assert names(both) == {
        "x86_64-ms": (0, ["mine"]),
        "x86_64-sysv": (0, ["mine", "theirs", "also", "last"]),
    }


SCALABLE = """
struct S { int a; };
int mine(struct S s);
void vectors(__rvv_int32m1_t a, int b);
__rvv_bool8_t mask(void);
"""


def test_functions_of_scalable_vectors_are_questions_of_the_vector_variant() -> None:
    read = by_target([declared_in_ours(SCALABLE, find_target("riscv64-lp64d"))])
    assert names(read) == {
        "riscv64-lp64d": (1, ["mine"]),
        "riscv64-lp64d-vector": (0, ["vectors", "mask"]),
    }


def test_functions_of_types_of_sve_are_questions_of_the_target_that_has_them() -> None:
    read = by_target(
        [declared_in_ours("int mine(int a); svbool_t theirs(svint32x2_t a);", find_target("aarch64-aapcs64"))]
    )
    assert names(read) == {"aarch64-aapcs64": (0, ["mine"]), "aarch64_sve-aapcs64": (0, ["theirs"])}


def test_a_dialect_stays() -> None:
    read = by_target([declared_in_ours(ONLY, find_target("x86_64-sysv@gcc-reading"))])
    assert names(read) == {"x86_64-ms@gcc-reading": (0, ["theirs"])}


def test_nothing_is_asked_twice() -> None:
    read = by_target([declared_in_ours(TEXT, find_target(target)) for target in ("x86_64-sysv", "x86_64-ms")])
    assert names(read) == {"x86_64-sysv": (1, ["mine"]), "x86_64-ms": (1, ["mine", "theirs"])}


def test_declarations_without_such_functions_stay_as_they_are() -> None:
    read = [declared_in_ours("struct S { int a; }; int f(struct S s);", find_target("x86_64-sysv"))]
    assert by_target(read) == read
