"""Compiles C for a triple without a code generator: its front end's LLVM IR, and of that the data, for another triple.

A program of its own: `through_ir.py OBJECT-OPTIONS COMPILER OPTIONS...`, the first separated by commas, the last as for
an object file. Code is left out, for only the data tell layouts; the OBJECT-OPTIONS name a target that aligns LLVM's
types as the other does. Imports nothing of abiprobe.
"""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

CODE = re.compile(r"^define .*?^\}\n", re.DOTALL | re.MULTILINE)
ABOUT_CODE = re.compile(r"^!(?:xcore\..*|\d+ = !\{ptr @.*)\n", re.MULTILINE)
TRIPLE = re.compile(r"^target (?:datalayout|triple) = .*\n", re.MULTILINE)


def run(words: list[str]) -> None:
    """Run one of the two steps, and end as it does if it fails."""
    done = subprocess.run(words, check=False)
    if done.returncode < 0:
        signal.signal(-done.returncode, signal.SIG_DFL)
        signal.raise_signal(-done.returncode)
    if done.returncode:
        sys.exit(done.returncode)


def main(object_options: str, *words: str) -> None:
    """Compile to IR, take the code out, compile the rest."""
    options = list(words)
    at = options.index("-o")
    output = options[at + 1]
    compiler = options[:2] if options[1:2] == ["clang"] else options[:1]
    with tempfile.TemporaryDirectory(prefix="abiprobe-ir-") as folder:
        ir = Path(folder, "unit.ll")
        options[at + 1] = str(ir)
        run([*(word for word in options if word != "-c"), "-S", "-emit-llvm"])
        text = ir.read_text("utf-8")
        for unwanted in (TRIPLE, CODE, ABOUT_CODE):
            text = unwanted.sub("", text)
        ir.write_text(text, "utf-8")
        run([*compiler, *object_options.split(","), "-w", "-c", str(ir), "-o", output])


if __name__ == "__main__":
    main(*sys.argv[1:])
