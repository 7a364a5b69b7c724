"""Editions of C: what each can say; compilers that are held to an edition accept what is drawn in it."""

from __future__ import annotations

import shutil
import subprocess
from itertools import islice, pairwise

import pytest

from abiprobe.generators.pool import POOL_SORTS, PoolSort, stream
from abiprobe.harness.input.declared import declared_in_ours
from abiprobe.harness.machines.render.declaration import declaration
from abiprobe.harness.runs.focus import focused
from abiprobe.oracles.language.constructs import CONSTRUCTS
from abiprobe.oracles.language.features import SAMPLES
from abiprobe.oracles.language.iso_c import FEATURES, Edition, edition_of, says
from abiprobe.oracles.registry import find_target

X86 = find_target("x86_64-sysv")
ROWS = (
    ("struct S { int a : 3; double b[2]; };", Edition.C99),
    ("struct S { int n; char text[]; };", Edition.C99),
    ("double _Complex f(long double x, ...);", Edition.C99),
    ("enum E { A = 2147483647 }; void f(enum E e);", Edition.C99),
    ("struct S { struct { int a; }; int b; };", Edition.C11),
    ("struct S { _Atomic(int) a; };", Edition.C11),
    ("struct S { _Alignas(16) char a; };", Edition.C11),
    ("void f(_BitInt(37) a);", Edition.C23),
    ("void f(...);", Edition.C23),
    ("enum E { A = 2147483648 }; void f(enum E e);", Edition.C23),
    ("struct S { };", Edition.GNU),
    ("struct S { int : 5; };", Edition.GNU),
    ("struct S { struct { int n; char text[]; } a; };", Edition.GNU),
    ("struct S { int z[0]; };", Edition.GNU),
    ("union U { int a; char b[]; };", Edition.GNU),
    ("struct __attribute__((packed)) S { int a; };", Edition.GNU),
    ("void f(__int128 a);", Edition.GNU),
    ("__attribute__((ms_abi)) void f(int a);", Edition.GNU),
)
CASES = 15
"""Questions of each sort that a compiler is asked about."""
STRICT = ("-pedantic-errors", "-fsyntax-only", "-x", "c", "-")


@pytest.mark.parametrize(("text", "edition"), ROWS)
def test_the_first_edition_that_can_say_a_declaration(text: str, edition: Edition) -> None:
    found = declared_in_ours(text, X86)
    question = (*found.functions, *found.records)[-1 if not found.functions else 0]
    assert edition_of(question) is edition


def test_each_edition_says_what_the_one_before_says() -> None:
    editions = list(FEATURES.values())
    assert all(before <= after for before, after in pairwise(editions))
    assert editions[-1] <= {*SAMPLES, *CONSTRUCTS}


@pytest.mark.parametrize("kind", POOL_SORTS)
@pytest.mark.parametrize("compiler", ["gcc", "clang-22"])
@pytest.mark.parametrize("edition", [Edition.C99, Edition.C11])
def test_compilers_accept_what_is_drawn(edition: Edition, compiler: str, kind: PoolSort) -> None:
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not installed")
    drawn = stream(seed=7, kind=kind, features=FEATURES[edition])
    asked = list(islice(focused(drawn, lambda one: says(edition, one)), CASES))
    assert len(asked) == CASES
    for question in asked:
        text = f"#include <stddef.h>\n{declaration(question)}\n"
        done = subprocess.run(
            [compiler, f"-std={edition.value}", *STRICT],
            input=text,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, text + done.stderr
