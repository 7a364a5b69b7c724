"""A broken journal is an interrupted run or an error that names the line; a forged one is data, and no program."""

from __future__ import annotations

import json
import random
from pathlib import Path

import msgspec
import pytest

from abiprobe.oracles.language.lang import Prototype, Record
from abiprobe.results.journal.journal import (
    BatchDone,
    JournalError,
    Run,
    Writer,
    read,
    read_complete,
    verdict_digest,
)
from abiprobe.results.verdicts.record import Outcome, unobserved

from .commands import called
from .damage import BYTES, LINES, Way, forged, written
from .runs import FORMATS, deviating

WAYS = (*BYTES, *LINES)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of two compilers, one of which deviates."""
    return deviating(tmp_path_factory.mktemp("run"))


def copied(run: Path, tmp_path: Path, data: bytes) -> Path:
    (tmp_path / "journal.jsonl").write_bytes(data)
    return tmp_path


def refused_or_read(folder: Path) -> Run | str:
    try:
        return read(folder)
    except JournalError as error:
        return str(error)


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
@pytest.mark.parametrize("seed", range(10))
def test_a_broken_journal_is_refused_or_the_beginning_of_the_run(
    run: Path, tmp_path: Path, way: Way, seed: int
) -> None:
    whole = (run / "journal.jsonl").read_bytes()
    broken = way(random.Random(seed), whole)
    folder = copied(run, tmp_path, broken)
    found = refused_or_read(folder)
    if isinstance(found, str):
        assert "\n" not in found
        return
    right = read(run)
    assert found.header == right.header
    assert [*found.batches] == [one for one in right.batches if one in [*found.batches]]
    assert broken == whole or found.footer is None or found.footer == right.footer
    if found.footer is not None:
        assert verdict_digest(read_complete(folder).batches) == found.footer.digest


def test_a_changed_byte_is_found_in_its_line(run: Path, tmp_path: Path) -> None:
    lines = (run / "journal.jsonl").read_bytes().splitlines(keepends=True)
    for number, line in enumerate(lines, 1):
        changed = line.replace(b"prototypes", b"prototypez", 1).replace(b"clang", b"klang", 1)
        if changed != line:
            folder = copied(run, tmp_path, b"".join((*lines[: number - 1], changed, *lines[number:])))
            with pytest.raises(JournalError, match=rf"journal\.jsonl:{number} is damaged: its checksum"):
                read(folder)


def without_traceback(arguments: tuple[str, ...]) -> None:
    assert called(*arguments).clean


@pytest.mark.parametrize(
    "seed", [*range(4), *(pytest.param(one, marks=pytest.mark.long) for one in range(4, 250))]
)
def test_a_forged_journal_is_answered_or_refused_in_a_line(run: Path, tmp_path: Path, seed: int) -> None:
    data = forged(random.Random(seed), (run / "journal.jsonl").read_bytes())
    folder = str(copied(run, tmp_path, data))
    for form in FORMATS:
        without_traceback(("report", folder, "--format", form, *(("--no-maps",) if form == "html" else ())))
    for arguments in (("report", folder), ("diff", str(run), folder), ("coverage", folder)):
        without_traceback(arguments)


HOSTILE = "\x1b]0;owned\x07\x9b2J\u202e<script>alert(1)</script>]]>|`[x](javascript:1)`"


@pytest.mark.parametrize("form", ["text", *FORMATS])
def test_what_a_compiler_calls_itself_commands_nothing(run: Path, tmp_path: Path, form: str) -> None:
    found = read(run)
    infos = tuple(msgspec.structs.replace(one, version=HOSTILE) for one in found.header.subjects)
    writer = Writer.create(tmp_path, msgspec.structs.replace(found.header, subjects=infos))
    for line in (*found.batches, found.footer):
        assert line is not None
        writer.write(line)
    writer.close()
    options = () if form == "text" else ("--format", form)
    said = called("report", str(tmp_path), *options)
    told, out = said.out + said.err, said.out
    assert not any(one in told for one in ("\x1b", "\x9b", "\x07", "\u202e"))
    if form in {"html", "markdown", "card"}:
        assert "<script>alert" not in out


@pytest.mark.parametrize("form", ["text", *FORMATS])
def test_why_nothing_was_compared_commands_nothing(run: Path, tmp_path: Path, form: str) -> None:
    found = read(run)
    batches = tuple(
        msgspec.structs.replace(
            one,
            verdicts=tuple(
                unobserved(verdict.probe, verdict.kind, Outcome.CRASHED, HOSTILE) for verdict in one.verdicts
            ),
        )
        for one in found.batches
    )
    assert found.footer is not None
    writer = Writer.create(tmp_path, found.header)
    for batch in batches:
        writer.write(batch)
    writer.write(msgspec.structs.replace(found.footer, digest=verdict_digest(batches)))
    writer.close()
    said = called("report", str(tmp_path), *(() if form == "text" else ("--format", form)))
    assert said.clean
    assert said.status != 2


KNOWN = """
[[deviation]]
name = "planted"
targets = ["*"]
subjects = ["clang", "gcc"]
shows.misplaced = ["x86_64:pass.whole"]
status = "bug"
reason = "for this test"
link = "unreported"
since = 2026-11-23
example = "void f(__int128 a);"
"""
"""The example of a known deviation is put to the compilers of a run, and then to others."""


@pytest.mark.parametrize(
    "spelling",
    ["gcc:{program}", "gcc-12 -wrapper {program}", "clang-22 -fplugin={program}", "gcc-12 -B{program}"],
)
def test_a_program_that_only_a_journal_names_is_not_started(run: Path, tmp_path: Path, spelling: str) -> None:
    mark = tmp_path / "started"
    program = starting(tmp_path / "gcc", mark)
    journal = naming(run, tmp_path / "run", spelling.format(program=program))
    known = tmp_path / "known.toml"
    known.write_text(KNOWN, "utf-8")
    said = called("triage", str(journal.parent), "--jobs", "1", "--known-only", str(known))
    assert said.clean
    values = [json.loads(line) for line in journal.read_text("utf-8").splitlines()]
    for value in values:
        value.pop("sum")
    values[-1]["ended"] = "budget"
    journal.write_bytes(written(values))
    assert called("run", "--resume", str(journal.parent)).status == 2
    assert not mark.exists()
    assert "named by the run only" in said.out + said.err


def test_a_program_that_is_trusted_in_one_folder_is_not_started_in_another(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = {}
    for name in ("ours", "theirs"):
        (tmp_path / name).mkdir()
        started[name] = tmp_path / f"{name}-started"
        starting(tmp_path / name / "gcc", started[name])
    source = tmp_path / "in.c"
    source.write_text("void f(int a);\n", "utf-8")
    monkeypatch.chdir(tmp_path / "ours")
    assert called("check", str(source), "-t", "x86_64-sysv", "--cc", "gcc:./gcc").clean
    assert started["ours"].exists()
    monkeypatch.chdir(tmp_path / "theirs")
    journal = naming(run, tmp_path / "run", "gcc:./gcc")
    said = called("triage", str(journal.parent), "--jobs", "1")
    assert said.clean
    assert not started["theirs"].exists()
    assert "was named here before, but means other files now" in said.out + said.err


def starting(program: Path, mark: Path) -> Path:
    """A program that leaves a mark when it is started."""
    program.write_text(f"#!/bin/sh\ntouch {mark}\n", "utf-8")
    program.chmod(0o755)
    return program


def naming(run: Path, folder: Path, subject: str) -> Path:
    """The journal of a run in `folder` that names a compiler in the place of clang-16, with right checksums."""
    lines = (run / "journal.jsonl").read_text("utf-8").replace("clang-16", subject).splitlines()
    values = [json.loads(line) for line in lines]
    for value in values:
        value.pop("sum")
    batches = [msgspec.convert(value, BatchDone) for value in values if value["type"] == "batch"]
    values[-1]["digest"] = verdict_digest(batches)
    folder.mkdir()
    journal = folder / "journal.jsonl"
    journal.write_bytes(written(values))
    return journal


NAMES = ("x; int evil(void)", "a\n", "1a", "a b", 'a"', "a\\", "a/**/", "#", "__attribute__((x))")


@pytest.mark.parametrize("name", NAMES)
def test_a_name_that_is_none_is_refused_where_a_question_is_decoded(name: str) -> None:
    for value in (
        {"type": "Record", "tag": name, "members": []},
        {
            "type": "Record",
            "tag": "S",
            "members": [{"type": {"type": "Scalar", "kind": "int"}, "name": name}],
        },
        {"type": "Prototype", "name": name, "result": None, "params": []},
        {
            "type": "Prototype",
            "name": "f",
            "result": None,
            "params": [{"name": name, "type": {"type": "Scalar", "kind": "int"}}],
        },
        {
            "type": "Prototype",
            "name": "f",
            "result": {"type": "Typedef", "name": name, "base": None},
            "params": [],
        },
    ):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert(value, Record | Prototype)
