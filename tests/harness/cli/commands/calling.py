"""Calling the command line as users do."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from abiprobe.harness.subjects.find import installed, parse_subject
from abiprobe.oracles.registry import find_target

from .forked import called

# Tests that are started in the background of a shell inherit an ignored SIGINT, by nohup an ignored SIGHUP; the command must not.
LISTENING = (
    "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
    "signal.signal(signal.SIGHUP, signal.SIG_DFL)"
)
MAIN = (sys.executable, "-c", f"{LISTENING}; from abiprobe.harness.cli.main import main; main()")
TARGET = "x86_64-sysv"
SECONDS = 300
FORKED = multiprocessing.get_context("forkserver")
FORKED.set_forkserver_preload(["tests.harness.cli.commands.forked"])


def abiprobe(
    *arguments: str, cwd: Path, stdin: str = "", env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """A finished run of `abiprobe`; tours, which take seconds to derive, are left to the tests that ask for them.

    Its process is forked from one that has loaded everything: loading takes longer than most commands do.
    """
    if arguments[0] == "run" and not {"--tours", "--resume"} & {*arguments}:
        arguments = (*arguments, "--no-tours")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "stdin").write_text(stdin, "utf-8")
        command = FORKED.Process(target=called, args=(arguments, folder, cwd, {**os.environ, **(env or {})}))
        command.start()
        command.join(SECONDS)
        if command.exitcode is None:
            command.kill()
            raise TimeoutError(f"{arguments} takes more than {SECONDS} s")
        out, err = ((folder / stream).read_text("utf-8") for stream in ("stdout", "stderr"))
        return subprocess.CompletedProcess(arguments, command.exitcode, out, err)


def compiler(target: str = TARGET) -> str:
    """A compiler for a target; skips where there is none."""
    for name in ("zig", "clang", "clang-22", "gcc-12", "gcc"):
        if installed(parse_subject(name), (find_target(target),)):
            return name
    pytest.skip(f"no compiler is installed for {target}")


def needed(name: str, target: str) -> str:
    """This compiler; skips where it is not installed."""
    if not installed(parse_subject(name), (find_target(target),)):
        pytest.skip(f"{name} is not installed for {target}")
    return name
