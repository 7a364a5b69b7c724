"""Calling the command line as users do."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from abiprobe.harness.toolchains.find import installed, parse_subject

# Tests that are started in the background of a shell inherit an ignored SIGINT; the command must not.
LISTENING = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
MAIN = (sys.executable, "-c", f"{LISTENING}; from abiprobe.harness.cli import main; main()")
TARGET = "x86_64-sysv"


def abiprobe(
    *arguments: str, cwd: Path, stdin: str = "", env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """A finished run of `abiprobe`; tours, which take seconds to derive, are left to the tests that ask for them."""
    if arguments[0] == "run" and not {"--tours", "--resume"} & {*arguments}:
        arguments = (*arguments, "--no-tours")
    return subprocess.run(
        (*MAIN, *arguments),
        cwd=cwd,
        input=stdin,
        env={**os.environ, **(env or {})},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


def compiler(target: str = TARGET) -> str:
    """A compiler for a target; skips where there is none."""
    for name in ("zig", "clang", "clang-22", "gcc-12", "gcc"):
        if installed(parse_subject(name), (target,)):
            return name
    pytest.skip(f"no compiler is installed for {target}")


def needed(name: str, target: str) -> str:
    """This compiler; skips where it is not installed."""
    if not installed(parse_subject(name), (target,)):
        pytest.skip(f"{name} is not installed for {target}")
    return name
