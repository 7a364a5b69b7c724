"""Imports a binding and writes what it declares as JSON: a program of its own, which any Python from 3.7 on runs.

`python_child.py DESCRIBER FILE` runs a describer (`ctypes_describer.py`, `cffi_describer.py`), which puts something in the place of libraries
and says what the module of the file declares. Imports nothing of abiprobe.
"""

from __future__ import annotations

import json
import runpy
import sys
import types
from pathlib import Path

FAILED = 70
"""The exit status where the file cannot be imported."""


def main() -> int:
    """Import the file, and describe it."""
    describer, path = runpy.run_path(sys.argv[1]), Path(sys.argv[2])
    describer["stand_in"]()
    sys.path.insert(0, str(path.parent))
    module = types.ModuleType("binding")
    module.__file__ = str(path)
    sys.modules["binding"] = module
    try:
        exec(compile(path.read_bytes(), str(path), "exec"), vars(module))  # noqa: S102 - which is the purpose
    except Exception as error:  # noqa: BLE001 - whatever a user's file raises
        sys.stderr.write(f"{type(error).__name__}: {error}\n")
        return FAILED
    sys.stdout.write(json.dumps(describer["said"](module)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
