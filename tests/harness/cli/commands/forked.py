"""What a forked process does to be a command of its own; loaded with every command before any is forked."""

from __future__ import annotations

import os
import pkgutil
import signal
import sys
from collections.abc import Mapping
from contextlib import suppress
from importlib import import_module
from pathlib import Path

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.cli import commands
from abiprobe.harness.cli.main import main
from abiprobe.harness.input import load

for found in pkgutil.iter_modules(commands.__path__, f"{commands.__name__}."):
    import_module(found.name)
with suppress(Problem):
    load()


def called(arguments: tuple[str, ...], folder: Path, cwd: Path, env: Mapping[str, str]) -> None:
    """Become `abiprobe` with these arguments, whose streams are files in `folder`."""
    os.setsid()
    # Tests that are started in the background of a shell inherit an ignored SIGINT; the command must not.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.environ.clear()
    os.environ.update(env)
    os.chdir(cwd)
    for number, (stream, flags) in enumerate(
        (("stdin", os.O_RDONLY), ("stdout", os.O_WRONLY | os.O_CREAT), ("stderr", os.O_WRONLY | os.O_CREAT))
    ):
        opened = os.open(folder / stream, flags)
        os.dup2(opened, number)
        os.close(opened)
    # A child of multiprocessing has none.
    sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)
    main(list(arguments))
