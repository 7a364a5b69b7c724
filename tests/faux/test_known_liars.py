"""Compilers that are wrong in one way which resembles a known deviation: their verdicts are never told as known."""

from __future__ import annotations

import pytest

from abiprobe.harness.subjects.compile import Limits
from abiprobe.oracles.language.lang import Prototype, Record
from abiprobe.results.causes.fingerprint import fingerprints
from abiprobe.results.known.deviations import concerning, resemblances, shipped
from abiprobe.results.verdicts.record import Verdict

from .putting import Ask, Verdicts
from .test_one_clause import CALL_LIES, LAYOUT_LIES, MS, calls, records

VERSIONS = ("13.0.1", "16.0.6", "19.1.7", "22.1.8")
ENTRIES = shipped().entries


def of(verdicts: Verdicts, name: str) -> tuple[Verdict, ...]:
    """The verdicts on one question."""
    return tuple(one for (asked, _), one in verdicts.items() if asked == name)


def known(target: str, question: Prototype | Record, given: tuple[Verdict, ...]) -> set[str]:
    """What knows these verdicts if a clang of any version gave them."""
    assert fingerprints(target, given)
    found: set[str] = set()
    for version in VERSIONS:
        entries = concerning(ENTRIES, target, "clang", version)
        every = resemblances(entries, target, question, given)
        exact = {one.entry.name for one in every if one.entry is not None and one.exact}
        # One deviation that no entry knows is enough for the probe to be new.
        found |= exact if all(one.entry is not None and one.exact for one in every) else set()
    return found


@pytest.mark.parametrize(("target", "name", "lie", "clause"), CALL_LIES)
def test_a_call_wrong_by_one_clause_is_new(
    monkeypatch: pytest.MonkeyPatch, lied: Ask, target: str, name: str, lie: str, clause: str
) -> None:
    monkeypatch.setenv("ABIPROBE_TESTS_REWRITE", lie)
    asked = {one.name: one for one in calls(target) if target != MS or one.name != "large"}
    verdicts = lied("rewrites", target, tuple(asked.values()), Limits())
    given = of(verdicts, name)
    assert clause in {item.clause for item in fingerprints(target, given)}
    assert not known(target, asked[name], given)


@pytest.mark.parametrize("target", ["x86_64-sysv", "riscv64-lp64d", "i386-sysv"])
@pytest.mark.parametrize(("name", "lie", "clause"), LAYOUT_LIES)
def test_a_layout_wrong_by_one_clause_is_new(
    monkeypatch: pytest.MonkeyPatch, lied: Ask, target: str, name: str, lie: str, clause: str
) -> None:
    monkeypatch.setenv("ABIPROBE_TESTS_REWRITE", lie)
    asked = {one.tag: one for one in records(target)}
    verdicts = lied("rewrites", target, tuple(asked.values()), Limits())
    given = of(verdicts, name)
    if not given:
        # i386 aligns a double in a record to 4 as packed does, to a byte that is not there.
        assert (name, target) == ("Typed", "i386-sysv")
        return
    assert clause
    assert not known(target, asked[name], given)


def test_a_compiler_that_dies_is_new(lied: Ask) -> None:
    target = "x86_64-sysv"
    asked = {one.tag: one for one in records(target)}
    verdicts = lied("dies_on_unions_without_a_word", target, tuple(asked.values()), Limits())
    given = of(verdicts, "Either")
    assert all(
        one.entry is None
        for version in VERSIONS
        for one in resemblances(concerning(ENTRIES, target, "clang", version), target, asked["Either"], given)
    )
    assert not known(target, asked["Either"], given)
