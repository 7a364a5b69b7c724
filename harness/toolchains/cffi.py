"""cffi, the foreign function library of Python: it lays out records by itself, for the machine it runs on."""

from __future__ import annotations

import hashlib
import importlib.util
import platform
import sys
from importlib import metadata
from pathlib import Path

from abiprobe.harness.caching import stat_digest
from abiprobe.harness.toolchains.subject import Family, Identity

CHILD = Path(__file__).parent.parent / "witnesses" / "cffi_child.py"
FLAGS: dict[str, tuple[str, ...]] = {"x86_64-sysv": ()}
# By path, and without its folder on sys.path, where modules of ours would hide others.
COMMAND = (sys.executable, "-P", str(CHILD))


def find(name: str, target: str) -> tuple[str, ...] | None:
    """The child that asks cffi, when that is installed on a machine of the target."""
    here = sys.platform == "linux" and platform.machine() == target.partition("-")[0]
    return COMMAND if name == "cffi" and here and importlib.util.find_spec("cffi") is not None else None


def identity() -> Identity:
    """Its version, that of the parser it relies on, and a digest of both and of the interpreter."""
    version = f"cffi {metadata.version('cffi')}, pycparser {metadata.version('pycparser')}"
    parts = "\0".join((version, stat_digest(sys.executable)))
    return Identity(version, hashlib.sha256(parts.encode()).hexdigest()[:16])


CFFI = Family("cffi", FLAGS, (), find, library=True)
