"""A compiler that lies about what it makes: it edits the assembly of a real one, in the way that the environment names.

Needs the standard library only, so that the program starts at once.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import ModuleType

LIE = "ABIPROBE_TESTS_LIE"
"""The environment variable that chooses a lie; all lies but those about features share a program and its features."""
Lie = Callable[[str], str]


def named(*lies: Lie) -> dict[str, Lie]:
    """Lies by their names."""
    return {lie.__name__: lie for lie in lies}


def main(real: Sequence[str], lies: Mapping[str, Lie]) -> None:
    """Compile as `real` does, and assemble what the lie makes of it; a call that compiles nothing is left to `real`."""
    words = sys.argv[1:]
    if "-c" not in words:
        os.execv(real[0], [*real, *words])
    source, output = words[words.index("-c") + 1], words[words.index("-o") + 1]
    assembly = f"{output}.s"
    subprocess.run([*real, *("-S" if word == "-c" else word for word in words[:-1]), assembly], check=True)
    path = Path(assembly)
    path.write_text(lies[os.environ.get(LIE, "tells_the_truth")](path.read_text("utf-8")), "utf-8")
    assemble = [word if word != source else assembly for word in words if word != "-g"]
    sys.exit(subprocess.run([*real, "-Wno-unused-command-line-argument", *assemble], check=False).returncode)


def liar(path: Path, lies: ModuleType, real: Sequence[str]) -> Path:
    """Write a program that tells the `LIES` of a module about what a real compiler makes."""
    file = Path(str(lies.__file__))
    folders = [str(Path(__file__).parents[1]), str(file.parent)]
    code = (
        f"import sys; sys.path[:0] = {folders!r}; from faux.editing import main; "
        f"from {file.stem} import LIES; main({list(real)!r}, LIES)"
    )
    path.write_text(f'#!/bin/sh\nexec {shlex.join((sys.executable, "-ISc", code))} "$@"\n', "utf-8")
    path.chmod(0o755)
    return path
