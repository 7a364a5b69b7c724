"""The short form of a prediction: a layout as pahole shows it, and a line for each place."""

from __future__ import annotations

from textwrap import dedent

import pytest

from abiprobe.harness.cli.commands.check_report import lines_by_target
from abiprobe.harness.input import read
from abiprobe.harness.machines.register_files import listed_files
from abiprobe.oracles.language.declaration import prototype
from abiprobe.oracles.registry import find_model, find_target
from abiprobe.oracles.text.place import Unspecified, Unsupported
from abiprobe.results.report.input_summary import input_json, input_lines
from abiprobe.results.report.predict_text import no_answer, predict_lines

X86 = "x86_64-linux-gnu"


def predicted(text: str, target: str = "x86_64-sysv") -> str:
    found = read(text, filename="t.c", triple=X86)
    return (
        "\n".join(
            predict_lines(
                target, find_model(target), found.records, found.functions, listed_files(find_target(target))
            )
        )
        + "\n"
    )


def test_layouts_and_places_without_clauses() -> None:
    assert predicted("struct S { char a; double b; }; int f(struct S s, long long x);") == dedent("""\
        x86_64-sysv

        struct S {              /* offset  size */
            char             a; /*      0     1 */
            /* XXX 7 bytes hole, try to pack */
            double           b; /*      8     8 */

            /* size: 16, align: 8, members: 2 */
            /* sum members: 9, holes: 1, sum holes: 7, padding: 0 */
        };

        int f(struct S s, long long x);
            in  rdi   s [0..8)   a
            in  rsi   x [0..8)
            in  xmm0  s [8..16)  b  [64..128) undefined
            out rax  result [0..4)  [32..64) undefined
    """)


def test_what_has_no_answer_says_why() -> None:
    assert no_answer("f", Unspecified("gnu:packed", "two ways")) == "f is unspecified: two ways [gnu:packed]"
    assert no_answer("f", Unsupported("no such type")) == "f is unsupported: no such type"


PASTED = [
    "void f(int (*a)[3], int (**b)[3], int *(*c)[2]);",
    "void f(int (*a)[*]);",
    "int __attribute__((vector_size(16))) f(int __attribute__((vector_size(16))) v);",
    "struct S { float __attribute__((vector_size(8))) m[2]; int (*p)[4]; void (*q)(void); }; void f(struct S s);",
]


@pytest.mark.parametrize("text", PASTED)
def test_a_declaration_that_is_shown_can_be_pasted_back(text: str) -> None:
    found = read(text, filename="t.c", triple=X86)
    (function,) = found.functions
    tags = "".join(f"struct {record.tag} {{ char c; }};" for record in found.records)
    again = read(tags + prototype(function), filename="t.c", triple=X86).functions[0]
    assert prototype(again) == prototype(function)


class Left:
    def __init__(self, name: str, reason: str) -> None:
        self.name, self.where, self.reason = name, "t.h:1:1", reason


def test_reasons_are_counted_the_commonest_first() -> None:
    skipped = [Left("a", "odd"), *(Left(f"b{number}", "odder") for number in range(5))]
    assert list(input_lines(1, 84, skipped, (2, 0))) == [
        "read 1 record, 84 functions; skipped 6:",
        "  5: odder (b0, b1, b2 and 2 more, t.h:1:1)",
        "  1: odd (a, t.h:1:1)",
        "  not read: 2 records of included files (--included)",
    ]
    assert list(input_lines(0, 2, (), (0, 0))) == ["read 2 functions"]
    assert [item["count"] for item in input_json(skipped, (2, 0))["skipped"]] == [5, 1]  # type: ignore[attr-defined]


def test_the_input_of_several_targets_is_said_once_where_it_is_the_same() -> None:
    one, other = ["read 1 record"], ["read 2 records; skipped 1:", "  1: too wide (f)"]
    assert list(lines_by_target([("a", one)])) == one
    assert list(lines_by_target([("a", other), ("b", list(other))])) == other
    assert list(lines_by_target([("a", one), ("b", other)])) == [
        "a: read 1 record",
        "b: read 2 records; skipped 1:",
        "  1: too wide (f)",
    ]


def test_members_of_a_vector_that_a_target_attribute_brings_registers_for() -> None:
    text = """
        union U { double a; int b __attribute__((vector_size(32))); };
        __attribute__((target("avx"))) void f(union U u);
    """
    assert "in  ymm0  u [0..32)  a, b" in predicted(text)
