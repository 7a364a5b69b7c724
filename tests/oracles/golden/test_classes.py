"""C++ classes as an outsider worked them out from the text, held against the model."""

from __future__ import annotations

import pytest

from abiprobe.oracles.golden import ClassRow, class_rows
from abiprobe.oracles.registry import cxx_model, find_target
from abiprobe.oracles.text.class_layout import ClassLayout
from abiprobe.oracles.text.clause import find_clause
from abiprobe.oracles.text.place import Unspecified
from tests.class_rows import asked, facts

READ = {
    "struct A { A& operator=(A&&); int i; char c; }; struct B : A { char d; };": "pod",
    "struct A { int i = 1; char c; }; struct B : A { char d; };": "pod",
    "struct A { A(); int i; char c; }; struct B : A { int b:3; };": "bits.place",
    "struct A { A(); int a:3; }; struct B : A { int b:3; };": "bits.place",
    "struct A { A(); long b:130; };": "bits.oversized",
    "struct E {}; struct D : E { E e[2]; };": "component",
    "struct V { int v; }; struct alignas(32) D : virtual V { int d; };": "alignas",
    "struct E { E(); }; struct D { [[no_unique_address]] E e[2]; char c; };": "member.size",
}
"""Where the text can be read in two ways, and the sheet says at a clause which one is taken, and why."""


@pytest.mark.parametrize("row", class_rows(), ids=lambda row: f"{row.target} {row.source[:60]}")
def test_a_class_is_laid_out_as_the_text_says(row: ClassRow) -> None:
    found = cxx_model(find_target(row.target)).layout(asked(row))
    if row.facts:
        assert isinstance(found, ClassLayout), found
        assert set(row.facts) <= facts(found), row.why
    elif row.source in READ:
        assert find_clause(f"cxxabi:{READ[row.source]}").ambiguous
    else:
        assert isinstance(found, Unspecified), row.why


def test_the_table_has_more_than_the_easy_cases() -> None:
    rows = class_rows()
    assert len(rows) > 300
    assert {"1.1", "2.2", "2.3.1", "2.3.2", "2.4"} <= {row.why.split()[0] for row in rows}
