"""Type tables under other policies remember types together where their policies lay them out alike, and only there."""

from __future__ import annotations

import inspect
import re
import sys
from dataclasses import replace

from abiprobe.oracles.engine import policies, types
from abiprobe.oracles.engine.policies import TEXT
from abiprobe.oracles.engine.types import LAYING_OUT
from abiprobe.oracles.language.lang import BitInt, Member, Record
from abiprobe.oracles.model import Model
from abiprobe.oracles.registry import find_target

RECORD = Record("S", (Member(BitInt(65), "a"),))


def test_the_policies_that_lay_out_types_are_those_that_a_table_reads() -> None:
    assert set(re.findall(r"self\.policies\.(\w+)", inspect.getsource(types))) == set(LAYING_OUT)


def test_nothing_else_that_lays_out_types_reads_policies() -> None:
    named = {getattr(one, "__module__", "") or "" for one in vars(types).values()}
    engine = {name for name in named if name.startswith(f"{types.__package__}.")}
    others = engine - {types.__name__, policies.__name__}
    assert len(others) > 10
    assert [name for name in others if "policies" in inspect.getsource(sys.modules[name])] == []


def test_what_is_remembered_is_of_the_same_layout() -> None:
    model = find_target("riscv64-lp64d").model()
    assert isinstance(model, Model)
    written, apart, chunked = (
        model.types.under(one)
        for one in (TEXT, replace(TEXT, extends_to_32=True), replace(TEXT, bit_int_chunk=8))
    )
    assert written.shape(RECORD) is apart.shape(RECORD)
    assert (written.extent(RECORD).align, chunked.extent(RECORD).align) == (16, 8)
