"""Journals of every version that wrote one are read by this one, and say what they said then."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from laboratory.said import FILES

from abiprobe.results.journal import NAME, SCHEMA, BatchDone, BatchKey, Writer, read, read_complete
from abiprobe.results.locations import InMemory, InPlaces
from abiprobe.results.notes import Found
from abiprobe.results.old_journals import shown, spot, value
from abiprobe.results.record import Judgement
from abiprobe.results.values import Alignment, AlignmentOf, BitRange, Bytes, Size, Value, Words
from abiprobe.results.wording import note_text, spot_text, value_text, where_text

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


def test_what_was_said_in_words_is_said_so_still() -> None:
    found = [verdict for batch in read(PLACES).batches for verdict in batch.verdicts]
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
    differences = [
        one for batch in read(PLACES).batches for verdict in batch.verdicts for one in verdict.differences
    ]
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
        ("a", "an address on the stack", Words("an address on the stack")),
    ],
)
def test_values_that_were_written(what: str, text: str, expected: Value) -> None:
    assert value(what, text) == expected
    assert value_text(expected) == text


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
    found = spot(text, FILES)
    assert not isinstance(found, Words)
    assert spot_text(found) == text


@pytest.mark.parametrize(
    "text", ["made", "another place", "jabberwock[2]", "memory at jabberwock", "8 bytes"]
)
def test_other_words_stay_words(text: str) -> None:
    assert spot(text, FILES) == Words(text)


def test_a_record_of_today_is_left_as_it_is() -> None:
    today = {"what": "a [0..4)", "at": [{"type": "words", "text": "made"}]}
    assert shown(today, FILES) == today


def test_an_interrupted_journal_can_be_gone_on_with(tmp_path: Path) -> None:
    """Its last lines then have the form of today."""
    lines = PLACES.read_bytes().splitlines(keepends=True)
    (tmp_path / NAME).write_bytes(b"".join(lines[:-1]))
    old = read(tmp_path)
    again = old.batches[0]
    key = BatchKey(again.key.target, again.key.subject, "O2", "prototypes", 99)
    writer = Writer.extend(tmp_path)
    writer.write(BatchDone(key, again.probes, again.verdicts))
    writer.close()
    run = read(tmp_path)
    assert run.header.schema < SCHEMA
    assert len(run.batches) == len(old.batches) + 1
    assert next(one for one in run.batches if one.key == key).verdicts == again.verdicts
