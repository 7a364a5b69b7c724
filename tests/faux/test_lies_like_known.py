"""Lies that resemble a known deviation: told as new, since a quirk says every byte, and an entry what is seen."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import TypeAlias

import pytest
from laboratory.lies_like_known import LIES, Lie
from msgspec.structs import replace

from abiprobe.harness.input import read
from abiprobe.harness.input.front_end import front_end
from abiprobe.harness.subjects.compile import Limits
from abiprobe.oracles.language.lang import Prototype, Record
from abiprobe.oracles.quirks.in_force import QUIRKS
from abiprobe.oracles.registry import find_target
from abiprobe.results.known.deviations import KnownCause, Resemblance, concerning, resemblances, shipped
from abiprobe.results.verdicts.record import Judgement, Verdict
from tests.skipping import needs_executor

from .putting import program, put

ENTRIES = shipped().entries
NAMES = {entry.name for entry in ENTRIES}
"""What is not among these is known by a quirk."""
BLIND = tuple(replace(entry, instead={}) for entry in ENTRIES)
"""The entries, if they did not say what is seen."""
GCC = {"aarch64-aapcs64": "aarch64-linux-gnu-gcc-12", "arm-aapcs-vfp": "arm-linux-gnueabihf-gcc-12"}


Asked: TypeAlias = Callable[[tuple[str, str, bool]], dict[str, tuple[Verdict, ...]]]
"""Verdicts on each question of a group, by its name."""


def group_of(lie: Lie) -> tuple[str, str, bool]:
    """Lies that are asked about in one batch."""
    return lie.target, lie.family, bool(re.search(r"\bf\(", lie.declared))


GROUPS = {key: tuple(found) for key, found in groupby(sorted(LIES, key=group_of), key=group_of)}


def question(lie: Lie) -> Prototype | Record:
    """What is asked about, under names of its own."""
    number = LIES.index(lie)
    text = re.sub(r"\b(A|f)\b", rf"\g<1>{number}", lie.declared)
    base = front_end(find_target(lie.target))
    found = read(text, filename="lie.h", triple=base.triple, options=base.options)
    asked = found.functions[-1] if found.functions else found.records[-1]
    assert isinstance(asked, (Prototype, Record))
    return asked


def rule(lie: Lie) -> str:
    """What the liar takes the record for."""
    tag = rf"A{LIES.index(lie)}"
    return rf"(struct|union) ({tag}_\d+) {{[^}}]*}} => \1 \2 {{ {lie.members} }}"


def real_gcc(target: str) -> list[str]:
    """The command of an honest gcc."""
    name = GCC.get(target, "gcc-12")
    path = shutil.which(name)
    if path is None:
        pytest.skip(f"{name} is not installed")
    return [path]


@pytest.fixture(scope="module")
def liars(tmp_path_factory: pytest.TempPathFactory) -> Asked:
    """Asks the liar of a group about all of it at once."""

    @cache
    def liar(*real: str) -> Path:
        return program(tmp_path_factory.mktemp("liar"), real)

    @cache
    def ask(key: tuple[str, str, bool]) -> dict[str, tuple[Verdict, ...]]:
        target, family, calls = key
        if calls:
            needs_executor(target)
        path = liar(*real_gcc(target)) if family == "gcc" else liar()
        questions = tuple(map(question, GROUPS[key]))
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("ABIPROBE_TESTS_REWRITE", "\n".join(map(rule, GROUPS[key])))
            given = put(path, "rewrites", target, questions, Limits(), family)
        return {name: tuple(by_name(given, name)) for name, _ in given}

    return ask


def by_name(given: dict[tuple[str, str], Verdict], name: str) -> Iterator[Verdict]:
    """The verdicts on one question."""
    return (verdict for (asked, _), verdict in given.items() if asked == name)


def test_there_are_fifty() -> None:
    assert len(set(LIES)) >= 50


@pytest.mark.parametrize("lie", LIES, ids=[f"{lie.target}: {lie.declared} as {lie.members}" for lie in LIES])
def test_a_lie_is_new(liars: Asked, lie: Lie) -> None:
    asked = question(lie)
    given = liars(group_of(lie))[asked.name if isinstance(asked, Prototype) else asked.tag]

    def told(entries: tuple[KnownCause, ...]) -> tuple[Resemblance, ...]:
        concerned = concerning(entries, lie.target, lie.family, lie.version)
        return resemblances(concerned, lie.target, asked, given)

    # What a caller happens to leave where its dialect would have it tells nothing against it; its callee does.
    assert any(one.verdict is Judgement.DEVIATES and not one.quirks for one in given)
    if lie.entry in NAMES:
        assert lie.entry in {one.entry.name for one in told(BLIND) if one.entry is not None}
        assert lie.entry not in {one.entry.name for one in told(ENTRIES) if one.entry is not None}
    assert any(one.entry is None for one in told((*ENTRIES, *QUIRKS.values())))
