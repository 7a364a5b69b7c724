"""Tests of C++ compilers about a class: for g++.dg/abi, and for clang/test/CodeGenCXX."""

from __future__ import annotations

from abiprobe.harness.observers.bundle import SelfTest
from abiprobe.harness.observers.registry import observer_of
from abiprobe.harness.triage.cases import Case
from abiprobe.harness.triage.exports.program import array
from abiprobe.harness.triage.exports.templates import filled
from abiprobe.oracles.language.question import probe

STANDARD = "-std=c++20"
"""The first standard that has every attribute of the classes that are asked about."""


def for_gcc(case: Case, about: str, selector: str, options: str) -> str:
    """A test of gcc: static assertions, and a program that looks at bases and bit-fields."""
    made = test_of(case)
    return filled(
        "class.C.j2",
        about=about,
        selector=selector,
        options=f"{STANDARD} -Wno-invalid-offsetof {options}",
        unit=made.program or made.static,
        wanted=array(made.wanted) if made.wanted else "",
        size=len(made.wanted),
    )


def for_clang(case: Case, about: str, options: str) -> str:
    """A test of clang: static assertions, which it takes without a word."""
    return filled(
        "class.cpp.j2",
        about=about,
        options=f"{options} {STANDARD} -Wno-invalid-offsetof",
        unit=test_of(case).static,
    )


def test_of(case: Case) -> SelfTest:
    """The unit that asserts what the text says of the class of a case."""
    return observer_of(case.target, case.question).self_test(probe(case.question))
