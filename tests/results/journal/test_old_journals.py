"""Journals of every version that wrote one are read by this one, and say what they said then."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from laboratory.said import FILES

from abiprobe.harness.runs.run_files import registers_of
from abiprobe.oracles.language.question import Sort
from abiprobe.results.journal.journal import NAME, SCHEMA, BatchDone, BatchKey, Writer, read, read_complete
from abiprobe.results.journal.old_journals import RegistersOf, shown, unknown
from abiprobe.results.journal.old_words import note, spot, value, where
from abiprobe.results.verdicts.locations import (
    AmongUnnamed,
    Declared,
    InMemory,
    InPlaces,
    MemberAt,
    Named,
    Spot,
)
from abiprobe.results.verdicts.notes import Found, OnlyAbove, ReliesOnAbove, Shifted
from abiprobe.results.verdicts.record import Judgement
from abiprobe.results.verdicts.values import (
    Address,
    Alignment,
    AlignmentOf,
    Beyond,
    BitRange,
    Bounds,
    Bytes,
    LeadsTo,
    Multiple,
    Nothing,
    Number,
    Parameter,
    Size,
    Value,
    Words,
)
from abiprobe.results.verdicts.wording import note_text, spot_text, value_text, where_text

KEPT = {"0.1.0": (4, 48), "0.1.0-places": (30, 124)}
FOLDER = Path(__file__).parent / "journals"
PLACES = FOLDER / "0.1.0-places.jsonl"


@pytest.mark.parametrize("version", KEPT)
def test_old_journals_still_read(version: str) -> None:
    run = read_complete(FOLDER / f"{version}.jsonl")
    verdicts = [verdict for batch in run.batches for verdict in batch.verdicts]
    assert (len(run.batches), len(verdicts)) == KEPT[version]
    assert Judgement.AGREES in {verdict.verdict for verdict in verdicts}
    assert run.footer is not None
    assert run.digest == run.footer.digest


def test_every_kept_journal_is_listed() -> None:
    assert {path.stem for path in FOLDER.glob("*.jsonl")} == set(KEPT)


def old_verdicts(path: Path) -> list[dict[str, Any]]:
    """The verdicts of a journal of schema 1 as they stand there, in the order in which they are read."""
    lines = [json.loads(line.partition(b"\t")[0]) for line in path.read_bytes().splitlines()]
    batches = [line for line in lines if line["type"] == "batch"]
    batches.sort(key=lambda line: list(line["key"].values()))
    return [verdict for batch in batches for verdict in batch["verdicts"]]


@pytest.mark.parametrize("registers", [unknown, registers_of])
def test_what_was_said_in_words_is_said_so_still(registers: RegistersOf) -> None:
    found = [verdict for batch in read(PLACES, registers=registers).batches for verdict in batch.verdicts]
    assert len(found) == len(old_verdicts(PLACES))
    for verdict, old in zip(found, old_verdicts(PLACES), strict=True):
        assert verdict.probe == old["probe"]
        assert [
            (where_text(one.place), value_text(one.expected), value_text(one.seen), note_text(one.note))
            for one in verdict.differences
        ] == [
            (one["place"], one["expected"], one["seen"], one.get("note", ""))
            for one in old.get("differences", ())
        ]
        assert [
            (one.what, [spot_text(at) for at in one.at], [spot_text(at) for at in one.taken])
            for one in verdict.shown
        ] == [(one["what"], one["at"], one.get("taken", [])) for one in old.get("shown", ())]


def test_what_can_be_told_of_it_is_data_again() -> None:
    run = read(PLACES, registers=registers_of)
    differences = [one for batch in run.batches for verdict in batch.verdicts for one in verdict.differences]
    assert {InPlaces, InMemory} <= {type(one.place) for one in differences}
    assert {Bytes, Alignment} <= {type(one.expected) for one in differences}
    assert {Found, Words} <= {type(one.note) for one in differences}


@pytest.mark.parametrize(
    ("what", "text", "expected"),
    [
        ("sizeof", "8", Size(8)),
        ("_Alignof", "16", Alignment(16)),
        ("__alignof__ of a", "16", Alignment(16, AlignmentOf.MEMBER)),
        ("_Alignof of the type of a", "16", Alignment(16, AlignmentOf.MEMBER_TYPE)),
        ("a", "32:3", BitRange(32, 3)),
        ("a", "10 .. @@", Bytes("10 .. @@")),
        ("a", "-1:9", BitRange(-1, 9)),
        ("a", "an address on the stack", Address(LeadsTo.STACK)),
        ("a", "part of an address in the code", Address(LeadsTo.CODE, part=True)),
        ("a", "no address of the caller's", Address(LeadsTo.NOTHING)),
        ("a", "the stack arguments at a multiple of 16", Multiple(16, arguments=True)),
        ("a", "8 bytes above one", Beyond(8)),
        ("vector count", "0 to 8", Bounds(0, 8)),
        ("vector count", "9", Number(9)),
        ("a", ".param .align 4 .b8[12]", Parameter(4, 12, ".param .align 4 .b8[12]", bytes=True)),
        ("a", ".param .b32", Words(".param .b32")),
        ("b", "nothing", Nothing()),
    ],
)
def test_values_that_were_written(what: str, text: str, expected: Value) -> None:
    assert value(what, text) == expected
    assert value_text(expected) == text


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("found in rdi at byte 4 and on the stack at -8", Found),
        ("found nowhere else", Found),
        ("shifted, found in rdi", Shifted),
        ("only the bits above the value", OnlyAbove),
        ("it relies on the bits above the value", ReliesOnAbove),
        ("found in jabberwock", Words),
        ("found in rdi and in jabberwock", Words),
        ("widened", Words),
    ],
)
def test_notes_that_were_written(text: str, found: type) -> None:
    made = note(text, FILES)
    assert isinstance(made, found)
    assert note_text(made) == text


@pytest.mark.parametrize(
    "text", ["rdi", "rdi, stack+8", "memory", "memory at rdi", "address in stack+8", "bits"]
)
def test_places_that_were_written(text: str) -> None:
    made = where(text, FILES)
    assert where_text(made) == text
    assert isinstance(made, Named) is (text == "bits")


NUMBERS = [
    ("sizeof", "8 bytes", Size(8)),
    ("_Alignof", "8 bytes", Alignment(8)),
    ("__alignof__ of the type of a", "8 bytes", Alignment(8, AlignmentOf.PREFERRED)),
    ("a", "byte 4", MemberAt(32)),
    ("a", "bit 33, 2 wide", MemberAt(33, 2)),
    ("a", "nowhere", MemberAt(None)),
    ("...0", "byte 8 of the unnamed arguments", AmongUnnamed(8)),
    ("a", "8 bytes aligned to 4, a local address", Declared(8, 4, "local")),
]


@pytest.mark.parametrize(("what", "text", "expected"), NUMBERS)
def test_numbers_of_layouts_that_were_written(what: str, text: str, expected: Spot) -> None:
    assert spot(what, text, FILES) == expected
    assert spot_text(expected) == text


SPOTS = [
    "rdi",
    "xmm0[4]",
    "stack+8",
    "fa0 as double",
    "memory at rdi",
    "memory at stack+8",
    "memory at rdi, by itself",
    "memory 8 bytes behind stack+16",
    "rax (4 bytes), rdx[2]",
    "memory at rdi (2 bytes), stack+8",
]


@pytest.mark.parametrize("text", SPOTS)
def test_recorded_places_are_read_where_the_machine_is_known(text: str) -> None:
    found = spot("a [0..4)", text, FILES)
    assert not isinstance(found, Words)
    assert spot_text(found) == text


@pytest.mark.parametrize(
    "text", ["made", "another place", "jabberwock[2]", "memory at jabberwock", "8 bytes"]
)
def test_other_words_stay_words(text: str) -> None:
    assert spot("a [0..4)", text, FILES) == Words(text)


def test_a_record_of_today_is_left_as_it_is() -> None:
    today = {"what": "a [0..4)", "at": [{"type": "words", "text": "made"}]}
    assert shown(today, FILES) == today


def test_an_interrupted_journal_can_be_gone_on_with(tmp_path: Path) -> None:
    """Its last lines then have the form of today."""
    lines = PLACES.read_bytes().splitlines(keepends=True)
    (tmp_path / NAME).write_bytes(b"".join(lines[:-1]))
    old = read(tmp_path)
    again = old.batches[0]
    key = BatchKey(again.key.target, again.key.subject, "O2", Sort.PROTOTYPES, 99)
    writer = Writer.extend(tmp_path)
    writer.write(BatchDone(key, again.probes, again.verdicts))
    writer.close()
    run = read(tmp_path)
    assert run.header.schema < SCHEMA
    assert len(run.batches) == len(old.batches) + 1
    assert next(one for one in run.batches if one.key == key).verdicts == again.verdicts
