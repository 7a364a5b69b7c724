"""`abiprobe ptx` that is interrupted while a ptxas hangs: nothing of it goes on."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import uuid
from pathlib import Path

# Tests that are started in the background of a shell inherit an ignored SIGINT; the command must not.
LISTENING = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
MAIN = (sys.executable, "-c", f"{LISTENING}; from abiprobe.harness.cli.main import main; main()")
HANGING = """#!/bin/sh
case "$*" in
  *--version*) echo "Cuda compilation tools, release 13.0, V13.0.88" ;;
  *) : > "{0}"; exec sleep 600 ;;
esac
"""
MARK = "ABIPROBE_TEST_MARK"
PATIENCE = 60.0


def survivors(mark: str) -> list[str]:
    """The processes that have a mark in their environment."""
    found = []
    for environ in Path("/proc").glob("[0-9]*/environ"):
        try:
            if f"{MARK}={mark}".encode() in environ.read_bytes():
                found.append((environ.parent / "cmdline").read_text().replace("\0", " "))
        except OSError:
            continue
    return found


def test_an_interrupt_ends_workers_and_tools(tmp_path: Path) -> None:
    program, begun, scratch = tmp_path / "ptxas", tmp_path / "begun", tmp_path / "scratch"
    program.write_text(HANGING.format(begun))
    program.chmod(0o755)
    scratch.mkdir()
    mark = uuid.uuid4().hex
    process = subprocess.Popen(
        (*MAIN, "ptx", "--ptxas", str(program), "--functions", "40", "--kernels", "0"),
        cwd=tmp_path,
        env={**os.environ, MARK: mark, "TMPDIR": str(scratch)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    deadline = time.monotonic() + PATIENCE
    while not begun.exists():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGINT)
    _, told = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130, told
    assert "Traceback" not in told
    assert survivors(mark) == []
    assert list(scratch.iterdir()) == []
