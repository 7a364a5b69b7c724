"""C that pycparser reads has the values that libclang reads; what is not read is refused with a reason."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from abiprobe.generators.pool import draw_pool
from abiprobe.harness.base.problem import Problem
from abiprobe.harness.input import Declarations, ReadOptions, read
from abiprobe.harness.input.plain import read_plain
from abiprobe.harness.input.plain.sizes import Sizes
from abiprobe.harness.machines.render.declaration import declaration
from abiprobe.oracles.registry import find_target

from .samples import SAMPLES

TRIPLES = {"x86_64-sysv": "x86_64-linux-gnu", "riscv32-ilp32d": "riscv32-unknown-elf"}
UNREAD = {"fixed point": "Invalid specifier", "attributes": "#define", "headers": "<stdarg.h>"}
"""The samples that are refused, and a word of the reason."""


def plain(text: str, target: str = "x86_64-sysv") -> Declarations:
    return read_plain(text, Sizes(find_target(target).model()))


def values(found: Declarations) -> tuple[list[str], list[str]]:
    """Records, by their names, and functions, but for the names of what is pointed to, which are for people."""
    return sorted(map(unpointed, found.records)), list(map(unpointed, found.functions))


def unpointed(value: object) -> str:
    return re.sub(r"pointee='[^']*'", "", repr(value))


@pytest.mark.parametrize("target", TRIPLES)
@pytest.mark.parametrize("name", SAMPLES)
def test_samples_have_the_values_that_libclang_reads(name: str, target: str) -> None:
    if name in UNREAD:
        with pytest.raises(Problem, match=UNREAD[name]):
            plain(SAMPLES[name], target)
        return
    theirs = read(SAMPLES[name], filename="t.c", triple=TRIPLES[target], how=ReadOptions(strict=False))
    ours = plain(SAMPLES[name], target)
    # What a target lacks, such as a type, is skipped by both.
    assert {one.name for one in ours.skipped} == {one.name for one in theirs.skipped}
    assert values(ours) == values(theirs)


def test_headers_name_types_of_their_size() -> None:
    text = "#include <stdint.h>\n#include <stddef.h>\n#include <stdbool.h>\nvoid f(uint8_t, int64_t, size_t, bool);"
    for target, triple in TRIPLES.items():
        assert values(plain(text, target)) == values(read(text, filename="t.c", triple=triple))


@pytest.mark.parametrize("seed", [1, 2])
def test_drawn_questions_are_read_as_they_were_drawn(seed: int) -> None:
    pool = draw_pool(seed=seed, cases=150)
    asked = (*pool.records, *pool.prototypes)
    refused = [one for one in asked if not is_read(one)]
    # Of these the types are of extensions: fixed point, scalable vectors, conventions of calls.
    assert len(refused) < len(asked) / 10


def is_read(question: object) -> bool:
    """Return whether a drawn question is read, and then as it was drawn."""
    try:
        found = plain(declaration(question))
    except Problem:
        return False
    if found.skipped:
        return False

    def bare(value: object) -> str:
        # Elsewhere than between a pointer's star and its name, all positions mean the same.
        return re.sub(r", position=<[^>]*>", "", unpointed(value))

    typedefs = r"Typedef\(name='\w+'"
    read_as = {re.sub(typedefs, "Typedef(", bare(one)) for one in (*found.records, *found.functions)}
    assert re.sub(typedefs, "Typedef(", bare(question)) in read_as, declaration(question)
    return True


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("struct S { int a; int a; };", "one name"),
        ("struct S { int a : 40; };", "bit-field a of 40 bits, where its type has 32"),
        ("struct S { _Bool a : 2; };", "where its type has 1"),
        ("struct S { float a : 3; };", "integer type"),
        ("struct S { char c[]; int b; };", "last member"),
        ("struct S { struct T x; };", "struct T is incomplete here"),
        ("struct S { void x; };", "void"),
        ("struct S { _Alignas(2) int x; };", "less than the alignment"),
        ("struct S { int a __attribute__((aligned(3))); };", "power of two"),
        ("struct S { int a __attribute__((aligned)); };", "with a number only"),
        ("struct S { enum { A = sizeof(int) } a; };", "only numbers"),
        ("struct S { int a[-1]; };", "-1 elements"),
        ("struct S { struct T { int x; }; };", "anonymous member"),
        ("struct S { int a; };\nstruct S { int b; };", "defined twice"),
        ("void f(a, b);", "without a prototype"),
        ("struct S { int (*f)(int) __attribute__((stdcall)); };", "a calling convention of a function"),
        ("typedef void T(int) __attribute__((stdcall));", "of the attributes of a typedef"),
        ("int f(int a __attribute__((aligned(16))));", "parameter"),
        (
            "int (*f[3] __attribute__((aligned(16))))(void); struct S { int (*f[3] __attribute__((aligned(8))))(int); };",
            "inside a declarator",
        ),
        ("int f(int, ...); void g(void) { int x; f(1, x); }", "cannot be told"),
    ],
)
def test_what_is_not_read_is_skipped_with_its_reason(text: str, reason: str) -> None:
    skipped = plain(text).skipped
    assert any(reason in one.reason for one in skipped), skipped
    assert all(re.fullmatch(r"line \d", one.where) for one in skipped)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("int f(void) __attribute__((ms_abi));", "line 1: attribute ms_abi is not read here"),
        ('__attribute__((target("avx"))) int f(void);', "line 1: attribute target is not read here"),
        ("int a;\nint [[deprecated]] b;", r"line 2: attributes in \[\[ \]\]"),
        (
            "int f(void);\nvoid g(int (*h)(struct __attribute__((packed)) T { int x; }));",
            "line 2: attribute packed is not read at this place",
        ),
        ("\n#define A 1", "line 2: #define A 1 is not read here"),
        ("\n\nstruct S { int x @ };", "line 3"),
        ("struct S { int x;", "At end of input"),
        ("struct S { " * 200 + "}; " * 200, "nested"),
        ("int a;" * 20000, "more than 64 KiB"),
        ("int f(svint32_t a);", "not C that can be read here"),
    ],
)
def test_a_text_that_is_no_such_c_is_a_problem(text: str, reason: str) -> None:
    with pytest.raises(Problem, match=reason):
        plain(text)


@pytest.mark.parametrize(
    "text",
    [
        "int __attribute__((stdcall)) f(int a);",
        "int f(int a) __attribute__((fastcall));",
        "struct S { int a; };\nstruct S (__attribute__((regparm(2))) f)(struct S a);",
        "__attribute__((regparm(3), unused)) long f(long a);",
    ],
)
def test_a_calling_convention_is_read_wherever_it_stands(text: str) -> None:
    theirs = read(text, filename="t.c", triple="i386-linux-gnu")
    assert values(plain(text, "i386-sysv")) == values(theirs)
    assert theirs.functions[0].convention or theirs.functions[0].regparm


def test_a_variadic_function_is_there_once_for_each_list_of_arguments() -> None:
    text = "int f(int, ...); void g(void) { f(1, 2.0); f(1, *(char *)0, *(float *)0); }"
    found = [one for one in plain(text).functions if one.name == "f"]
    theirs = read(
        text.replace("*(char *)0", "(char)1").replace("*(float *)0", "1.f"),
        filename="t.c",
        triple="x86_64-linux-gnu",
    )
    assert [one.unnamed for one in found] == [one.unnamed for one in theirs.functions if one.name == "f"]


def test_reading_does_not_load_libclang() -> None:
    code = (
        "import sys, abiprobe.harness.input.plain;"
        "sys.exit(any(name in sys.modules for name in ('clang.cindex', 'ctypes', 'cffi')))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
