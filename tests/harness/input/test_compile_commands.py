"""Compilation databases: which command tells of a file, and what of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.input.compile_commands import Command, options_for, read_commands


def written(folder: Path, *entries: object) -> Path:
    path = folder / "compile_commands.json"
    path.write_text(json.dumps(entries), "utf-8")
    return path


def test_what_concerns_reading_is_taken_and_nothing_else() -> None:
    words = (
        "cc -O2 -I../inc -isystem sys -D A -DB=1 -U C -std=gnu11 -include pre.h -march=native -o a.o -c a.c"
    )
    found = options_for("/p/src/a.c", [Command("/p/src", "a.c", command=words)])
    assert found == (
        *("-I", "/p/src/../inc", "-isystem", "/p/src/sys", "-D", "A", "-D", "B=1", "-U", "C", "-std=gnu11"),
        *("-include", "/p/src/pre.h"),
    )


@pytest.mark.parametrize(
    ("file", "macro"),
    [
        ("/p/src/a.c", "A"),
        ("/p/include/b.h", "B"),
        ("/p/src/other.h", "A"),
        ("/p/lib/deep/x.h", "B"),
    ],
)
def test_a_header_is_read_as_the_nearest_source(file: str, macro: str) -> None:
    commands = [
        Command("/p/src", "a.c", arguments=("cc", "-DA", "a.c")),
        Command("/p/lib", "b.c", arguments=("cc", "-DB", "b.c")),
    ]
    assert options_for(file, commands) == ("-D", macro)


def test_the_file_may_be_in_a_folder_that_is_named(tmp_path: Path) -> None:
    path = written(tmp_path, {"directory": "/p", "file": "a.c", "command": "cc -DX a.c", "output": "a.o"})
    assert read_commands(tmp_path) == read_commands(path)
    assert read_commands(path)[0].path == Path("/p/a.c")


@pytest.mark.parametrize("text", ["", "{}", "[]", '[{"file": "a.c"}]', "[1]"])
def test_another_file_is_one_line(tmp_path: Path, text: str) -> None:
    path = tmp_path / "compile_commands.json"
    path.write_text(text, "utf-8")
    with pytest.raises(Problem, match="compile_commands"):
        read_commands(path)


def test_a_missing_file_says_how_to_get_one(tmp_path: Path) -> None:
    with pytest.raises(Problem, match="CMAKE_EXPORT_COMPILE_COMMANDS"):
        read_commands(tmp_path)


def test_a_command_that_no_shell_reads_is_one_line() -> None:
    with pytest.raises(Problem, match="cannot be read"):
        options_for("/p/a.c", [Command("/p", "a.c", command='cc "a.c')])
