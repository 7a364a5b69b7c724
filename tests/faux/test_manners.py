"""Compilers that go wrong only where a program does more than to store what it has: each is caught in its manner of asking."""

from __future__ import annotations

from itertools import count

import msgspec
import pytest

from abiprobe.harness.input import read
from abiprobe.harness.machines.render.arrange import Manner, in_manner, manner_of
from abiprobe.harness.subjects.compile import Limits
from abiprobe.oracles.language.lang import Prototype
from abiprobe.oracles.language.question import ProbeKind, probe
from abiprobe.results.verdicts.notes import ReliesOnAbove
from abiprobe.results.verdicts.record import Judgement, Verdict
from abiprobe.results.verdicts.wording import note_text

from .putting import Ask

RISCV, X86 = "riscv64-lp64d", "x86_64-sysv"
LONGS, REAL, TIGHT, PAIR, MORE = read(
    """
    struct Tight { long a; _BitInt(7) tight; long b; };
    struct Pair { long first, last; };
    long longs(long a, long b);
    float real(float given);
    void tight(struct Tight given);
    struct Pair pair(long a, long b);
    void more(long a, ...);
    """,
    filename="manners.h",
    triple="x86_64-linux-gnu",
).functions


def named(function: Prototype, manner: Manner) -> Prototype:
    """The prototype under a name by which it is asked in a manner."""
    made = (msgspec.structs.replace(function, name=f"{function.name}_as{number}") for number in count())
    return next(one for one in made if manner_of(probe(one).id) is manner)


LIES = [
    ("forgets_the_order", Manner.FORWARDED, LONGS, "callee", "b", ""),
    ("forgets_the_order", Manner.TURNED, LONGS, "callee", "a", ""),
    ("reuses_its_arguments", Manner.TWICE, LONGS, "caller", "a", ""),
    ("takes_a_neighbour", Manner.TWICE, PAIR, "result", "result.last", "used by itself"),
    ("forgets_to_convert", Manner.CONVERTED, REAL, "callee", "given", "converted to double"),
]


def told(verdicts: dict[tuple[str, str], Verdict]) -> list[tuple[str, str, str, str]]:
    return [
        (name, kind, verdict.differences[0].what, note_text(verdict.differences[0].note))
        for (name, kind), verdict in verdicts.items()
        if verdict.verdict is Judgement.DEVIATES
    ]


@pytest.mark.parametrize("target", [X86, RISCV])
@pytest.mark.parametrize(("lie", "manner", "function", "kind", "what", "note"), LIES)
def test_a_lie_shows_in_its_manner_alone(
    lied: Ask,
    lie: str,
    manner: Manner,
    function: Prototype,
    kind: str,
    what: str,
    note: str,
    target: str,
) -> None:
    every = tuple(named(function, each) for each in Manner)
    shown = told(lied(lie, target, every, Limits()))
    other = {Manner.FORWARDED, Manner.TURNED} - {manner} if lie == "forgets_the_order" else set()
    by_others = {named(function, each).name for each in other}
    shown = [one for one in shown if one[0] not in by_others]
    assert [one[:3] for one in shown] == [(named(function, manner).name, kind, what)]
    assert note in shown[0][3]


def test_bits_in_memory_that_carry_nothing_are_blamed_on_their_type(lied: Ask) -> None:
    every = tuple(named(TIGHT, each) for each in Manner)
    (verdict,) = lied("trusts_padding", X86, every, Limits()).values()
    assert verdict.probe == probe(named(TIGHT, Manner.CONVERTED)).id
    assert verdict.clause == "x86_64:type.bit-int"
    (difference,) = verdict.differences
    assert (difference.what, difference.note) == ("given.tight", ReliesOnAbove())
    assert difference.above


def test_unnamed_arguments_are_read_through_conversions_too(lied: Ask) -> None:
    two = msgspec.structs.replace(MORE, unnamed=2 * (TIGHT.params[0].type,))
    every = tuple(named(two, each) for each in Manner)
    (verdict,) = lied("trusts_padding", X86, every, Limits()).values()
    assert (verdict.probe, verdict.kind) == (probe(named(two, Manner.CONVERTED)).id, ProbeKind.VARIADIC)
    assert [item.what for item in verdict.differences] == ["...0.tight", "...1.tight"]


def test_bits_that_a_text_extends_may_be_relied_on(lied: Ask) -> None:
    assert not lied("trusts_padding", RISCV, (named(TIGHT, Manner.CONVERTED),), Limits())


@pytest.mark.parametrize("manner", Manner)
def test_a_name_gives_a_question_its_manner(manner: Manner) -> None:
    assert manner_of(probe(in_manner(LONGS, manner)).id) is manner
