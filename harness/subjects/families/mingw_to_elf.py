"""Runs a gcc that builds for Windows, so that its object file is in the ELF format: by way of assembly.

A program of its own: `mingw_to_elf.py COMPILER OPTIONS...`, the options as for an object file. The code is the compiler's;
directives that only the COFF assembler has are left out, or written as the ELF assembler has them. Imports nothing of abiprobe.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

FUNCTION = re.compile(r"^\t\.def\t([^;]+);.*$", re.MULTILINE)
"""COFF describes the symbols of functions, and no others."""
UNWANTED = re.compile(r"^\t\.(?:linkonce|seh_\w+)\b.*\n", re.MULTILINE)
DATA = "ascii|byte|double|float|long|octa|quad|space|string|value|word|zero"
OBJECT = re.compile(rf"^([A-Za-z_]\w*):\n((?:\t\.(?:{DATA})\b.*\n)+)", re.MULTILINE)
"""COFF does not say how large an object is."""
POINTERS = re.compile(r"^\t\.globl\t\.refptr\..*\n", re.MULTILINE)
"""Each unit may have its own copy of the address of a variable that another one has."""
READ_ONLY = re.compile(r"^\t?\.section \.rdata(?:\$[^,]*)?,.*$", re.MULTILINE)
SECTION = re.compile(r'^(\t?\.section[ \t]+[^,\n]+),\s*"([a-z]*)"$', re.MULTILINE)
OFFSET = re.compile(r"^\t\.secrel32\t", re.MULTILINE)
"""An offset from the start of a section; those that speak of code and data start at 0."""
COMMON = re.compile(r"^(\t\.comm\t[^,]+, [^,]+), (\d+)$", re.MULTILINE)
LOCAL = re.compile(r"^\t?\.lcomm ([^,]+),", re.MULTILINE)
POPPED = re.compile(r"@?\b([A-Za-z_]\w*)@\d+\b")
"""Names on i386 tell how many bytes of arguments a function pops."""
FLAGS = {"x": "ax", "w": "aw"}


def translated(text: str) -> str:
    """The assembly of COFF as the ELF assembler takes it."""
    for unwanted in (UNWANTED, POINTERS):
        text = unwanted.sub("", text)
    text = POPPED.sub(r"\1", text)
    text = FUNCTION.sub(r"\t.type\t\1, @function", text)
    text = OBJECT.sub(r"\1:\n\2\t.size\t\1, .-\1\n", text)
    text = READ_ONLY.sub("\t.section .rodata", text)
    text = SECTION.sub(section, text)
    text = OFFSET.sub("\t.long\t", text)
    text = LOCAL.sub(r"\t.local \1\n\t.comm \1,", text)
    # COFF has the alignment as a power of two.
    return COMMON.sub(lambda found: f"{found[1]}, {1 << int(found[2])}", text)


def section(found: re.Match[str]) -> str:
    """A section with the flags of ELF; what is about code and no part of the program has none."""
    name, flags = found[1], found[2]
    if ".debug" in name:
        return f'{name},"",@progbits'
    return f'{name},"{next((FLAGS[flag] for flag in FLAGS if flag in flags), "a")}"'


def assembler(bits: int) -> tuple[str, ...]:
    """The assembler of the host's binutils for code of 32 or 64 `bits`, or the embedded clang."""
    for name in ("x86_64-linux-gnu-as", "as"):
        if (path := shutil.which(name)) is not None and os.uname().machine == "x86_64":
            return (path, f"--{bits}")
    spec = importlib.util.find_spec("ziglang")
    for place in (spec.submodule_search_locations if spec is not None else None) or ():
        return (
            str(Path(place, "zig")),
            "clang",
            "--target=x86_64-linux-gnu",
            f"-m{bits}",
            "-w",
            "-c",
            "-x",
            "assembler",
        )
    return ("as", f"--{bits}")


def run(words: list[str]) -> None:
    """Run one of the two steps, and end as it does if it fails."""
    done = subprocess.run(words, check=False)
    if done.returncode < 0:
        signal.signal(-done.returncode, signal.SIG_DFL)
        signal.raise_signal(-done.returncode)
    if done.returncode:
        sys.exit(done.returncode)


def main(*words: str) -> None:
    """Compile to assembly, translate that, assemble it; what writes no object file is the compiler's own."""
    options = list(words)
    if "-c" not in options or "-S" in options or "-o" not in options:
        os.execvp(options[0], options)  # noqa: S606 - what is asked for is to become this program
    at = options.index("-o")
    output = options[at + 1]
    with tempfile.TemporaryDirectory(prefix="abiprobe-elf-") as folder:
        assembly = Path(folder, "unit.s")
        options[at + 1] = str(assembly)
        run(["-S" if word == "-c" else word for word in options])
        assembly.write_text(translated(assembly.read_text("utf-8")), "utf-8")
        run([*assembler(32 if "-m32" in options else 64), str(assembly), "-o", output])


if __name__ == "__main__":
    main(*sys.argv[1:])
