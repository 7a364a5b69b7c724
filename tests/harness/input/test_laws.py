"""What holds for every file."""

from __future__ import annotations

import subprocess
import sys

import msgspec
import pytest

from abiprobe.harness.input import Declarations, read

from .samples import SAMPLES

TRIPLES = ["x86_64-linux-gnu", "riscv64-linux-gnu", "riscv32-unknown-elf"]


@pytest.mark.parametrize("triple", TRIPLES)
@pytest.mark.parametrize("name", SAMPLES)
def test_reading_twice_gives_equal_values(name: str, triple: str) -> None:
    first = read(SAMPLES[name], filename="t.c", triple=triple)
    assert first == read(SAMPLES[name], filename="t.c", triple=triple)
    assert msgspec.json.decode(msgspec.json.encode(first), type=Declarations) == first


@pytest.mark.parametrize("name", SAMPLES)
def test_where_the_file_lies_is_not_in_the_values(name: str) -> None:
    first, second = (
        read(SAMPLES[name], filename=path, triple=TRIPLES[0]) for path in ("t.c", "/else where/(u.c")
    )
    assert first == second


def test_importing_the_package_does_not_load_libclang() -> None:
    code = "import sys, abiprobe.harness.input; sys.exit('clang.cindex' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
