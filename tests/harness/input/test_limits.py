"""A few lines of C can say more than any machine can lay out: what is beyond a limit is skipped, with a line that names it."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from abiprobe.harness.input import Declarations, ReadOptions, limits, read
from abiprobe.harness.input.limit_values import ALL, LEVELS, MANY, NESTED, PLACES, USED_UP
from abiprobe.oracles.engine.types import WHOLE_ARRAY
from abiprobe.oracles.engine.unfolded import Unfolded, unfolded
from abiprobe.oracles.language.lang import Array, Kind, Member, Record, Scalar, Type
from abiprobe.oracles.registry import find_model

INT = Scalar(Kind.INT)
PAIR = Record("Pair", (Member(INT, "a"), Member(INT, "b")))


def declared(text: str) -> Declarations:
    return read(text, filename="t.c", triple="x86_64-linux-gnu", how=ReadOptions(strict=False))


def chain(levels: int, members: str) -> str:
    """Structs each of which has members of the one before."""
    first = "struct S0 { int a, b; };\n"
    return first + "".join(
        f"struct S{level} {{ struct S{level - 1} {members}; }};\n" for level in range(1, levels)
    )


def reasons(found: Declarations) -> Mapping[str, str]:
    return {one.name: one.reason for one in found.skipped}


@pytest.mark.parametrize(
    ("c_type", "expected"),
    [
        (INT, Unfolded(1, 1)),
        (PAIR, Unfolded(2, 2)),
        (Record("Empty", ()), Unfolded(1, 1)),
        (Array(PAIR, 3), Unfolded(3, 6)),
        (Array(PAIR, WHOLE_ARRAY), Unfolded(3, 2 * WHOLE_ARRAY)),
        (Array(PAIR, WHOLE_ARRAY + 1), Unfolded(3, 4)),
        (Array(PAIR, 1 << 40), Unfolded(3, 4)),
        (Array(INT, None), Unfolded(2, 1)),
    ],
)
def test_a_type_is_as_large_as_its_layout(c_type: Type, expected: Unfolded) -> None:
    assert unfolded(c_type, {}) == expected


@pytest.mark.parametrize("c_type", [PAIR, Record("R", (Member(Array(PAIR, 3), "p"), Member(INT, "i")))])
def test_places_are_those_that_a_layout_tells(c_type: Record) -> None:
    leaves = [*find_model("x86_64-sysv").types.leaves(c_type)]
    assert unfolded(c_type, {}).places == len(leaves)


def test_a_type_that_is_used_twice_is_opened_once() -> None:
    c_type = PAIR
    for _ in range(200):
        c_type = Record("R", (Member(c_type, "a"), Member(c_type, "b")))
    assert unfolded(c_type, {}) == Unfolded(202, 2**201)


def test_structs_are_nested_up_to_the_limit() -> None:
    found = declared(chain(400, "x") + "void f(struct S98); void g(struct S399);")
    # A struct of ints has two levels.
    assert [record.tag for record in found.records] == [f"S{level}" for level in range(LEVELS - 1)]
    assert [function.name for function in found.functions] == ["f"]
    assert reasons(found) == {
        **{f"struct S{level}": NESTED for level in range(LEVELS - 1, 400)},
        "g": NESTED,
    }


def test_deep_nesting_is_a_reason_where_the_file_does_not_declare_it_itself(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # What an included file declares is read when it is used, from the outermost struct inwards.
    monkeypatch.setattr("abiprobe.harness.input.own_declarations.definitions", lambda _reading: [])
    found = declared(chain(3000, "x") + "void f(struct S90); void g(struct S2999);")
    assert [function.name for function in found.functions] == ["f"]
    assert reasons(found) == {"g": NESTED}


@pytest.mark.parametrize("keyword", ["struct", "union"])
def test_doubling_ends_at_the_limit(keyword: str) -> None:
    found = declared(chain(30, "x, y").replace("struct", keyword) + f"void f({keyword} S29);")
    # The first has two members, each other one twice as many as the one before.
    assert [record.tag for record in found.records] == [f"S{level}" for level in range(14)]
    assert {*reasons(found).values()} == {MANY}
    assert "f" in reasons(found)


@pytest.mark.parametrize("beyond", [False, True])
@pytest.mark.parametrize(
    "text",
    ["struct Odd {{ {members} }};", "enum E {{ {constants} }}; void Odd(enum E);", "void Odd({parameters});"],
)
def test_members_constants_and_parameters_are_counted(
    monkeypatch: pytest.MonkeyPatch,
    text: str,
    beyond: bool,  # noqa: FBT001
) -> None:
    monkeypatch.setattr(limits, "PLACES", 200)
    count = 200 + beyond
    written = text.format(
        members="".join(f"int m{number};" for number in range(count)),
        constants=",".join(f"c{number}" for number in range(count)),
        parameters=",".join("int" for _ in range(count)),
    )
    found = declared(f"{written}\nstruct Sound {{ int a; }};")
    names = [record.tag for record in found.records] + [function.name for function in found.functions]
    assert names == (["Sound"] if beyond else ["Odd", "Sound"] if "struct" in text else ["Sound", "Odd"])
    assert [*reasons(found).values()] == [MANY] * beyond


def test_a_function_is_as_large_as_its_values_together() -> None:
    found = declared(chain(14, "x, y") + "void f(struct S13); void g(struct S13, int); struct S13 h(int);")
    assert [function.name for function in found.functions] == ["f"]
    assert reasons(found) == {"g": MANY, "h": MANY}


def test_all_of_a_file_together_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "ALL", 5)
    found = declared("struct A { int a, b; }; struct B { int a, b, c; }; void f(int); struct C { int a; };")
    assert [record.tag for record in found.records] == ["A", "B"]
    assert reasons(found) == {"struct C": USED_UP, "f": USED_UP}
    assert PLACES < ALL


def test_what_is_too_large_is_found_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    read_fields: list[None] = []
    some = limits.expect_few

    def counting(*arguments: object) -> int:
        read_fields.append(None)
        return some(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr("abiprobe.harness.input.records.expect_few", counting)
    declared(chain(1000, "x"))
    assert len(read_fields) == 1000
