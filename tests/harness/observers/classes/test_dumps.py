"""What compilers print of their own layouts, held against their dialects: sizes that objects show only through other classes."""

from __future__ import annotations

import re
import shutil
import subprocess
from itertools import islice
from pathlib import Path

import pytest

from abiprobe.generators.classes import stream
from abiprobe.harness.machines.render.cxx import definitions
from abiprobe.oracles.language.classes import Class
from abiprobe.oracles.registry import cxx_model, find_target
from abiprobe.oracles.text.class_layout import ClassLayout

COUNT = 200
CLANG = re.compile(r"0 \| (?:struct|class|union) abi_(\d+)::(\w+)(?: \(empty\))?$")
SIZES = re.compile(r"\[sizeof=(\d+), dsize=(\d+), align=(\d+),\s+\|\s+nvsize=(\d+), nvalign=(\d+)\]")
GCC = re.compile(
    r"^Class abi_(\d+)::(\w+)\n   size=(\d+) align=(\d+)\n   base size=(\d+) base align=(\d+)$", re.MULTILINE
)


def asked() -> tuple[Class, ...]:
    return tuple(islice(stream(seed=3), COUNT))


def unit(questions: tuple[Class, ...]) -> str:
    """Each class in a namespace of its own, and an object of each so that it is laid out."""
    return "\n".join(
        f"namespace abi_{number} {{\n{definitions(one)}\nchar size[sizeof({one.tag})]; }}"
        for number, one in enumerate(questions)
    )


def dumped(compiler: str, text: str, folder: Path, *options: str) -> str:
    """What a compiler prints when it compiles a text, or writes beside the object file."""
    program = shutil.which(compiler)
    if program is None:
        pytest.skip(f"{compiler} is not installed")
    (folder / "a.cc").write_text(text, "utf-8")
    line = (program, "-std=c++20", "-w", "-c", "a.cc", "-o", "a.o", *options)
    done = subprocess.run(line, cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout + "".join(one.read_text("utf-8") for one in folder.glob("*.class"))


def predicted(one: Class, dialect: str) -> ClassLayout:
    found = cxx_model(find_target(f"x86_64-sysv@{dialect}")).layout(one)
    assert isinstance(found, ClassLayout)
    return found


def test_clang_prints_the_sizes_that_its_dialect_has(tmp_path: Path) -> None:
    questions = asked()
    text = dumped("clang++-22", unit(questions), tmp_path, "-Xclang", "-fdump-record-layouts")
    compared = 0
    for part in text.split("*** Dumping AST Record Layout")[1:]:
        head, sizes = CLANG.search(part.strip().splitlines()[0].strip()), SIZES.search(part)
        if head is None or sizes is None or questions[int(head[1])].tag != head[2]:
            continue
        size, data, align, non_virtual, non_virtual_align = map(int, sizes.groups())
        found = predicted(questions[int(head[1])], "clang-22")
        assert (size, align) == (found.size, found.align), part
        assert (data, non_virtual, non_virtual_align) == (
            found.data_size,
            found.non_virtual_size,
            found.non_virtual_align,
        ), part
        compared += 1
    assert compared > COUNT // 2


def test_gcc_writes_the_sizes_that_its_dialect_has(tmp_path: Path) -> None:
    questions = asked()
    text = dumped("g++-12", unit(questions), tmp_path, "-fdump-lang-class")
    compared = 0
    for number, tag, *sizes in GCC.findall(text):
        one = questions[int(number)]
        if one.tag != tag or one.union or cxx_model(find_target("x86_64-sysv")).depends_on_unit(one):
            continue
        found = predicted(one, "gcc-12")
        if found.pod:
            # Its size as a base, which nothing uses, is written without its tail padding.
            continue
        # An empty class has no bytes as a base.
        as_base = 0 if found.empty else found.non_virtual_size
        assert tuple(map(int, sizes)) == (found.size, found.align, as_base, found.non_virtual_align), one
        compared += 1
    assert compared > COUNT // 2
