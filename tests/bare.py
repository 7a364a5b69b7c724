"""Run pytest as on a machine without compilers: PATH has git and coreutils alone, HOME is empty, nobody is root.

    python tests/bare.py [pytest's arguments]

It needs an environment in which abiprobe's dependencies are installed. A caller who is root becomes `nobody`, where
that user can read the environment and the checkout; what the tests write goes to a folder of their own.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
NOBODY = 65534
PROGRAMS = (
    *(
        "git",
        "sh",
        "basename",
        "cat",
        "chmod",
        "cp",
        "cut",
        "date",
        "dirname",
        "echo",
        "env",
        "false",
        "head",
        "ln",
    ),
    *("ls", "mkdir", "mktemp", "mv", "nice", "nproc", "printf", "pwd", "readlink", "realpath", "rm", "rmdir"),
    *("sleep", "sort", "stat", "tail", "tee", "test", "touch", "tr", "true", "uname", "uniq", "wc"),
    *("comm", "dd", "expr", "fold", "id", "join", "od", "paste", "seq", "split", "tac", "timeout", "yes"),
)

KEPT = ("PYTHONPATH", "ABIPROBE_EXPECTED_SKIPS", "CI")
"""Environment variables that the tests inherit."""


def fill(folder: Path) -> None:
    """Link the programs that a bare machine has into a folder."""
    folder.mkdir()
    for name in PROGRAMS:
        found = shutil.which(name)
        if found:
            (folder / name).symlink_to(Path(found).resolve())
    (folder / "python3").symlink_to(Path(sys.executable).resolve())


def can_run(user: int) -> bool:
    """Return whether this user can start this Python and read the checkout."""
    command = (sys.executable, "-c", f"open({str(Path(__file__))!r}); import pytest")
    try:
        return subprocess.run(command, user=user, group=user, extra_groups=(), check=False).returncode == 0
    except OSError:
        return False


def main(arguments: list[str]) -> int:
    """Run pytest, and say as whom; the exit status is pytest's."""
    user = os.getuid()
    if user == 0 and can_run(NOBODY):
        user = NOBODY
    with tempfile.TemporaryDirectory(prefix="abiprobe-bare-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        fill(folder / "bin")
        for own in ("home", "tmp"):
            (folder / own).mkdir()
            os.chown(folder / own, user, -1)
        environment = {
            "PATH": str(folder / "bin"),
            "HOME": str(folder / "home"),
            "TMPDIR": str(folder / "tmp"),
            "LANG": "C.UTF-8",
            **{name: os.environ[name] for name in KEPT if name in os.environ},
        }
        print(f"as user {user}, with PATH={folder / 'bin'}", flush=True)  # noqa: T201
        command = (sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *arguments)
        as_user: dict[str, Any] = (
            {"user": user, "group": user, "extra_groups": ()} if user != os.getuid() else {}
        )
        return subprocess.run(command, cwd=ROOT, env=environment, check=False, **as_user).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
