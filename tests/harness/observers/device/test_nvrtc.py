"""NVRTC as a compiler: where it is found, how C is put to it, and that it agrees with its dialect."""

from __future__ import annotations

import runpy
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from laboratory.jobs import spelled_job

from abiprobe.harness.input import read
from abiprobe.harness.observers.batch import run_job
from abiprobe.harness.subjects import cuda_tools
from abiprobe.harness.subjects.cuda_tools import Tool, find_library
from abiprobe.harness.subjects.families import nvrtc
from abiprobe.harness.subjects.find import identity
from abiprobe.oracles.language.question import Sort
from abiprobe.results.verdicts.record import Judgement

SOURCE = """
struct P { double d; } __attribute__((packed, aligned(4)));
struct T { double d; char c[4]; };
struct T f(float a, struct P p, short b, _Bool c, struct T t);
"""
leading: Callable[[str], str] = runpy.run_path(str(nvrtc.CHILD))["leading"]


@pytest.fixture
def forgotten() -> Iterator[None]:
    """Without what was found before, and without what a test finds afterwards."""
    find_library.cache_clear()
    yield
    find_library.cache_clear()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("struct P { int a; } __attribute__((packed));", "struct __attribute__((packed)) P { int a; } ;"),
        (
            "struct A { union { int b; } __attribute__((aligned(8))) u; } __attribute__((packed)) __attribute__((aligned(2)));",
            "struct __attribute__((packed)) __attribute__((aligned(2))) A { union __attribute__((aligned(8))) { int b; } u; } ;",
        ),
        (
            "typedef struct { int a; } __attribute__((packed)) T;",
            "typedef struct __attribute__((packed)) { int a; } T;",
        ),
        ("void f(void) { } struct S { int a; };", "void f(void) { } struct S { int a; };"),
        ("} __attribute__((packed));", "} __attribute__((packed));"),
    ],
)
def test_attributes_go_before_the_name(text: str, expected: str) -> None:
    assert leading(text) == expected


@pytest.mark.usefixtures("forgotten")
def test_the_library_is_found_in_a_toolkit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(cuda_tools.ONLY, str(tmp_path))
    assert find_library("nvrtc") is None
    find_library.cache_clear()
    (tmp_path / "lib64").mkdir()
    for name in ("libnvrtc.so.12", "libnvrtc.so.13", "libnvrtc-builtins.so.13.0", "libnvrtc.alt.so.13"):
        (tmp_path / "lib64" / name).touch()
    assert find_library("nvrtc") == str(tmp_path / "lib64" / "libnvrtc.so.13")


def test_c_goes_through_nvrtc_to_the_register(ptxas: Tool) -> None:
    command = nvrtc.find("nvrtc", "nvptx64-cuda")
    if command is None:
        pytest.skip("nvrtc is not installed")
    assert identity(command).version.startswith("NVRTC ")
    (function,) = read(SOURCE, filename="f.h", triple="nvptx64-nvidia-cuda").functions
    (done,) = run_job(spelled_job("nvptx64-cuda", 0, Sort.PROTOTYPES, (function,), (("nvrtc", "O1"),)))
    assert {one.kind.value: one.verdict for one in done.verdicts} == dict.fromkeys(
        ("param", "caller", "callee", "result", "pointer"), Judgement.AGREES
    )
