"""The options that pkg-config has for a package: where its headers are, and the macros that they need."""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Sequence

from abiprobe.harness.base import child
from abiprobe.harness.base.problem import Problem

PROGRAMS = ("pkg-config", "pkgconf")
READ = ("-I", "-D", "-U", "-isystem", "-idirafter", "-include", "-m", "-std=")
"""How the options begin that say how headers read; the others are about code."""
SEPARATE = frozenset({"-isystem", "-idirafter", "-include"})
"""Options whose argument is a word of its own."""
SECONDS = 10.0


def options_of(packages: Sequence[str]) -> tuple[str, ...]:
    """Return the options of packages, none for none; raises `Problem` where pkg-config is missing or does not know one."""
    if not packages:
        return ()
    named = os.environ.get("PKG_CONFIG")
    program = named or next(filter(shutil.which, PROGRAMS), None)
    if program is None:
        raise Problem("--pkg needs pkg-config, which is not installed", "apt-get install pkgconf")
    done = child.run((program, "--cflags", "--", *packages), timeout=SECONDS)
    if not done.ok:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        why = said[-1] if said else f"{program} ends with status {done.returncode}"
        raise Problem(f"--pkg {' '.join(packages)}: {why}", "see: pkg-config --list-all")
    return tuple(read(shlex.split(done.stdout.decode("utf-8", "replace"))))


def read(words: Sequence[str]) -> list[str]:
    """Return the options that say how headers read, with their arguments."""
    kept: list[str] = []
    for at, word in enumerate(words):
        before = words[at - 1] if at else ""
        if word.startswith(READ) or before in SEPARATE:
            kept.append(word)
    return kept
