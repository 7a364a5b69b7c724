"""The C of functions that are drawn for their frames."""

from __future__ import annotations

from pathlib import Path

import pytest
from faux.putting import real_clang

from abiprobe.generators.frames import (
    Branch,
    Call,
    Condition,
    Ending,
    Function,
    Local,
    Loop,
    Variable,
    function,
)
from abiprobe.generators.streams import seeded
from abiprobe.harness.base import child
from abiprobe.harness.unwind.unit import OTHERS, example, unit

EVERYTHING = Function(
    body=(
        Call(3),
        Local(40, 32),
        Branch(Condition.FIRST, (Variable(alloca=True),), Ending.TAIL),
        Loop((Variable(), Local())),
    ),
    ending=Ending.STOP,
    parameters=1,
    variadic=True,
    kept=1,
    reals=1,
)
TEXT = """\
void take(void *);
double real(double);
_Noreturn void stop(void);
long call1(long);
long call3(long, long, long);
long f0(long n, long p0, ...)
{
    long r = n + p0;
    __builtin_va_list list;
    __builtin_va_start(list, p0);
    r += __builtin_va_arg(list, long);
    r += __builtin_va_arg(list, double) > 0;
    long k0 = call1(0);
    double d0 = real(0);
    r += call3(r, 1, 2);
    _Alignas(32) char a1[40];
    take(a1);
    if (n == 0) {
        take(__builtin_alloca((n & 255) + 1));
        return call1(r);
    }
    for (long i = 0; i < (n & 3); i++) {
        char v0[(n & 255) + 1];
        take(v0);
        char a1[8];
        take(a1);
    }
    r += call1(k0);
    r += real(d0) > 0;
    stop();
}
"""


def test_every_statement_in_c() -> None:
    assert example(EVERYTHING) == TEXT


def test_only_what_is_called_is_declared() -> None:
    assert example(Function()) == "long f0(long n)\n{\n    long r = n;\n    return r;\n}\n"


@pytest.mark.parametrize("target", ["x86_64-linux-gnu", "arm-linux-gnueabi"])
def test_a_compiler_takes_what_is_drawn(tmp_path: Path, target: str) -> None:
    source = tmp_path / "unit.c"
    source.write_text(unit([function(seeded("frames", 3, number)) for number in range(100)]), "utf-8")
    words = (
        *real_clang(),
        f"--target={target}",
        "-Wall",
        "-Wno-unused",
        "-Werror",
        "-fsyntax-only",
        str(source),
    )
    done = child.run(words, timeout=60)
    assert done.ok, done.stderr.decode()


def test_the_functions_of_the_other_unit_have_an_order() -> None:
    assert list(OTHERS)[:4] == ["take", "real", "stop", "call1"]
