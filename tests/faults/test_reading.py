"""A user's C may be anything: it is read by a process of its own, and its names are not taken for ours."""

from __future__ import annotations

import os
import signal
from operator import itemgetter
from pathlib import Path

import msgspec
import pytest
from laboratory.jobs import spelled_job

from abiprobe.harness.base.isolated import isolated
from abiprobe.harness.base.problem import Problem
from abiprobe.harness.input import STRICT
from abiprobe.harness.input.declared import declared_in_file
from abiprobe.harness.observers.batch import run_job
from abiprobe.harness.subjects.find import installed, parse_subject
from abiprobe.oracles.language.question import WITNESSES, ProbeKind, Sort
from abiprobe.oracles.registry import find_target
from abiprobe.results.verdicts.record import Judgement, Outcome

TARGET = "x86_64-sysv"


def killed() -> None:
    os.kill(os.getpid(), signal.SIGSEGV)


def hungry() -> int:
    return len(bytearray(64 << 20))


def wrong() -> None:
    raise ZeroDivisionError


def mistaken() -> None:
    raise Problem("what", "hint")


@pytest.mark.parametrize(
    ("work", "told"),
    [
        (killed, "f.c cannot be read: the reader ended with SIGSEGV"),
        (hungry, "there is not enough memory to read it"),
        (wrong, r"it cannot be read \(ZeroDivisionError"),
        (mistaken, "^what: hint$"),
    ],
)
def test_what_happens_to_the_reader_is_a_line(work: object, told: str) -> None:
    assert callable(work)
    with pytest.raises(Problem, match=told):
        isolated(work, "f.c", memory=16 << 20)


def test_what_is_read_comes_back() -> None:
    assert isolated(lambda: list(range(100_000)), "f.c") == list(range(100_000))


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(Problem, match=r"f\.c cannot be read within 0\.2 s"):
        isolated((tmp_path / "pipe").read_bytes, "f.c", seconds=0.2)


@pytest.mark.parametrize("include", ["/dev/zero", "sparse.h"])
def test_an_endless_header_is_refused(tmp_path: Path, include: str) -> None:
    (tmp_path / "sparse.h").touch()
    os.truncate(tmp_path / "sparse.h", 20 << 30)
    (tmp_path / "f.c").write_text(f'#include "{include}"\nstruct S {{ int a; }};\n', "utf-8")
    with pytest.raises(Problem):
        declared_in_file(str(tmp_path / "f.c"), find_target(TARGET))


COLLIDING = (
    "struct T { int abi_in, abi_out, callee; };"
    "int f(int abi_in, struct T ap, int word0, double real0);"
    "int callee_0(int abi_out, long abi_target);"
    "typedef int callee; callee g(callee x, int memcpy);"
    "enum caller { abi_layout, call_0 }; int h(enum caller c);"
    "int v(int own_abi_in, int abi_functions);"
)


KEYWORDS = (
    "asm",
    "typeof",
    "unix",
    "linux",
    "i386",
    "bool",
    "true",
    "nullptr",
    "constexpr",
    "alignas",
    "class",
    "new",
)
C11 = msgspec.structs.replace(STRICT, options=("-std=c11",))
ODD = {
    "names of ours": (COLLIDING, STRICT),
    "keywords and macros as members": (
        (
            f"struct S {{ {' '.join(f'int {word}; char own_{word} : 3;' for word in KEYWORDS)}"
            " struct { int asm, linux; } typeof_[2]; union { struct { char unix; } nullptr_[3]; }; };"
            "struct linux { int unix; double linux; };"
            "union typeof { int asm; }; int f(struct S asm, int unix); int g(struct linux x, union typeof y);"
        ),
        C11,
    ),
    "keywords and macros as functions": (
        "int typeof(int asm); int linux(int unix); int bool(int true);",
        C11,
    ),
    "labels of the assembler": (
        'struct S { int a; double b; } g(struct S) asm("g$odd"); int h(int) asm("main"); int k(int) asm("abi_target");',
        STRICT,
    ),
    "macros of ours": (
        (
            "#define abi_in 3\n#define CALLER(x) x\n#define callee_0 f0\n#pragma GCC poison abi_out f1\n"
            "int abi_target(int x); int memcpy(int a, int b); int callee_0(int); struct abi { int a; }; int f(struct abi);"
        ),
        STRICT,
    ),
    "lines of elsewhere": (
        '#line 1 "/etc/passwd"\nint f(int);\n#line 9 "\\033[2J.h"\nstruct S { int a; }; int g(struct S);\n#line 2147483647\n',
        STRICT,
    ),
    "types in parameters": (
        (
            "void f(struct L { int a; } x); int g(union U { int a; double d; } *p, struct { int z; } q);"
            "void h(enum E { A, B } e); struct R { int a; } k(void); void z(struct R { double q; } x);"
        ),
        STRICT,
    ),
    "1,000 variadic calls": (
        "int v(int, ...); static void c(void) {"
        + "".join(f"v({', '.join(('1', '1.0', '2L', '3u')[: number % 4 + 1])});" for number in range(1000))
        + "}",
        STRICT,
    ),
    "functions that programs have": (
        (
            "__attribute__((constructor)) void evil(int a) { __builtin_trap(); } int main(int argc, char **argv) { return 0; }"
            "int _start(int); int exit(int); double sin(double); int f(int) __attribute__((alias("
            '"q"), section("evil"), weak));'
        ),
        STRICT,
    ),
}


@pytest.mark.parametrize("case", ODD)
def test_odd_declarations_change_no_verdict(case: str, tmp_path: Path) -> None:
    if not installed(parse_subject("gcc-12"), (find_target(TARGET),)):
        pytest.skip("gcc-12 is not installed")
    path = tmp_path / "odd.c"
    path.write_text(ODD[case][0], "utf-8")
    found = declared_in_file(str(path), find_target(TARGET), ODD[case][1])
    assert found.functions
    witnesses = (ProbeKind.LAYOUT, *WITNESSES.values())
    for sort, questions in filter(
        itemgetter(1), ((Sort.RECORDS, found.records), (Sort.PROTOTYPES, found.functions))
    ):
        (done,) = run_job(spelled_job(TARGET, 0, sort, questions, (("gcc-12", "O0"),), witnesses=witnesses))
        assert {verdict.outcome for verdict in done.verdicts} <= {Outcome.OBSERVED, Outcome.NOTHING}
        assert Judgement.AGREES in {verdict.verdict for verdict in done.verdicts}
        assert Judgement.DEVIATES not in {verdict.verdict for verdict in done.verdicts}
