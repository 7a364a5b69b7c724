"""`python benchmarks/virtual_calls.py [SUBJECT,...] [CALLS] [LEVEL] [SEED]`: virtual calls through bases between two C++ compilers.

Drawn classes override a function of a base that lies anywhere in them, some virtual, so that a call through that base goes through
a thunk that adjusts `this`, and through one that adjusts the result where that is covariant. The called function looks at its object
and arguments, the caller at the result. Programs are made and run as those of `exceptions.py`; a line says how many
calls were made, how many were right, and a sum over all. Exits with 1 where one is wrong.
"""

from __future__ import annotations

import random
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import exceptions

COLUMNS = "first\tsecond\tcalled\tright\t-\t-\tsum"
DEFAULTS = ("g++-12,clang++-22", "300", "O1", "1")
PRELUDE = """\
extern "C" int printf(const char *, ...);
typedef unsigned long long word;
struct State { word made, right, sum; const void *object; };
struct Large { word first, second, third, fourth, fifth; };
struct Counted {
    word value;
    explicit Counted(word value) : value(value) {}
    Counted(const Counted &other) : value(other.value) {}
    ~Counted() { value = 0; }
};
struct Before { word before; virtual void nothing(); };
struct Result { int result; virtual void same(); };
extern State state;
#ifdef MAIN
State state;
void Before::nothing() {}
void Result::same() {}
#endif
"""
RESULTS = ("int", "double", "Large", "Counted", "Result *", "Result &")
PARAMS = ("int", "double", "Large", "Counted", "float", "const Counted &")


def program(count: int, seed: int) -> str:
    """The source of both halves: the second has the classes' functions, the first calls them."""
    draw = random.Random(seed)  # noqa: S311 - no secret
    parts = [part for number in range(count) for part in one(number, draw)]
    calls = "\n".join(f"    call_{number}();" for number in range(count))
    ends = 'printf("%llu %llu 0 0 %llu", state.made, state.right, state.sum);'
    return "\n".join(
        [PRELUDE, *parts, "#ifdef MAIN", f"int main() {{\n{calls}\n    {ends}\n}}", "#endif", ""]
    )


def one(number: int, draw: random.Random) -> Iterator[str]:
    """The classes of one call in a namespace of their own, the functions of the second half, the caller of the first."""
    result = draw.choice(RESULTS)
    params = [draw.choice(PARAMS) for _ in range(draw.randrange(5))]
    signature = ", ".join(f"{param} p{index}" for index, param in enumerate(params))
    covariant = "Result" in result and draw.random() < 0.7
    own = result.replace("Result", "Covariant") if covariant else result
    bases = shuffled(draw, ["Before", "Called", "Data", "Other"])
    inner = shuffled(draw, ["Middle", draw.choice(["Before", "More"])])
    yield f"""
namespace n{number} {{
struct Covariant : {shuffled(draw, ["Before", "Result"])} {{ double own; void same() override; }};
struct Called {{ {draw.choice(["", "word called; "])}virtual {result} called_by({signature}) = 0; }};
struct Data {{ {draw.choice(["char", "int", "word"])} data; }};
struct Other {{ virtual int other(); char more; }};
struct More {{ virtual void more(); word number; }};
struct Middle : {bases} {{ int middle; {own} called_by({signature}) override; }};
struct Whole : {inner} {{ word whole; void finish(); }};
Called *object_{number}();
extern Covariant covariant;
#ifndef MAIN
Covariant covariant;
void Covariant::same() {{}}
int Other::other() {{ return 1; }}
void More::more() {{}}
static Whole whole;
Called *object_{number}() {{ state.object = static_cast<Middle *>(&whole); return &whole; }}
{own} Middle::called_by({signature}) {{
    state.right += this == state.object{"".join(f" && {seen(param, index)}" for index, param in enumerate(params))};
    {given(own, number)}
}}
#endif
}}
#ifdef MAIN
static void call_{number}() {{
    n{number}::Called *called = n{number}::object_{number}();
    ++state.made;
    {taken(result, number, ", ".join(argument(param, index) for index, param in enumerate(params)))}
}}
#endif"""


def shuffled(draw: random.Random, names: list[str]) -> str:
    """Bases in any order, any of which may be virtual."""
    draw.shuffle(names)
    return ", ".join(f"{draw.choice(['', '', 'virtual '])}{name}" for name in names)


def argument(param: str, index: int) -> str:
    """An argument of its own for each place."""
    if "Counted" in param:
        return f"Counted({index + 40})"
    return f"Large{{{index + 70}, 2, 3, 4, {index}}}" if param == "Large" else f"{index + 10}"


def seen(param: str, index: int) -> str:
    """Return whether a parameter is what was passed, as an expression."""
    if "Counted" in param:
        return f"p{index}.value == {index + 40}"
    if param == "Large":
        return f"p{index}.first == {index + 70} && p{index}.fifth == {index}"
    return f"p{index} == {index + 10}"


def given(own: str, number: int) -> str:
    """The statement that returns a result."""
    kind = own.rstrip(" *&")
    if kind in {"Covariant", "Result"}:
        return f"return {'&' * own.endswith('*')}covariant;"
    value = {"Large": f"Large{{{number}, 2, 3, 4, 5}}", "Counted": f"Counted({number})"}
    return f"return {value.get(kind, str(number))};"


def taken(result: str, number: int, arguments: str) -> str:
    """The statements that call, and look at the result."""
    kind = result.rstrip(" *&")
    call = f"called->called_by({arguments})"
    looks = {"Large": "result.first == {0} && result.fifth == 5", "Counted": "result.value == {0}"}
    if kind == "Result":
        expected = f"static_cast<Result *>(&n{number}::covariant)"
        look = f"Result *result = {'&' * result.endswith('&')}{call}; bool right = result == {expected};"
    else:
        look = f"{result} result = {call}; bool right = {looks.get(kind, 'result == {0}').format(number)};"
    return f"word before = state.right; {look} state.right = before + (state.right > before && right); state.sum += {number} * state.right;"


def main() -> int:
    """Write the program, and build, link and run it for each two subjects."""
    names, calls, level, seed = (*sys.argv[1:], *DEFAULTS[len(sys.argv) - 1 :])
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "virtual_calls.cc")
        source.write_text(program(int(calls), int(seed)), "utf-8")
        return exceptions.compared(names, calls, level, str(source), COLUMNS)


if __name__ == "__main__":
    sys.exit(main())
