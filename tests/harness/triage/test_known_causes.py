"""Runs held against what is known: what is new, what occurs no longer, and who was asked before that is said."""

from __future__ import annotations

from fnmatch import fnmatchcase
from pathlib import Path

import pytest
from laboratory import said
from laboratory.dialects import SPELLINGS
from msgspec.structs import replace

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.triage import known_examples
from abiprobe.harness.triage.known_causes import KnownComparison, compare_with_known
from abiprobe.harness.triage.known_examples import ExampleStatus, SubjectResult
from abiprobe.harness.triage.known_files import read_known
from abiprobe.oracles.language.lang import Kind, Param, Prototype, Scalar
from abiprobe.oracles.language.question import ProbeKind, Sort, probe
from abiprobe.oracles.model import Target
from abiprobe.oracles.quirks.in_force import QUIRKS
from abiprobe.results.causes.fingerprint import Fingerprint, Symptom
from abiprobe.results.journal.journal import SCHEMA, BatchDone, BatchKey, Header, Kept, Plan, Run, SubjectInfo
from abiprobe.results.known.deviations import Entry, Known, parse, shipped
from abiprobe.results.known.matches import match_known
from abiprobe.results.verdicts.record import Judgement, Outcome, Verdict

ENTRY = """
[[deviation]]
name = "planted"
targets = ["x86_64-sysv"]
subjects = ["clang<20"]
shows.misplaced = ["x86_64:pass.whole"]
status = "bug"
reason = "for this test"
link = "unreported"
since = 2026-11-21
example = "void f(long a, long b, long c, long d, long e, __int128 g);"
"""
VERSIONS = {
    "clang-14": "clang version 14.0.6",
    "clang-16": "clang version 16.0.6",
    "clang-22": "clang version 22.1.8",
}
SPLIT = Fingerprint("x86_64-sysv", Symptom.MISPLACED, "x86_64:pass.whole")
OTHER = Fingerprint("x86_64-sysv", Symptom.MISPLACED, "x86_64:pass.integer")
SHOWS, AGREES, DIFFERS, SILENT = (
    SubjectResult(frozenset({SPLIT}), frozenset(), agrees=False),
    SubjectResult(frozenset(), frozenset(), agrees=True),
    SubjectResult(frozenset(), frozenset({OTHER}), agrees=True),
    SubjectResult(frozenset(), frozenset(), agrees=False),
)


@pytest.mark.parametrize("entry", shipped().entries, ids=lambda entry: entry.name)
def test_an_entry_speaks_of_targets_that_there_are(entry: Entry) -> None:
    assert all(any(fnmatchcase(name, pattern) for name in SPELLINGS) for pattern in entry.targets)


def test_nothing_is_known_of_nothing() -> None:
    assert Known().entries == ()


def run_of(*subjects: str, target: str = "x86_64-sysv") -> Run:
    plan = Plan(1, 1, (target,), subjects, ("O0",))
    infos = tuple(SubjectInfo(target, one, VERSIONS[one], "") for one in subjects)
    return Run(Header(SCHEMA, "", "", plan, infos), (), None)


def compared(known: Known, run: Run) -> KnownComparison:
    """A run without causes against what is known."""
    found = match_known(run.batches, known.entries, run.versions)
    return compare_with_known((), found, known, run)


ANSWERS = [
    # the run's compiler, what the installed compilers show, what is said
    ("clang-16", {"clang-16": SHOWS}, ExampleStatus.DEVIATES),
    ("clang-16", {"clang-16": AGREES}, ExampleStatus.AGREES),
    ("clang-16", {"clang-16": AGREES, "clang-14": SHOWS}, ExampleStatus.DEVIATES),
    ("clang-16", {"clang-16": AGREES, "clang-14": AGREES}, ExampleStatus.AGREES),
    ("clang-16", {"clang-16": DIFFERS}, ExampleStatus.OTHERWISE),
    ("clang-16", {"clang-16": SILENT}, ExampleStatus.NOTHING),
    ("clang-16", {"clang-16": AGREES, "clang-14": SILENT}, ExampleStatus.NOTHING),
    ("clang-16", {}, ExampleStatus.NOTHING),
    ("clang-16", {"clang-16": AGREES, "clang-22": SHOWS}, ExampleStatus.AGREES),
]


@pytest.mark.parametrize(("subject", "installed", "expected"), ANSWERS)
def test_an_entry_is_gone_only_when_every_installed_version_that_it_names_agrees(
    monkeypatch: pytest.MonkeyPatch,
    subject: str,
    installed: dict[str, SubjectResult],
    expected: ExampleStatus,
) -> None:
    monkeypatch.setattr(
        known_examples, "version_of", lambda one, _target: VERSIONS[one] if one in installed else None
    )
    monkeypatch.setattr(known_examples, "installed_subjects", lambda _target: list(installed))
    monkeypatch.setattr(
        known_examples,
        "run_on_subject",
        lambda entries, _target, one, _levels, _others: {entry.name: installed[one] for entry in entries},
    )
    known = parse(ENTRY, "known.toml")
    memory = compared(known, run_of(subject))
    assert memory.answers["planted"].answer is expected
    assert bool(memory.gone) is (expected is ExampleStatus.AGREES)
    assert memory.status == int(expected in {ExampleStatus.AGREES, ExampleStatus.OTHERWISE})
    assert any("planted" in line for line in memory.lines())


def test_an_entry_that_matches_a_deviation_of_the_run_is_not_missing_from_it() -> None:
    question = Prototype("f", None, (Param("a", Scalar(Kind.INT128)),))
    asked = probe(question).id
    difference = said.difference("caller", "a", "rdi", "1", "2", "x86_64:pass.whole")
    verdict = Verdict(
        asked, ProbeKind.CALLER, Judgement.DEVIATES, Outcome.OBSERVED, "x86_64:pass.whole", "", (difference,)
    )
    key = BatchKey("x86_64-sysv", "clang-16", "O0", Sort.PROTOTYPES, 0)
    batch = BatchDone(key, 1, (verdict,), (Kept(asked, question),))
    memory = compared(parse(ENTRY, "known.toml"), replace(run_of("clang-16"), batches=(batch,)))
    assert (memory.gone, memory.unused, memory.unasked, memory.answers) == ((), (), (), {})
    assert memory.lines() == []


def test_an_entry_of_other_versions_is_idle() -> None:
    memory = compared(parse(ENTRY, "known.toml"), run_of("clang-22"))
    assert [entry.name for entry in memory.idle] == ["planted"]
    assert memory.status == 0


def test_an_entry_of_the_target_as_written_is_idle_on_a_dialect() -> None:
    memory = compared(parse(ENTRY, "known.toml"), run_of("clang-16", target="x86_64-sysv@clang-reading"))
    assert [entry.name for entry in memory.idle] == ["planted"]


def test_files_add_to_the_shipped_list_or_replace_it(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(ENTRY)
    every = shipped().entries
    assert read_known() == Known(every, tuple(QUIRKS.values()))
    assert [one.name for one in read_known([path]).entries] == [*(one.name for one in every), "planted"]
    assert [one.name for one in read_known((), [path]).entries] == ["planted"]
    assert read_known((), [path]).quirks == ()
    assert read_known(none=True) == Known()


def test_an_entry_of_a_file_replaces_the_shipped_one_of_its_name(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    first = shipped().entries[0]
    path.write_text(ENTRY.replace("planted", first.name))
    found = read_known([path]).entries
    assert len(found) == len(shipped().entries)
    assert found[0].reason == "for this test"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[[", "mine.toml"),
        (ENTRY.replace("shows.misplaced", "clauses"), "say how it shows"),
        (ENTRY.replace("since = 2026", "since = 2099"), "planted is known since 2099-.*, and today is 20"),
    ],
)
def test_a_file_that_cannot_be_read_is_a_problem(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text)
    with pytest.raises(Problem, match=words):
        read_known([path])
    with pytest.raises(Problem, match="contradicts"):
        read_known([path], none=True)
    with pytest.raises(Problem, match="cannot read"):
        read_known([tmp_path / "none.toml"])


def test_what_other_entries_say_of_a_compiler_is_no_other_way_of_deviating(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    heard: dict[str, set[str]] = {}

    def shown(
        entries: list[Entry], _target: Target, subject: str, _levels: list[str], others: list[Entry]
    ) -> dict[str, SubjectResult]:
        heard[subject] = {one.name for one in others}
        return {entry.name: AGREES for entry in entries}

    monkeypatch.setattr(known_examples, "installed_subjects", lambda _target: ["clang-16"])
    monkeypatch.setattr(known_examples, "run_on_subject", shown)
    monkeypatch.setattr(known_examples, "version_of", lambda one, _target: VERSIONS[one])
    elsewhere = ENTRY.replace("planted", "of gcc alone").replace('"clang<20"', '"gcc"')
    beside = ENTRY.replace("planted", "beside it")
    compared(parse(ENTRY + beside + elsewhere, "known.toml"), run_of("clang-16"))
    assert heard["clang-16"] == {"planted", "beside it"}
