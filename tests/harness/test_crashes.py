"""Where compilers died."""

from __future__ import annotations

import pytest

from abiprobe.harness.crashes import NEAR, crash_words

CLANG = b"""PLEASE submit a bug report to ...
Stack dump:
0.\tProgram arguments: clang
 #0 0x00007f2b7aab8786 llvm::sys::PrintStackTrace(llvm::raw_ostream&, int) (/lib/libLLVM.so+0x4eb8786)
 #1 0x00007f2b7a9e84b0 (/lib/libLLVM.so+0x4de84b0)
 #2 0x00007f2b814598c0 clang::CodeGen::CodeGenTypes::arrangeLLVMFunctionInfo(clang::CanQual) (/lib/libclang.so+0x1)
 #3 0x00007f2b81459cf0 clang::ParseAST(clang::Sema&) (/lib/libclang.so+0x2)
clang: error: clang frontend command failed with exit code 136 (use -v to see invocation)
"""
LOUD = b"note: and another thing\n" * 90_000
SAID = [
    (CLANG, "crash in clang::CodeGen::CodeGenTypes::arrangeLLVMFunctionInfo"),
    (
        b"t.c:1:2: internal compiler error: in foo, at bar.cc:3\nmore",
        "internal compiler error: in foo, at bar.cc:3",
    ),
    (b"clang: x.cpp:1: void f(): Assertion `a && b' failed.\n" + CLANG, "Assertion `a && b' failed"),
    (b"fatal error: error in backend: cannot select\n", "error in backend: cannot select"),
    (
        b"error in backend: Cannot select: 0x56110dd03c70: i8,ch\n",
        "error in backend: Cannot select: 0x...: i8,ch",
    ),
    (LOUD + CLANG, "crash in clang::CodeGen::CodeGenTypes::arrangeLLVMFunctionInfo"),
    (LOUD, ""),
    (b"", ""),
]


@pytest.mark.parametrize(("stderr", "words"), SAID, ids=range(len(SAID)))
def test_what_a_crash_says(stderr: bytes, words: str) -> None:
    assert crash_words(stderr) == words


def test_what_is_in_the_middle_of_two_million_characters_is_not_looked_for() -> None:
    assert crash_words(b"x" * 2 * NEAR + b"Assertion `a' failed" + b"x" * 2 * NEAR) == ""
