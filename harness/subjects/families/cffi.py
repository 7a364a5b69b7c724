"""cffi, the foreign function library of Python: it lays out records by itself, for the machine it runs on."""

from __future__ import annotations

import hashlib
import importlib.util
import platform
import sys
from importlib import metadata
from pathlib import Path

from abiprobe.harness.machines.targets import options_of
from abiprobe.harness.subjects import programs
from abiprobe.harness.subjects.subject import Family, Identity

CHILD = Path(__file__).with_name("cffi_child.py")
# By path, and without its folder on sys.path, where modules of ours would hide others.
COMMAND = (sys.executable, "-P", str(CHILD))


def find(name: str, target: str) -> tuple[str, ...] | None:
    """The child that asks cffi, when that is installed on a machine of the target."""
    here = sys.platform == "linux" and platform.machine() == target.partition("-")[0]
    return COMMAND if name == "cffi" and here and importlib.util.find_spec("cffi") is not None else None


def identity() -> Identity:
    """Its version, that of the parser it relies on, and a digest of both, of its library and of the interpreter."""
    version = f"cffi {metadata.version('cffi')}, pycparser {metadata.version('pycparser')}"
    backend = importlib.util.find_spec("_cffi_backend")
    library = (backend.origin,) if backend is not None and backend.origin else ()
    files = programs.of_tools(sys.executable, *library)
    parts = f"{version}\0{files.digest}"
    return Identity(version, hashlib.sha256(parts.encode()).hexdigest()[:16], files.sure)


CFFI = Family("cffi", options_of("cffi"), (), find, observers=("library", "foreign"))
