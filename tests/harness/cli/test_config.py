"""Defaults of options come from the nearest configuration; mistakes in it are one line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click
import pytest

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.cli.config import Config, defaults, find_config, read_config
from abiprobe.harness.cli.main import cli, main
from abiprobe.harness.cli.options import takes_known_of
from abiprobe.harness.triage.known_files import READERS

TEXT = """
targets = ["riscv64-lp64d", "x86_64-sysv"]
cc = ["gcc-16", "clang-24"]
known = "known.toml"
[run]
cases = 20
tours = false
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    monkeypatch.chdir(inner)
    return tmp_path


def status(*arguments: str) -> int:
    with pytest.raises(SystemExit) as left:
        main(list(arguments))
    assert isinstance(left.value.code, int)
    return left.value.code


def test_a_key_concerns_every_command_that_has_the_option(folder: Path) -> None:
    (folder / "abiprobe.toml").write_text(TEXT)
    found = find_config(Path.cwd())
    assert found is not None
    given = defaults(found, cli.commands)
    assert given["run"] == {
        "targets": ["riscv64-lp64d", "x86_64-sysv"],
        "subjects": ["gcc-16", "clang-24"],
        "known": [str(folder / "known.toml")],
        "cases": "20",
        "tours": False,
    }
    assert given["check"]["target"] == ["riscv64-lp64d", "x86_64-sysv"]
    assert "cases" not in given["lowerings"]
    assert given["doctor"] == {} == given["man"]


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"a/abiprobe.toml": "seed = 2", "abiprobe.toml": "seed = 1"}, "a/abiprobe.toml"),
        ({"pyproject.toml": "[tool.abiprobe]\nseed = 1"}, "pyproject.toml"),
        ({"a/pyproject.toml": "[project]\nname = 'x'", "abiprobe.toml": "seed = 1"}, "abiprobe.toml"),
        ({"a/abiprobe.toml": "", "abiprobe.toml": "seed = 1"}, "a/abiprobe.toml"),
        ({"a/pyproject.toml": "[tool.abiprobe]\nseed = 1", "a/abiprobe.toml": "seed = 2"}, "a/abiprobe.toml"),
    ],
)
def test_the_nearest_file_counts(folder: Path, files: dict[str, str], expected: str) -> None:
    for name, text in files.items():
        (folder / name).write_text(text)
    found = find_config(Path.cwd())
    assert found is not None
    assert found.file == folder / expected


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("bugdet = '5m'", "no command has the option 'bugdet': did you mean budget"),
        ("[run]\nfunctions = 3", "run has no option 'functions'"),
        ("cc = 3.5", "cc = 3.5 is no text, number or list of these"),
        ("cc = [true]", "cc = [True] is no text, number or list of these"),
        ("[run]\ntours = 1", "tours = 1 is neither true nor false"),
        ("cc = [", "Invalid value"),
    ],
)
def test_a_mistake_is_one_line(
    folder: Path, capsys: pytest.CaptureFixture[str], text: str, words: str
) -> None:
    (folder / "abiprobe.toml").write_text(text)
    assert status("config") == 2
    err = capsys.readouterr().err
    assert words in err
    assert str(folder / "abiprobe.toml") in err
    assert err.count("\n") == 1


def test_a_file_that_is_named_has_to_be_there(folder: Path) -> None:
    with pytest.raises(Problem, match="No such file"):
        read_config(folder / "none.toml")
    assert status("--config", "none.toml", "config") == 2


def test_config_shows_command_lines(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "abiprobe.toml").write_text(TEXT)
    assert status("config") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == str(folder / "abiprobe.toml")
    [run] = [line for line in lines if line.startswith("  abiprobe run ")]
    for part in ("riscv64-lp64d x86_64-sysv", "--cc gcc-16 --cc clang-24", "--cases 20", "--no-tours"):
        assert part in run
    assert status("config", "--format", "json") == 0
    assert json.loads(capsys.readouterr().out)["defaults"]["run"]["cases"] == "--cases 20"


def test_without_a_file_nothing_changes(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert find_config(Path.cwd()) is None
    assert status("config") == 0
    assert "no abiprobe.toml" in capsys.readouterr().out


def test_the_command_line_has_the_last_word(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "abiprobe.toml").write_text("targets = 'upmem-dpu'\n[predict]\nformat = 'json'")
    (folder / "a/b/f.h").write_text("void f(int a);")
    assert status("predict", "f.h") == 0
    shown = capsys.readouterr()
    json.loads(shown.out)
    assert "upmem-dpu" in shown.out
    assert "options as" in shown.err
    assert status("predict", "f.h", "--target", "x86_64-sysv", "--format", "text") == 0
    assert "rdi" in capsys.readouterr().out


@pytest.mark.parametrize("table", READERS)
def test_no_known_on_the_command_line_overrules_files_of_a_configuration(folder: Path, table: str) -> None:
    file = folder / "known.toml"
    file.write_text("")
    told: list[Any] = []
    command = click.command()(takes_known_of(table)(lambda known: told.append(known) or 0))
    options = {"known": [str(file)]}
    command.main([], standalone_mode=False, default_map=options)
    command.main(["--no-known"], standalone_mode=False, default_map=options)
    shipped, none = (getattr(one, "entries", one) for one in told)
    assert shipped
    assert not none
    with pytest.raises(Problem, match="contradicts"):
        command.main(["--no-known", "--known", str(file)], standalone_mode=False)


def test_every_key_of_a_command_sets_something_of_it() -> None:
    for name, command in cli.commands.items():
        for one in command.params:
            flag = next((text[2:] for text in one.opts if text.startswith("--")), "")
            if flag and not (hasattr(one, "is_flag") and one.is_flag):
                given = defaults(Config(Path("/abiprobe.toml"), {name: {flag: "x"}}), cli.commands)
                assert one.name in given[name]
