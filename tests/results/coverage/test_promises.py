"""The fate of a promise: held, broken or not put to the test, by what two configurations show of a question."""

from __future__ import annotations

import msgspec
import pytest

from abiprobe.oracles.language.question import ProbeKind, Sort
from abiprobe.results.coverage import promises
from abiprobe.results.coverage.promises import Promise, kept
from abiprobe.results.journal.journal import BatchDone, BatchKey
from abiprobe.results.verdicts.record import Judgement, Outcome, Shown, Verdict, unobserved
from abiprobe.results.verdicts.values import Alignment, Size

TARGET, PROBE = "x86_64-sysv@open", "0123456789ab"
ONE, OTHER = ("clang-22", "O0"), ("clang-14", "O0")
BOTH = (ONE, OTHER)


def shows(*parts: Shown, probe: str = PROBE) -> Verdict:
    return Verdict(probe, ProbeKind.LAYOUT, Judgement.UNSPECIFIED, shown=parts)


def size(number: int) -> Shown:
    return Shown("sizeof", (Size(number),))


TORN = Shown("a", (Size(1),), (Size(2),))
OTHERWISE = Shown("a", (Size(1),), (Size(3),))
LACKING = unobserved(PROBE, ProbeKind.LAYOUT, Outcome.UNSUPPORTED, "the compiler has no _BitInt")
LOST = Verdict(PROBE, ProbeKind.PAIR, Judgement.DEVIATES, partner=OTHER[0])
ARRIVES = Verdict(PROBE, ProbeKind.PAIR, Judgement.AGREES, partner=OTHER[0])


@pytest.mark.parametrize(
    ("one", "other", "fate"),
    [
        ((shows(size(4)),), (shows(size(4)),), True),
        ((shows(size(4)),), (shows(size(8)),), False),
        ((shows(size(4)),), (shows(Shown("_Alignof", (Alignment(4),))),), None),
        ((shows(size(4)),), (LACKING,), None),
        ((LACKING,), (LACKING,), None),
        ((shows(size(4), TORN),), (shows(size(4), Shown("a", (Size(1),))),), False),
        ((shows(size(4), TORN),), (shows(size(4), TORN),), True),
        ((shows(size(4), TORN),), (shows(size(4), OTHERWISE),), None),
        ((shows(TORN),), (LACKING,), None),
        ((shows(size(4)), LOST), (shows(size(4)),), False),
        ((shows(size(4)), ARRIVES), (shows(size(4)),), True),
    ],
)
def test_two_do_the_same_or_not(
    one: tuple[Verdict, ...], other: tuple[Verdict, ...], *, fate: bool | None
) -> None:
    assert kept(TARGET, PROBE, BOTH, {ONE: one, OTHER: other}) is fate
    assert kept(TARGET, PROBE, BOTH[::-1], {ONE: one, OTHER: other}) is fate


def batch(asked: tuple[str, str], *verdicts: Verdict) -> BatchDone:
    return BatchDone(BatchKey(TARGET, *asked, Sort.RECORDS, 0), len(verdicts), verdicts, (), 0, 0, 0, 0)


def test_a_probe_counts_once_and_is_broken_if_it_is_at_any_level() -> None:
    same, moved = shows(size(4)), shows(size(8))
    batches = [
        batch(("a", "O0"), same, shows(size(1), probe="b"), msgspec.structs.replace(LACKING, probe="c")),
        batch(
            ("b", "O0"), same, shows(size(1), probe="b"), shows(size(1), probe="c"), shows(size(1), probe="d")
        ),
        batch(("a", "O2"), same),
        batch(("b", "O2"), moved),
        batch(("c", "O0"), moved),
    ]
    found = promises.tested(Promise("a", "b"), promises.answered(batches), ("O0", "O2"))
    (part,) = found.parts
    assert (found.held, found.broken, found.uncompared) == (1, 1, 1)
    assert part.broken == {PROBE}
    assert list(part.reasons) == ["a: the compiler has no _BitInt"]
    assert found.complete


def test_levels_of_one_compiler_are_held_against_each_other() -> None:
    batches = [batch(("a", "O0"), shows(size(4))), batch(("a", "O2"), shows(size(8)))]
    assert (
        promises.tested(Promise("a", "a", "O0", "O2"), promises.answered(batches), ("O0", "O2")).broken == 1
    )
    assert str(Promise("a", "a", "O0", "O2")) == "a -O0 and a -O2"


def test_what_only_one_was_asked_is_no_part_of_it() -> None:
    found = promises.tested(
        Promise("a", "b"), promises.answered([batch(("a", "O0"), shows(size(4)))]), ("O0",)
    )
    assert (found.parts, found.complete) == ((), False)
