"""The names of vector variants, and the reasons for which a compiler makes none, compared with the model's."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from abiprobe.oracles.abis.vfabi import Name, NotAVectorNameError, parse_name
from abiprobe.oracles.abis.vfabi.dialect import Isa
from abiprobe.oracles.abis.vfabi.variant import Variant, Variants
from abiprobe.oracles.language.question import ProbeKind
from abiprobe.results.verdicts.locations import Named
from abiprobe.results.verdicts.record import Difference, Verdict, from_differences
from abiprobe.results.verdicts.values import Words

ISAS = "vfabi:variants.isa"
MASKS = "vfabi:variants.mask"
SAID, SYMBOLS = Named("the compiler's words"), Named("symbol table")


def judge_names(
    probe: str,
    expected: Variants,
    seen: frozenset[str],
    own: tuple[str, str],
    reasons: frozenset[str] | None = None,
) -> Verdict:
    """The verdict on the set of names; `own` is the name the function was given, and the one it is asked under.

    `reasons` are the compiler's own words for pragmas of which it makes nothing, which must be the dialect's.
    """
    found: list[Difference] = []
    for isa in Isa:
        for masked in (False, True):
            about = [one for one in expected.variants if (one.name.isa, one.name.masked) == (isa, masked)]
            others = sorted(name for name in seen if _kind(name) == (isa, masked))
            found += _different(expected, about, others, own)
    known = {name for name in seen if _kind(name) is None}
    found += [_unexpected(expected, name, own) for name in sorted(known)]
    if reasons is not None:
        found += _other_reasons(expected, reasons)
    return from_differences(probe, ProbeKind.VARIANTS, tuple(found))


def _other_reasons(expected: Variants, seen: frozenset[str]) -> Iterator[Difference]:
    """The refusals of which the compiler does not say why, or says otherwise; types are spelled by each in its way."""
    wanted = {refusal.why: refusal.clause for refusal in expected.refusals}
    extra = sorted(why for why in seen if not any(one.startswith(why) for one in wanted))
    for why, clause in wanted.items():
        if not any(why.startswith(one) for one in seen):
            instead = extra.pop(0) if extra else "no warning"
            yield Difference("object", "refusal", SAID, Words(why), Words(instead), clause)
    for why in extra:
        yield Difference("object", "refusal", SAID, Words("no such warning"), Words(why), ISAS)


def _kind(symbol: str) -> tuple[Isa, bool] | None:
    try:
        name = parse_name(symbol)
    except NotAVectorNameError:
        return None
    return name.isa, name.masked


def _different(
    expected: Variants, about: Sequence[Variant], others: Sequence[str], own: tuple[str, str]
) -> Iterator[Difference]:
    missing = [one for one in about if one.symbol not in others]
    extra = [name for name in others if name not in {one.symbol for one in about}]
    for variant in missing:
        instead = max(extra, key=lambda name: _likeness(variant, name), default="")
        if instead:
            extra.remove(instead)
        yield Difference(
            side="object",
            what="name",
            place=SYMBOLS,
            expected=Words(variant.symbol.replace(*own)),
            seen=Words(instead.replace(*own) if instead else "no such variant"),
            clause=_broken(variant, instead),
        )
    for name in extra:
        yield _unexpected(expected, name, own)


def _likeness(variant: Variant, symbol: str) -> tuple[bool, int]:
    """Return how similar another name is to a variant's name."""
    name = parse_name(symbol)
    alike = sum(own == other for own, other in zip(variant.name.params, name.params, strict=False))
    return name.lanes == variant.name.lanes, alike


def _unexpected(expected: Variants, symbol: str, own: tuple[str, str]) -> Difference:
    clause = expected.refusals[0].clause if expected.refusals else MASKS
    why = expected.refusals[0].why if expected.refusals else "no such variant"
    return Difference("object", "name", SYMBOLS, Words(why), Words(symbol.replace(*own)), clause)


def _broken(variant: Variant, instead: str) -> str:
    """The clause by which a name is as it is, where another stands in its place."""
    if not instead:
        return ISAS
    name: Name = parse_name(instead)
    if name.lanes != variant.name.lanes or len(name.params) != len(variant.name.params):
        return variant.length_clause
    for own, other, clause in zip(variant.name.params, name.params, variant.param_clauses, strict=True):
        if own.partition("a")[0] != other.partition("a")[0]:
            return clause
    return variant.alignment_clause if name.params != variant.name.params else ISAS
