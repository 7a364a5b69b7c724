"""What users do with the runs of many nights."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from abiprobe.results.journal.journal import read_complete

from .calling import TARGET, abiprobe, needed


def stand_in(folder: Path, program: str) -> None:
    """Let the compiler of a folder be this one."""
    found = shutil.which(program)
    if found is None:
        pytest.skip(f"{program} is not installed")
    (folder / "cc").unlink(missing_ok=True)
    (folder / "cc").symlink_to(found)


@pytest.fixture(scope="module")
def nights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two nights of one subject, whose compiler was changed in between, and a third without a change."""
    folder = tmp_path_factory.mktemp("nights")
    needed("clang-16", TARGET)
    plan = (
        "run",
        TARGET,
        "--cc",
        f"clang:{folder}/cc",
        "--opt",
        "O0",
        "--cases",
        "60",
        "--seed",
        "6",
        "--raw",
        "--no-tours",
    )
    for name, program in (("1", "clang-16"), ("2", "clang-19"), ("3", "clang-19")):
        stand_in(folder, program)
        done = abiprobe(*plan, "--out", name, cwd=folder)
        assert done.returncode in {0, 1}, done.stderr
    return folder


def test_a_changed_compiler_is_told_with_what_it_changed(nights: Path) -> None:
    done = abiprobe("diff", "1", "2", "--format", "json", cwd=nights)
    found = json.loads(done.stdout)
    assert done.returncode == found["status"] == 1
    (replaced,) = found["replaced"]
    assert "16.0" in replaced["before"]
    assert "19.1" in replaced["after"]
    gone = [cause for cause in found["causes"] if cause["news"] == "gone"]
    assert gone
    assert all("__int128" in cause["example"] for cause in gone)
    text = abiprobe("diff", "1", "2", cwd=nights)
    assert (text.returncode, "is another" in text.stdout) == (1, True)
    markdown = abiprobe("diff", "1", "2", "--format", "markdown", cwd=nights)
    assert "* **gone**" in markdown.stdout
    assert "```c" in markdown.stdout


def test_the_same_compiler_twice_changes_nothing(nights: Path) -> None:
    done = abiprobe("diff", "2", "3", "--format", "json", cwd=nights)
    found = json.loads(done.stdout)
    assert done.returncode == 0, done.stdout
    assert (found["causes"], found["replaced"], found["first"], found["missing"]) == ([], [], [], [])
    assert found["compared"] == 128


def test_a_change_of_an_abi_is_told_without_a_model(nights: Path) -> None:
    done = abiprobe("diff", "1", "2", "--abi-breaks", "--format", "json", cwd=nights)
    found = json.loads(done.stdout)
    assert done.returncode == 1
    assert all("__int128" in example for example in found["examples"].values())
    assert abiprobe("diff", "2", "3", "--abi-breaks", cwd=nights).returncode == 0


def test_a_night_is_judged_anew(nights: Path) -> None:
    done = abiprobe("rejudge", "2", "--out", "again", cwd=nights)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "no change in " in done.stdout
    assert "the model's answer has changed for 0 probes" in done.stderr
    other = abiprobe(
        "rejudge", "2", "--as", f"{TARGET}={TARGET}@clang-reading", "--ask", "--out", "other", cwd=nights
    )
    assert other.returncode in {0, 1}, other.stderr
    assert "asked again" in other.stderr
    report = abiprobe("report", "other", "--format", "json", cwd=nights)
    assert {row["target"] for row in json.loads(report.stdout)["summary"]} == {f"{TARGET}@clang-reading"}


def test_shards_merged_are_the_whole(nights: Path) -> None:
    needed("gcc-12", TARGET)
    plan = (
        "run",
        TARGET,
        "--cc",
        "gcc-12",
        "--opt",
        "O0",
        "--cases",
        "600",
        "--seed",
        "2",
        "--pairs",
        "none",
    )
    assert abiprobe(*plan, "--out", "whole", cwd=nights).returncode in {0, 1}
    for part in ("1", "2", "3"):
        assert abiprobe(*plan, "--shard", f"{part}/3", "--out", f"part{part}", cwd=nights).returncode in {
            0,
            1,
        }
    lacking = abiprobe("merge", "part1", "part2", "--out", "two", cwd=nights)
    assert (lacking.returncode, "a shard is missing" in lacking.stderr) == (4, True)
    done = abiprobe("merge", "part3", "part1", "part2", "--out", "merged", cwd=nights)
    assert done.returncode == 0, done.stderr
    merged, whole = (read_complete(nights / name) for name in ("merged", "whole"))
    assert merged.footer is not None
    assert whole.footer is not None
    assert merged.footer.digest == whole.footer.digest
    assert merged.batches[0].key == whole.batches[0].key
    other = abiprobe("merge", "part1", "1", "--out", "x", cwd=nights)
    assert (other.returncode, "not parts of one run" in other.stderr) == (2, True)


def test_a_night_asks_what_was_kept_and_can_be_resumed(nights: Path, tmp_path: Path) -> None:
    needed("gcc-12", TARGET)
    header = tmp_path / "h.h"
    header.write_text("struct Kept { char a; long b; }; void kept(struct Kept);", "utf-8")
    added = abiprobe("corpus", "add", str(header), "-t", TARGET, cwd=tmp_path)
    assert "2 questions added" in added.stderr
    assert "0 questions added" in abiprobe("corpus", "add", str(header), "-t", TARGET, cwd=tmp_path).stderr
    listed = json.loads(abiprobe("corpus", "list", "--format", "json", cwd=tmp_path).stdout)["questions"]
    night = (
        "run",
        TARGET,
        "--cc",
        "gcc-12",
        "--opt",
        "O0",
        "--profile",
        "nightly",
        "--budget",
        "0.1s",
        "--seed",
        "1",
    )
    done = abiprobe(*night, "-j", "1", "--pairs", "none", "--out", "night", cwd=tmp_path)
    assert done.returncode in {0, 1}, done.stderr
    again = abiprobe("run", "--resume", "night", "--budget", "0.1s", "-j", "1", cwd=tmp_path)
    assert again.returncode in {0, 1}, again.stderr
    run = read_complete(tmp_path / "night")
    assert {batch.key.number for batch in run.batches} <= set(range(-6, 1))
    asked = {verdict.probe for batch in run.batches for verdict in batch.verdicts}
    assert {item["probe"] for item in listed} & asked
    assert all(batch.raw for batch in run.batches)
    pruned = abiprobe("corpus", "prune", "night", "--dry-run", cwd=tmp_path)
    assert "would be removed" in pruned.stderr


MISTAKES = [
    (("diff",), "there are no two runs"),
    (("diff", "nowhere", "here"), "no run at nowhere"),
    (("rejudge", "nowhere"), "no run at nowhere"),
]


@pytest.mark.parametrize(("arguments", "words"), MISTAKES, ids=[" ".join(row[0]) for row in MISTAKES])
def test_mistakes_are_told_in_one_line(arguments: tuple[str, ...], words: str, tmp_path: Path) -> None:
    done = abiprobe(*arguments, cwd=tmp_path)
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert words in done.stderr


def test_mistakes_about_runs(nights: Path) -> None:
    for arguments, words in (
        (("diff", "1", "2", "--match", "a=b"), "matches no subjects"),
        (("rejudge", "1", "--as", "x=y"), "does not rename"),
        (("rejudge", "1", "--as", f"{TARGET}=x"), "unknown target"),
        (("rejudge", "1", "--out", "2"), "already has a run"),
    ):
        done = abiprobe(*arguments, cwd=nights)
        assert done.returncode == 2
        assert words in done.stderr
