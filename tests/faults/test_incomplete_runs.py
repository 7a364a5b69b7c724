"""The beginning of a journal is no run: whatever says something about a whole one refuses it, in one line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from .commands import called
from .runs import FORMATS, deviating

CUTS: dict[str, Callable[[bytes], bytes]] = {
    "cut at a line": lambda data: b"".join(data.splitlines(keepends=True)[:3]),
    "cut within a line": lambda data: data[:-20],
    "cut before the last line": lambda data: b"".join(data.splitlines(keepends=True)[:-1]),
    "NULs for a tail": lambda data: b"".join(data.splitlines(keepends=True)[:3]) + bytes(4096),
    "the header alone": lambda data: data.splitlines(keepends=True)[0],
}
COMMANDS = (
    ("report", "{cut}"),
    *(("report", "{cut}", "--format", form) for form in FORMATS),
    ("triage", "{cut}"),
    ("accept", "{cut}"),
    ("diff", "{cut}", "{whole}"),
    ("diff", "{whole}", "{cut}"),
    ("diff", "--abi-breaks", "{cut}", "{whole}"),
    ("diff", "--abi-breaks", "{whole}", "{cut}"),
    ("coverage", "{cut}"),
    ("rejudge", "{cut}"),
    ("site", "{cut}", "--out", "{out}"),
)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return deviating(tmp_path_factory.mktemp("whole"))


@pytest.mark.parametrize("cut", CUTS)
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_the_beginning_of_a_run_is_refused_with_how_to_finish_it(
    whole: Path, tmp_path: Path, command: tuple[str, ...], cut: str
) -> None:
    folder = tmp_path / "a run"
    folder.mkdir()
    (folder / "journal.jsonl").write_bytes(CUTS[cut]((whole / "journal.jsonl").read_bytes()))
    words = [word.format(cut=folder, whole=whole, out=tmp_path / "out") for word in command]
    said = called(*words)
    assert (said.status, said.out) == (2, "")
    assert said.clean
    assert f"the run at {folder} is incomplete" in said.err
    assert said.err.endswith(f"finish it with: abiprobe run --resume '{folder}'\n")


@pytest.mark.parametrize("command", [("report", "{run}"), ("coverage", "{run}"), ("diff", "{run}", "{run}")])
def test_the_whole_run_is_answered(whole: Path, command: tuple[str, ...]) -> None:
    assert called(*(word.format(run=whole) for word in command)).status in {0, 1}
