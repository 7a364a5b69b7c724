"""Topics, completion and man pages."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest

from abiprobe.harness.cli.commands.man import roff, sentence
from abiprobe.harness.cli.main import cli
from abiprobe.harness.cli.topics import REST, TOPICS, by_topic
from tests.documents.options import leaves
from tests.harness.cli.commands.calling import abiprobe

OWN = f'#!/bin/sh\nexec {sys.executable} -c "from abiprobe.harness.cli.main import main; main()" "$@"\n'


def test_every_command_is_under_one_topic() -> None:
    listed = [name for names in TOPICS.values() for name in names]
    assert sorted(listed) == sorted(cli.commands)


def test_no_two_options_share_a_value() -> None:
    for name, command in leaves():
        names = [one.name for one in command.params]
        assert sorted(names, key=str) == sorted(set(names), key=str), name


def test_an_option_with_a_list_may_be_repeated() -> None:
    """Of `-t one -t other` no target may be dropped without a word."""
    for name, command in leaves():
        for one in command.params:
            if isinstance(one, click.Option) and "," in (one.metavar or "") and one.opts != ["--with"]:
                assert one.multiple, (name, one.opts)
    assert asked("check", "x.h", "-t", "riscv64-lp64d", "-t", "x86_64-sysv,i386-sysv")["target"] == (
        "riscv64-lp64d,x86_64-sysv,i386-sysv"
    )


def asked(command: str, *arguments: str) -> dict[str, object]:
    """The parameters of a command by the words of a command line."""
    return cli.commands[command].make_context(command, list(arguments)).params


def test_what_is_under_no_topic_comes_last() -> None:
    assert list(by_topic(["run", "other"])) == [("Test compilers", ("run",)), (REST, ("other",))]


def test_help_lists_topics_in_their_order(tmp_path: Path) -> None:
    said = abiprobe("--help", cwd=tmp_path).stdout
    heads = [line.removesuffix(":") for line in said.splitlines() if line.endswith(":") and line[0] != " "]
    assert heads == ["Options", *TOPICS]
    names = [line.split()[0] for line in said.split("Test compilers:")[1].splitlines() if line[:2] == "  "]
    assert names == [name for listed in TOPICS.values() for name in listed]


@pytest.mark.parametrize(
    ("words", "among"),
    [
        (("rep",), ["report", "repro"]),
        (("run", "x86_64-s"), ["x86_64-sysv"]),
        (("check", "a.h", "-t", "riscv64-lp64d,s39"), ["riscv64-lp64d,s390x"]),
        (("explain", "riscv:fp.flatten-zero-w"), ["riscv:fp.flatten-zero-width"]),
        (("report", "--format", "ju"), ["junit"]),
        (("libm",), ["libmvec"]),
    ],
)
def test_bash_completes(words: tuple[str, ...], among: list[str], tmp_path: Path) -> None:
    if shutil.which("bash") is None:
        pytest.skip("bash is not installed")
    program = tmp_path / "abiprobe"
    program.write_text(OWN, "utf-8")
    program.chmod(0o755)
    script = (
        f'eval "$(abiprobe completion bash)"; COMP_WORDS=(abiprobe "$@"); COMP_CWORD={len(words)}; '
        '_abiprobe_completion abiprobe; printf "%s\\n" "${COMPREPLY[@]}"; [[ $COMP_WORDBREAKS != *:* ]]'
    )
    path = os.pathsep.join((str(tmp_path), os.environ["PATH"]))
    done = subprocess.run(
        ("bash", "-c", script, "bash", *words),
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == among


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_script_asks_abiprobe(shell: str, tmp_path: Path) -> None:
    text = abiprobe("completion", shell, cwd=tmp_path).stdout
    assert f"_ABIPROBE_COMPLETE={shell}_complete" in text
    told = json.loads(abiprobe("completion", shell, "--format", "json", cwd=tmp_path).stdout)
    assert told["script"] == text


def test_a_clause_is_not_completed_to_nothing(tmp_path: Path) -> None:
    env = {"_ABIPROBE_COMPLETE": "bash_complete", "COMP_WORDS": "abiprobe explain nowhere", "COMP_CWORD": "2"}
    assert abiprobe("explain", cwd=tmp_path, env=env).stdout == "file,nowhere\n"


def test_there_is_a_page_for_each_command(tmp_path: Path) -> None:
    done = abiprobe("man", "pages", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    found = {path.name for path in (tmp_path / "pages").iterdir()}
    assert {"abiprobe.1", *(f"abiprobe-{name}.1" for name in cli.commands)} <= found
    assert {"abiprobe-corpus-add.1", "abiprobe-toolchains-install.1"} <= found
    page = (tmp_path / "pages" / "abiprobe-check.1").read_text("utf-8")
    for part in (
        ".SH SYNOPSIS",
        "\\fB\\-\\-write\\-baseline\\fR FILE",
        "for standard input",
        "\\fBabiprobe\\fR(1)",
    ):
        assert part in page
    first = (tmp_path / "pages" / "abiprobe.1").read_text("utf-8")
    assert ".SH TEST COMPILERS" in first
    assert ".SH EXIT STATUS" in first


def test_pages_are_without_mistakes(tmp_path: Path) -> None:
    if shutil.which("mandoc") is None:
        pytest.skip("mandoc is not installed")
    abiprobe("man", "pages", cwd=tmp_path)
    pages = sorted(map(str, (tmp_path / "pages").iterdir()))
    said = subprocess.run(
        ("mandoc", "-T", "lint", *pages), capture_output=True, text=True, check=False
    ).stdout
    # Pages that are the same on each day have no date, and the lines of a paragraph are as long as they are.
    wrong = [
        one for one in said.splitlines() if "missing date" not in one and "longer than 80 bytes" not in one
    ]
    assert wrong == []


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    done = abiprobe("man", "file/pages", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("abiprobe: cannot write")
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("a-b", "a\\-b"),
        ("\\n", "\\en"),
        (".SH no", "\\&.SH no"),
        ("'tis", "\\&'tis"),
        ('say "x"', "say \\(dqx\\(dq"),
    ],
)
def test_nothing_commands_man(text: str, made: str) -> None:
    assert roff(text) == made


def test_the_name_of_a_page_is_one_sentence() -> None:
    assert sentence(cli.commands["run"]) == "Test compilers on random types and prototypes"
