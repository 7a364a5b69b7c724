"""Places, values and notes are data: every one survives the journal, and each is said in words of its own."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from abiprobe import results
from abiprobe.harness.machines.runtime.machine import MACHINES
from abiprobe.oracles.language.question import ProbeKind, Sort
from abiprobe.oracles.text.place import Register, StackSlot
from abiprobe.results.journal.journal import BatchDone, BatchKey
from abiprobe.results.verdicts.locations import Spot, Where
from abiprobe.results.verdicts.notes import Note, Said
from abiprobe.results.verdicts.record import Difference, Judgement, Shown, Verdict
from abiprobe.results.verdicts.values import Value
from abiprobe.results.verdicts.wording import WITNESSES, note_text, spot_text, value_text, where_text

TEXT = st.text(st.characters(blacklist_categories=("Cs",)), min_size=1, max_size=8)
st.register_type_strategy(Register, st.builds(Register, TEXT))
st.register_type_strategy(StackSlot, st.builds(StackSlot, st.integers(-(1 << 20), 1 << 20)))
# Only witnesses of a layout disagree about one.
st.register_type_strategy(Said, st.builds(Said, st.sampled_from(tuple(WITNESSES))))
VERDICTS = st.builds(
    Verdict,
    TEXT,
    st.just(ProbeKind.CALLER),
    st.just(Judgement.DEVIATES),
    differences=st.lists(st.from_type(Difference), max_size=3).map(tuple),
    shown=st.lists(st.from_type(Shown), max_size=3).map(tuple),
)
UNIONS = [(Where, where_text), (Value, value_text), (Note, note_text), (Spot, spot_text)]
MEMBERS = [(member, text) for union, text in UNIONS for member in get_args(union)]


@given(VERDICTS)
def test_every_value_survives_the_journal(verdict: Verdict) -> None:
    batch = BatchDone(BatchKey("t", "gcc", "O0", Sort.PROTOTYPES, 0), 1, (verdict,))
    line = msgspec.json.encode(batch)
    assert msgspec.json.decode(line, type=BatchDone) == batch
    assert msgspec.json.decode(msgspec.json.encode(msgspec.json.decode(line)), type=BatchDone) == batch


@pytest.mark.parametrize(("member", "text"), MEMBERS, ids=lambda one: getattr(one, "__name__", ""))
@given(data=st.data())
def test_every_member_of_a_union_is_said(member: type, text: Any, data: st.DataObject) -> None:
    assert isinstance(text(data.draw(st.from_type(member))), str)


@pytest.mark.parametrize("union", [union for union, _ in UNIONS])
def test_no_two_members_have_one_tag(union: object) -> None:
    tags = [msgspec.inspect.type_info(member).tag for member in get_args(union)]  # type: ignore[attr-defined]
    assert None not in tags
    assert len(tags) == len(set(tags))


ROOM = Path(results.__path__[0])
OF_OTHER_TEXT = {
    "causes/fingerprint.py": "messages of tools",
    "coverage/lacking.py": "reasons of tools",
    "history/baseline/across.py": "spellings of types in C",
    "history/baseline/members.py": "paths of members",
    "history/baseline/objects.py": "types in baselines",
    "history/baseline/records.py": "lines of baselines",
    "history/baseline/types.py": "types in baselines",
    "journal/old_words.py": "journals of schema 1, where English was all there was",
    "journal/printable.py": "what terminals, XML and Markdown cannot print",
    "known/lowerings.py": "lowerings in LLVM IR",
    "report/cause_groups.py": "version numbers",
    "report/markdown.py": "links",
    "site/addresses.py": "names of pages",
    "site/compilers.py": "version numbers",
}
"""The modules of results with regular expressions, and over what: none over places, values or notes."""
REGISTERS = {name for machine in MACHINES.values() for name in machine.registers if re.search(r"\d", name)}


def test_no_text_of_a_place_a_value_or_a_note_is_parsed() -> None:
    found = {
        str(path.relative_to(ROOM))
        for path in ROOM.rglob("*.py")
        if re.search(r"^import re$|^from re import", path.read_text("utf-8"), re.MULTILINE)
    }
    assert found == set(OF_OTHER_TEXT)


NO_CODE = re.compile(r'""".*?"""|#.*|\\[xuU][0-9a-f]+', re.DOTALL)
"""Docstrings, comments and characters by their numbers."""


def test_no_register_of_a_machine_is_named() -> None:
    named = {
        (path.name, word)
        for path in ROOM.rglob("*.py")
        for word in re.findall(r"(?<![/\w])[A-Za-z]\w*", NO_CODE.sub("", path.read_text("utf-8")))
        if word in REGISTERS
    }
    assert named == set()
