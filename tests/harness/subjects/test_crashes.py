"""Where compilers died."""

from __future__ import annotations

from pathlib import Path

import pytest

from abiprobe.harness.base.child import Exit
from abiprobe.harness.subjects.compile import Limits, compile_unit
from abiprobe.harness.subjects.crashes import NEAR, crash_words, is_crash
from abiprobe.harness.subjects.find import build, parse_subject
from abiprobe.oracles.registry import find_target
from abiprobe.results.verdicts.record import Outcome

CLANG = b"""PLEASE submit a bug report to ...
Stack dump:
0.\tProgram arguments: clang
 #0 0x00007f2b7aab8786 llvm::sys::PrintStackTrace(llvm::raw_ostream&, int) (/lib/libLLVM.so+0x4eb8786)
 #1 0x00007f2b7a9e84b0 (/lib/libLLVM.so+0x4de84b0)
 #2 0x00007f2b814598c0 clang::CodeGen::CodeGenTypes::arrangeLLVMFunctionInfo(clang::CanQual) (/lib/libclang.so+0x1)
 #3 0x00007f2b81459cf0 clang::ParseAST(clang::Sema&) (/lib/libclang.so+0x2)
clang: error: clang frontend command failed with exit code 136 (use -v to see invocation)
"""
UNSYMBOLIZED = b"""Stack dump without symbol names (ensure you have llvm-symbolizer in your PATH):
1  libLLVM.so.23.1      0x00007f8f58331cf7 llvm::sys::RunSignalHandlers() + 135
2  libLLVM.so.23.1      0x00007f8f5825c294
3  libc.so.6            0x00007f8f52c4a6b0
4  libLLVM.so.23.1      0x00007f8f58c7a865 llvm::SelectionDAGISel::LowerArguments(llvm::Function const&) + 5333
clang: error: clang frontend command failed due to signal (use -v to see invocation)
"""
MANGLED = b"""Stack dump without symbol names (ensure you have llvm-symbolizer in your PATH):
/lib/libLLVM-13.so.1(_ZN4llvm3sys17RunSignalHandlersEv+0x50)[0x7f8c255ec6c0]
/lib/libLLVM-13.so.1(+0xdee9fd)[0x7f8c255ee9fd]
/lib/libc.so.6(+0x3c050)[0x7f8c2465a050]
/lib/libLLVM-13.so.1(_ZN4llvm5Value11setNameImplERKNS_5TwineE+0x28)[0x7f8c25776758]
/lib/libLLVM-13.so.1(_ZN4llvm5Value7setNameERKNS_5TwineE+0x9)[0x7f8c25776b59]
"""
MANGLED_TEMPLATE = b"/lib/libLLVM-13.so.1(_ZNK4llvm3optINS_1AEE3getEv+0x28)[0x7f8c25776758]\n"
LOUD = b"note: and another thing\n" * 90_000
SAID = [
    (UNSYMBOLIZED, "crash in llvm::SelectionDAGISel::LowerArguments"),
    (MANGLED, "crash in llvm::Value::setNameImpl"),
    (MANGLED_TEMPLATE, "crash in llvm::opt"),
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


ZIG = b"""zig: error: clang frontend command failed with exit code 136 (use -v to see invocation)
clang version 22.1.8
Target: x86_64-unknown-linux-gnu
zig: note: diagnostic msg:
********************

PLEASE ATTACH THE FOLLOWING FILES TO THE BUG REPORT:
Preprocessed source(s) and associated run script(s) are located at:
"""
DIED = {
    "clang with a stack dump": (1, CLANG),
    "clang without one": (1, b"clang: error: clang frontend command failed with exit code 139 (use -v)\n"),
    "clang, before 11": (254, b"clang: error: clang frontend command failed due to signal (use -v)\n"),
    "clang of its assembler": (1, b"clang: error: assembler command failed due to signal (use -v)\n"),
    "clang of a program": (
        254,
        b"clang: error: unable to execute command: Segmentation fault (core dumped)\n",
    ),
    "zig and the releases": (1, ZIG),
    "zig, only the reproducer": (1, ZIG.partition(b"\n")[2]),
    "gcc of its own": (
        1,
        b"t.c:1:2: internal compiler error: in foo, at bar.cc:3\nPlease submit a full bug report",
    ),
    "gcc of cc1": (4, b"gcc: internal compiler error: Segmentation fault signal terminated program cc1\n"),
    "gcc of cc1, killed": (
        1,
        b"gcc: fatal error: Killed signal terminated program cc1\ncompilation terminated.\n",
    ),
    "collect2": (
        1,
        b"collect2: fatal error: ld terminated with signal 11 [Segmentation fault], core dumped\n",
    ),
    "as": (
        1,
        b"t.s: Assembler messages:\nt.s:1: Internal error in md_apply_fix at tc-riscv.c:99.\nPlease report this bug.\n",
    ),
    "as, of a signal": (1, b"t.s:1: Internal error (Segmentation fault).\nPlease report this bug.\n"),
    "ld": (1, b"ld: BFD (GNU Binutils) 2.40 internal error, aborting at elf.c:9 in elf_link\n"),
    "tcc": (1, b"internal compiler error\ntccgen.c:12: in check()\n"),
    "pcc": (1, b"t.c, line 3: compiler error: Cannot generate code, node 0x1 op ASSIGN\n"),
    "nvcc": (255, b"nvcc error   : 'cicc' died due to signal 11 (Invalid memory reference)\n"),
    "nvcc on Windows": (255, b"nvcc error   : 'cicc' died with status 0xC0000005 (ACCESS_VIOLATION)\n"),
    "cudafe++": (
        4,
        b"t.cu(3): Internal error: assertion failed at: types.c, line 9 in f\n1 catastrophic error\n",
    ),
    "a wrapper script": (139, b"Segmentation fault\n"),
    "a wrapper script, silent": (134, b""),
}
REFUSED = {
    "clang": (1, b"t.c:1:2: error: unknown type name 'foo'\n1 error generated.\n"),
    "clang of a missing assembler": (
        1,
        b'clang: error: unable to execute command: Executable "as" doesn\'t exist!\n',
    ),
    "clang's code generator that blames the input": (1, b"fatal error: error in backend: unsupported type\n"),
    "gcc": (1, b"t.c:1:2: error: expected ';'\ncompilation terminated.\n"),
    "as": (1, b"t.s: Assembler messages:\nt.s:1: Error: unrecognized opcode\n"),
    "tcc": (1, b"t.c:1: error: ';' expected\n"),
    "pcc": (1, b"t.c, line 1: syntax error\n"),
    "nvcc": (255, b"nvcc fatal   : Unsupported gpu architecture 'sm_1'\n"),
    "a program that is not there": (127, b"sh: 1: cc: not found\n"),
    "a status of no signal": (255, b""),
}


def ended(code: int, stderr: bytes, signal: str | None = None) -> Exit:
    return Exit(code, signal, timed_out=False, truncated=False, stdout=b"", stderr=stderr, cpu_seconds=0.0)


@pytest.mark.parametrize(("code", "stderr"), DIED.values(), ids=DIED)
def test_every_driver_tells_of_a_death_in_its_own_words(code: int, stderr: bytes) -> None:
    assert is_crash(ended(code, stderr))
    assert is_crash(ended(code, LOUD + stderr))


@pytest.mark.parametrize(("code", "stderr"), REFUSED.values(), ids=REFUSED)
def test_a_refusal_is_no_death(code: int, stderr: bytes) -> None:
    assert not is_crash(ended(code, stderr))


def test_a_signal_is_a_death() -> None:
    assert is_crash(ended(-11, b"", "SIGSEGV"))


EMPTY_ELEMENTS = "struct S1 {}; struct S { float a; struct S1 b[1]; long c; }; void f(struct S a) {}\n"


@pytest.mark.parametrize("name", ["zig", "clang-22", "clang-16"])
def test_a_compiler_that_really_dies_has_crashed(tmp_path: Path, name: str) -> None:
    """An array of empty structs in an argument; a release in which that is mended compiles it."""
    built = build(parse_subject(name), find_target("x86_64-sysv"), "O2")
    if built is None:
        pytest.skip(f"{name} is not installed")
    found = compile_unit(built, EMPTY_ELEMENTS, tmp_path / "unit.o", Limits(), 1)
    assert found.outcome in {Outcome.CRASHED, Outcome.OBSERVED}
