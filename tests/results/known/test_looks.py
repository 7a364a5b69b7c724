"""Looks of declarations: the packages that declare something with the traits of a cause."""

from __future__ import annotations

from pathlib import Path

import pytest

from abiprobe.harness.input.declared import declared_in_ours
from abiprobe.oracles.registry import find_target
from abiprobe.results.causes.traits import traits
from abiprobe.results.known import looks
from abiprobe.results.known.looks import declared_so

COUNT = """\
# Made by `somebody`.
declared\ttraits\tpackages
function\t\t0 1 2
function\t_BitInt\t1
record\tbit-field; struct\t0
record\tbit-field; packed record; struct\t2
"""


@pytest.fixture(autouse=True)
def _count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "looks.tsv").write_text(COUNT)
    monkeypatch.setattr(looks, "TABLE", tmp_path / "looks.tsv")
    looks.looks.cache_clear()


@pytest.mark.parametrize(
    ("text", "own", "words"),
    [
        ("struct s { int a : 3; };", {"struct", "bit-field"}, "2 of 3 packages declare a record with all traits of the example (struct with bit-field)"),
        ("struct s { int a : 3; };", {"struct", "vector"}, "none of 3 packages declares a record with all traits of the example (struct with vector)"),
        ("int f(_BitInt(7) a);", {"_BitInt"}, "1 of 3 packages declares a function with all traits of the example (_BitInt)"),
        ("int f(struct s { int a : 3; } a);", {"bit-field"}, "none of 3 packages declares a function with all traits of the example (bit-field)"),
        ("int f(int a);", set(), "which headers meet it is not known: no trait tells its declarations from others"),
    ],
)  # fmt: skip
def test_packages_are_those_with_all_traits(text: str, own: set[str], words: str) -> None:
    (example, *_) = declared_in_ours(text, find_target("x86_64-sysv")).questions[::-1]
    assert declared_so(example, own) == words


def test_of_cxx_it_is_not_told() -> None:
    (example,) = declared_in_ours(
        "struct S { virtual void f(); };", find_target("x86_64-sysv"), cxx=True
    ).classes
    assert "of C++ only known bugs are counted" in declared_so(example, traits(example))


def test_the_count_has_traits_that_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    looks.looks.cache_clear()
    kinds = {kind for kind, _ in looks.looks()}
    assert kinds <= {looks.RECORD, looks.FUNCTION}
    assert frozenset() in {own for _, own in looks.looks()}
