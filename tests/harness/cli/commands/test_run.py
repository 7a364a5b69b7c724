"""Runs: the seed decides the verdicts, however the work is divided, and a report says what was found."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from abiprobe.harness.api.arguments import DEFAULT_TARGETS, run_targets
from abiprobe.harness.base.problem import Problem
from abiprobe.harness.subjects.families import zig
from abiprobe.oracles.language.question import ProbeKind, Sort
from abiprobe.oracles.registry import TARGETS
from abiprobe.results.coverage.counts import COLUMNS
from abiprobe.results.journal.journal import BatchDone, Run, read_complete

from .calling import TARGET, abiprobe, compiler

STATUSES = (0, 1)
"""As expected, or a deviation; which of the two is the compiler's affair."""


def run(folder: Path, *options: str) -> Run:
    """A finished run in `folder`, read back."""
    ended = abiprobe(
        "run", TARGET, "--fresh", "--cc", compiler(), "--out", str(folder), *options, cwd=folder.parent
    )
    assert ended.returncode in STATUSES, ended.stderr
    return read_complete(folder)


def verdicts(batches: tuple[BatchDone, ...]) -> dict[Any, Any]:
    return {batch.key: batch.verdicts for batch in batches}


def digest(found: Run) -> str:
    assert found.footer is not None
    return found.footer.digest


def test_the_same_seed_gives_the_same_verdicts_whatever_the_workers(tmp_path: Path) -> None:
    first, second, third = (
        run(tmp_path / f"{number}", "--seed", "3", "--cases", "12", "--jobs", jobs)
        for number, jobs in enumerate(("1", "1", "2"))
    )
    assert digest(first) == digest(second) == digest(third)
    assert verdicts(first.batches) == verdicts(second.batches) == verdicts(third.batches)


def test_a_complete_suite_is_the_same_in_shards_and_resumed_and_tells_how_far_it_goes(tmp_path: Path) -> None:
    common = (
        "run",
        "x86_64-ms",
        "--cc",
        compiler(),
        "--complete",
        "0",
        "--opt",
        "O0",
        "--seed",
        "1",
        "--no-triage",
    )
    whole = abiprobe(*common, "--out", "whole", cwd=tmp_path)
    assert whole.returncode in STATUSES, whole.stderr
    for part in ("1/2", "2/2"):
        abiprobe(*common, "--out", part.replace("/", "-"), "--shard", part, cwd=tmp_path)
    merged = abiprobe("merge", "1-2", "2-2", "--out", "merged", cwd=tmp_path)
    assert merged.returncode in STATUSES, merged.stderr
    abiprobe(*common, "--out", "cut", "--budget", "0s", cwd=tmp_path)
    abiprobe("run", "--resume", "cut", cwd=tmp_path)
    found = [read_complete(tmp_path / name) for name in ("whole", "merged", "cut")]
    assert len(set(map(digest, found))) == 1
    assert {batch.key.sort for batch in found[0].batches} == {Sort.COMPLETE}
    told = abiprobe("report", "merged", cwd=tmp_path).stdout
    assert "in plain (134 signatures)" in told or "plain: of 134 signatures" in told
    assert "were not asked" not in told
    assert "A compiler that answers these signatures as the model does, and has no more states" in told
    part = abiprobe("report", "1-2", cwd=tmp_path).stdout
    assert "were not asked" in part
    assert "conforms" not in part


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--complete", "-1"), "--complete -1 is too small"),
        (("--complete", "many"), "--complete 'many' is not a whole number"),
        (("--complete-records", "5"), "at most 4 members"),
        (
            ("--complete", "1", "--only", "bit-field"),
            "leave out --tours, --corpus, --examples and --complete, or --only",
        ),
        (("--language", "c99", "--tours"), "--language leaves out what is not drawn"),
        (("--language", "c++20"), "'c++20' is not one of 'c99', 'c11', 'c23', 'gnu'"),
    ],
)
def test_a_wrong_number_is_a_usage_error(tmp_path: Path, options: tuple[str, ...], words: str) -> None:
    ended = abiprobe("run", TARGET, "--cc", compiler(), *options, cwd=tmp_path)
    assert ended.returncode == 2
    assert words in ended.stderr


def test_a_run_without_a_target_tests_the_default_ones_and_says_so(tmp_path: Path) -> None:
    ended = abiprobe("run", "--cc", compiler(), "--cases", "1", "--opt", "O0", "--out", "run", cwd=tmp_path)
    assert ended.returncode in STATUSES, ended.stderr
    assert f"testing the default ones, {', '.join(DEFAULT_TARGETS)}" in ended.stderr
    assert read_complete(tmp_path / "run").header.plan.targets == DEFAULT_TARGETS


def test_the_targets_of_a_run() -> None:
    assert run_targets(("s390x", "sparc64", "s390x")) == (TARGETS["s390x"], TARGETS["sparc64"])
    assert run_targets(("s390x", "all")) == tuple(target for target in TARGETS.values() if target.modelled)
    with pytest.raises(Problem, match="unknown target"):
        run_targets(("s390",))


def test_another_seed_asks_other_questions(tmp_path: Path) -> None:
    first, second = (
        run(tmp_path / seed, "--seed", seed, "--cases", "10", "--opt", "O0") for seed in ("1", "2")
    )
    assert digest(first) != digest(second)


def test_shards_make_the_whole(tmp_path: Path) -> None:
    common = ("--seed", "5", "--cases", "260", "--opt", "O0", "--no-triage")
    whole = run(tmp_path / "whole", *common)
    parts = [run(tmp_path / f"part{part}", *common, "--shard", f"{part}/2") for part in (1, 2)]
    merged = verdicts(parts[0].batches) | verdicts(parts[1].batches)
    assert not verdicts(parts[0].batches).keys() & verdicts(parts[1].batches).keys()
    assert merged == verdicts(whole.batches)


def test_a_run_accounts_for_every_case(tmp_path: Path) -> None:
    found = run(tmp_path / "run", "--seed", "6", "--cases", "30", "--opt", "O0,O2")
    probes = {(batch.key.sort, batch.key.level): batch.probes for batch in found.batches}
    wide = {(f"prototypes {isa}", level): 2 for isa in ("avx", "avx512f") for level in ("O0", "O2")}
    assert probes == {
        (Sort.RECORDS, "O0"): 30,
        (Sort.PROTOTYPES, "O0"): 30,
        (Sort.PROTOTYPES, "O2"): 30,
        **wide,
    }
    for batch in found.batches:
        assert len({verdict.probe for verdict in batch.verdicts}) == batch.probes
        kinds = {verdict.kind for verdict in batch.verdicts}
        assert (ProbeKind.LAYOUT in kinds, ProbeKind.CALLER in kinds) == (
            batch.key.sort == Sort.RECORDS,
            batch.key.sort.startswith(Sort.PROTOTYPES),
        )


def test_the_seed_is_printed_and_gives_the_run_again(tmp_path: Path) -> None:
    ended = abiprobe("run", TARGET, "--cc", compiler(), "--cases", "3", "--opt", "O0", cwd=tmp_path)
    assert ended.returncode in STATUSES, ended.stderr
    (folder,) = (tmp_path / ".abiprobe" / "runs").iterdir()
    first = read_complete(folder)
    assert f"seed {first.header.plan.seed}" in ended.stderr
    assert f"seed {first.header.plan.seed}" in ended.stdout
    again = run(tmp_path / "again", "--cases", "3", "--opt", "O0", "--seed", str(first.header.plan.seed))
    assert digest(again) == digest(first)


def test_a_pipe_gets_no_progress(tmp_path: Path) -> None:
    ended = abiprobe("run", TARGET, "--cc", compiler(), "--cases", "3", "--opt", "O0", cwd=tmp_path)
    assert "\x1b" not in ended.stdout + ended.stderr
    assert len(ended.stderr.splitlines()) == 1


def test_the_report_of_a_run(tmp_path: Path) -> None:
    name = compiler()
    common = ("run", TARGET, "--cc", name, "--cases", "20", "--seed", "2", "--opt", "O0")
    ended = abiprobe(*common, "--out", "run", "--format", "json", cwd=tmp_path)
    printed = json.loads(ended.stdout)
    again = abiprobe("report", "run", "--format", "json", cwd=tmp_path)
    assert (again.returncode, json.loads(again.stdout)) == (ended.returncode, printed)
    assert set(printed) == {
        "schema",
        "causes",
        "header",
        "summary",
        "deviations",
        "pairs",
        "open",
        "verdicts",
        "uncompared",
        "footer",
    }
    (row,) = printed["summary"]
    assert (row["target"], row["subject"], row["opt"], row["probes"]) == (TARGET, name, "O0", 44)
    assert set(COLUMNS) <= set(row)
    assert {verdict["verdict"] for verdict in printed["verdicts"]} <= {
        "deviates",
        "unspecified",
        "unobserved",
    }
    assert printed["header"]["plan"]["seed"] == 2
    assert printed["footer"]["ended"] == "complete"
    text = abiprobe("report", "run", cwd=tmp_path)
    assert text.returncode == ended.returncode
    assert f"digest {printed['footer']['digest']}" in text.stdout


def test_a_budget_ends_a_run_and_resuming_finishes_it(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    common = ("run", TARGET, "--cc", compiler(), "--cases", "10", "--seed", "2", "--opt", "O0", "--jobs", "1")
    cut = abiprobe(*common, "--out", str(folder), "--budget", "0s", cwd=tmp_path)
    assert (cut.returncode, cut.stderr.count("Traceback")) == (3, 0)
    footer = read_complete(folder).footer
    assert footer is not None
    assert (footer.ended, footer.batches) == ("budget", 0)
    ended = abiprobe("run", "--resume", str(folder), cwd=tmp_path)
    assert ended.returncode in STATUSES, ended.stderr
    assert digest(read_complete(folder)) == digest(run(tmp_path / "whole", *common[4:]))


def test_a_budget_alone_sets_no_number_of_cases(tmp_path: Path) -> None:
    ended = abiprobe(
        "run", TARGET, "--cc", compiler(), "--opt", "O0", "--budget", "0s", "--out", "run", cwd=tmp_path
    )
    assert "Traceback" not in ended.stderr
    assert read_complete(tmp_path / "run").header.plan.cases > 1_000_000


def test_resuming_a_complete_run_reports_it(tmp_path: Path) -> None:
    before = run(tmp_path / "run", "--cases", "3", "--opt", "O0", "--seed", "1")
    data = (tmp_path / "run" / "journal.jsonl").read_bytes()
    ended = abiprobe("run", "--resume", "run", cwd=tmp_path)
    assert ended.returncode in STATUSES
    assert "complete" in ended.stderr
    assert digest(before) in ended.stdout
    assert (tmp_path / "run" / "journal.jsonl").read_bytes() == data


def test_a_run_is_not_finished_with_another_compiler(tmp_path: Path) -> None:
    run(tmp_path / "run", "--cases", "3", "--opt", "O0", "--seed", "1")
    journal = tmp_path / "run" / "journal.jsonl"
    head, *_ = journal.read_text("utf-8").splitlines()
    told = json.loads(head)
    told["subjects"][0]["digest"] = "another"
    journal.write_text(json.dumps(told) + "\n", "utf-8")
    ended = abiprobe("run", "--resume", "run", cwd=tmp_path)
    assert ended.returncode == 2
    assert "is not the compiler that this run began with" in ended.stderr


@pytest.mark.parametrize("options", [("--opt", "O0"), ("--opt", "-O1,O0,O1")])
def test_every_level_that_is_named_is_used_once(tmp_path: Path, options: tuple[str, ...]) -> None:
    found = run(tmp_path / "run", "--cases", "3", "--seed", "1", *options)
    levels = {batch.key.level for batch in found.batches if batch.key.sort == Sort.PROTOTYPES}
    assert levels == {level.strip("-") for level in options[1].split(",")}


def test_a_wrapper_by_a_relative_path_is_asked_again_when_its_compiler_changes(tmp_path: Path) -> None:
    program = zig.program()
    if program is None:
        pytest.skip("zig is not installed")
    wrapper = tmp_path / "bin" / "clang"
    wrapper.parent.mkdir()
    arguments = (
        TARGET,
        "--cc",
        "clang:bin/clang",
        "--cases",
        "6",
        "--seed",
        "5",
        "--opt",
        "O0",
        "--no-tours",
        "--no-triage",
    )
    found = {}
    for name, options, fresh in (
        ("old", "", ()),
        ("new", "-fpack-struct", ()),
        ("fresh", "-fpack-struct", ("--fresh",)),
    ):
        wrapper.write_text(f'#!/bin/sh\nexec {program} clang {options} "$@"\n')
        wrapper.chmod(0o755)
        ended = abiprobe("run", *arguments, *fresh, "--out", name, cwd=tmp_path)
        assert ended.returncode in STATUSES, ended.stderr
        found[name] = read_complete(tmp_path / name)
    assert digest(found["new"]) == digest(found["fresh"]) != digest(found["old"])
    infos = {name: run.header.subjects[0].digest for name, run in found.items()}
    assert infos["new"] == infos["fresh"] != infos["old"]


def ended(folder: Path, *options: str) -> tuple[str, int]:
    """How a run ended, and after how many batches."""
    asked = ("--seed", "3", "--cases", "40", "--opt", "O2", "--jobs", "1", "--no-tours", "--no-triage")
    found = run(folder, *asked, *options)
    assert found.footer is not None
    return found.footer.ended, found.footer.batches


def test_a_run_ends_when_enough_failures_are_new_and_can_be_finished(tmp_path: Path) -> None:
    """Any compiler deviates in something from x86-64's text; what is known is no failure."""
    whole = ended(tmp_path / "whole", "--max-failures", "9999", "--no-known")
    first, known = (
        ended(tmp_path / "new", "--stop-on-new", "--no-known"),
        ended(tmp_path / "known", "--stop-on-new"),
    )
    assert whole[0] == "complete" == known[0]
    assert first[0] == "failures"
    assert 0 < first[1] < whole[1] == known[1]
    done = abiprobe("run", "--resume", str(tmp_path / "new"), "--no-known", "--no-triage", cwd=tmp_path)
    assert done.returncode == 1, done.stderr
    found = read_complete(tmp_path / "new")
    assert found.footer is not None
    assert found.footer.ended == "complete"


@pytest.mark.parametrize("given", ["x", "0"])
def test_a_number_of_failures_is_a_number(given: str, tmp_path: Path) -> None:
    done = abiprobe("run", TARGET, "--max-failures", given, cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
