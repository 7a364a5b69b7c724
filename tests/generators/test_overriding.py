"""Virtual functions of all sorts in the classes whose tables are asked about, and simpler ones."""

from __future__ import annotations

from itertools import islice

import pytest
from msgspec.structs import replace

from abiprobe.generators.overriding import fits, is_lawful
from abiprobe.generators.reduction.candidates import simpler_tables
from abiprobe.generators.tables import stream, tables
from abiprobe.oracles.language.classes import Access, Base, Class, VirtualFunction, parts

A, B = (Class(tag, virtuals=(VirtualFunction("f", result=tag),)) for tag in "AB")
RETURNING = VirtualFunction("f", result="D")
DELETED = VirtualFunction("f", deleted=True)


def derived(*bases: Class, access: Access = Access.PUBLIC) -> Class:
    return Class("D", tuple(Base(one, access=access) for one in bases))


def test_drawn_classes_return_pointers_delete_functions_and_declare_destructors_behind_them() -> None:
    found = [part for one in islice(stream(seed=1), 400) for part in parts(one.of)]
    functions = [function for part in found for function in part.virtuals]
    assert sum(bool(one.result) for one in functions) > 50
    assert sum(one.deleted for one in functions) > 10
    assert sum(part.specials.destructor.behind > 0 for part in found) > 10


def test_every_drawn_class_and_every_simpler_one_is_lawful() -> None:
    for asked in islice(stream(seed=2), 60):
        assert is_lawful(asked.of)
        assert all(is_lawful(one.of) for one in simpler_tables(asked))


@pytest.mark.parametrize(
    ("one", "function"),
    [
        (derived(A), RETURNING),
        (derived(A), VirtualFunction("f", result="A")),
        (derived(A, B), RETURNING),
        (derived(), RETURNING),
        (derived(Class("C", virtuals=(DELETED,))), DELETED),
    ],
)
def test_what_is_derived_may_be_returned(one: Class, function: VirtualFunction) -> None:
    assert fits(one, function)


@pytest.mark.parametrize(
    ("one", "function"),
    [
        (derived(A), VirtualFunction("f")),
        (derived(Class("C", virtuals=(VirtualFunction("f"),))), RETURNING),
        (derived(A, access=Access.PRIVATE), RETURNING),
        (derived(A, B), VirtualFunction("f", result="A")),
        (derived(Class("L", (Base(A),)), Class("R", (Base(A),))), RETURNING),
        (derived(), VirtualFunction("f", result="E")),
        (derived(A), DELETED),
        (derived(Class("C", virtuals=(DELETED,))), VirtualFunction("f")),
    ],
)
def test_what_no_compiler_takes_does_not_fit(one: Class, function: VirtualFunction) -> None:
    assert not fits(one, function)
    assert tables(replace(one, virtuals=(function,))) is None
