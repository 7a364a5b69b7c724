"""The small scope of each target, calls and records, in the order in which it is worth asking; ordering it takes seconds."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import chain, permutations
from pathlib import Path
from typing import TypeVar

import msgspec

from abiprobe.generators.pool import BATCH
from abiprobe.generators.small_scope import (
    BEHIND,
    NAMED,
    TWO_WORDS,
    Combination,
    Combine,
    attributed,
    calls,
    ranked,
    records,
)
from abiprobe.harness.base.cache import entry, kept
from abiprobe.harness.machines.render.arrange import Manner, in_manner
from abiprobe.harness.observers.call_observer import of_value
from abiprobe.harness.runs.tours import version
from abiprobe.oracles.engine.silence import AbsentError, SilentError
from abiprobe.oracles.language.lang import (
    Array,
    Atomic,
    BitInt,
    Kind,
    Member,
    Param,
    Prototype,
    Record,
    Scalar,
    Type,
    Typedef,
    spelling,
    strip,
)
from abiprobe.oracles.language.question import CQuestion, Sort
from abiprobe.oracles.model import AbiModel, Target
from abiprobe.oracles.text.place import Assignment, Layout, Passed, Register, Unspecified
from abiprobe.oracles.unmodelled.opened import with_text
from abiprobe.results.causes.traits import roles, traits

_BATCHES = msgspec.json.Decoder(tuple[bytes, ...])
_QUESTIONS = msgspec.json.Decoder(tuple[Prototype | Record, ...])
CHAR = Scalar(Kind.CHAR)
A = TypeVar("A")
REMEMBERED = 1 << 10
"""Parameters that are remembered: most fill registers."""
MANY = 3
"""Members of the largest records."""
SECOND = 20
"""So many batches of the small scope are for every run that is long enough, behind the covering array."""


@cache
def ordered(target: Target, sort: Sort) -> tuple[tuple[CQuestion, ...], tuple[CQuestion, ...]]:
    """The small scope of a target, what every run asks and the rest; none for vector functions and where there is no model."""
    if target.vectors or not target.modelled:
        return (), ()
    model = with_text(target).model()
    if sort is Sort.SMALL_RECORDS:
        first_records, others = ranked(records(), meets(model))
        return tuple(first_records), (*attributed(), *others)
    early, late = ranked(calls(model), meets(model))
    return tuple(map(asked, early)), tuple(map(asked, late))


def asked(question: CQuestion) -> CQuestion:
    """The question as it is asked: a callee that may trust the bits above a parameter's value reads it through a conversion, too."""
    if isinstance(question, Record) or not any(map(has_bits_above, question.params)):
        return question
    return in_manner(question, Manner.CONVERTED)


@lru_cache(REMEMBERED)
def has_bits_above(param: Param) -> bool:
    """Return whether a parameter is a `_BitInt`, or has one as a member."""
    about = strip(param.type)
    inner = (strip(one.type) for one in about.members) if isinstance(about, Record) else (about,)
    return any(isinstance(one, BitInt) for one in inner)


@cache
def first(target: Target, sort: Sort) -> tuple[bytes, ...]:
    """The batches of the small scope that every run begins with, packed; kept in the cache."""
    return kept(entries(target, sort)[0], _BATCHES, lambda: packed(ordered(target, sort)[0]))


@cache
def second(target: Target, sort: Sort) -> tuple[bytes, ...]:
    """Return the batches of a long run's second part, in which more than two features meet, packed; kept in the cache."""
    return kept(
        entries(target, sort)[1], _BATCHES, lambda: packed(ordered(target, sort)[1][: SECOND * BATCH])
    )


def packed(questions: Sequence[CQuestion]) -> tuple[bytes, ...]:
    """Questions in batches, each as compressed JSON: a run has tens of thousands of them, and looks at one batch at a time."""
    starts = range(0, len(questions), BATCH)
    return tuple(zlib.compress(msgspec.json.encode(questions[at : at + BATCH])) for at in starts)


def entries(target: Target, sort: Sort) -> tuple[Path, Path]:
    """Return the entries of the cache that keep what every run begins with, and the second part of a long one."""
    name, file = sort.replace(" ", "-"), f"{with_text(target)}-{version()}.json"
    return entry(name, file), entry(f"more-{name}", file)


def first_parts(target: Target, sort: Sort) -> int:
    """Return the number of batches with which every run begins."""
    return len(first(target, sort))


def second_parts(target: Target, sort: Sort) -> int:
    """Return the number of second batches in a run that is not nightly, if it is long enough."""
    return first_parts(target, sort) + len(second(target, sort))


def early_parts(target: Target, sort: Sort) -> int:
    """Return the number of batches after a run's first one that precede all others it draws: those of records, which cost least."""
    return (second_parts if sort is Sort.SMALL_RECORDS else first_parts)(target, sort)


def parts(target: Target, sort: Sort) -> int:
    """Return the number of batches in the small scope of a target."""
    return first_parts(target, sort) - (-len(ordered(target, sort)[1]) // BATCH)


def part(target: Target, sort: Sort, number: int) -> tuple[CQuestion, ...]:
    """A batch of the small scope; those behind the second ones are asked by a night only."""
    early = (*first(target, sort), *second(target, sort))
    if number < len(early):
        return _QUESTIONS.decode(zlib.decompress(early[number]))
    start = (number - first_parts(target, sort)) * BATCH
    return ordered(target, sort)[1][start : start + BATCH]


def meets(model: AbiModel) -> Combine:
    """Return a function that lists what meets in a question.

    Clauses of the model's answer, kinds of places, traits, role and types.
    """

    @cache
    def layout_of(record: Record) -> frozenset[str]:
        return frozenset(of_layout(model, record))

    def of_question(question: CQuestion) -> Combination:
        entire = ""
        if isinstance(question, Record):
            clauses = layout_of(question)
            met = clauses | traits(question)
        else:
            clauses = frozenset(of_call(model, question, layout_of))
            met = clauses | traits(question) | roles(question) | {role(question)}
            entire = whole(question)
        found = frozenset(forms(question))
        return Combination(met | {length(question)} if clauses else frozenset(), found, entire)

    return of_question


def length(question: CQuestion) -> str:
    """Return the number of members; a third member may follow a zero-size one."""
    about = question if isinstance(question, Record) else next(types(question))
    return f"{len(about.members)} members" if isinstance(about, Record) else "no record"


def forms(question: CQuestion) -> Iterator[str]:
    """The type that a question is about, or those of its members, with their attributes and without their names.

    In a record by itself, a member is another one in another place; of conventions that no text describes the types do not count.
    What is asked for of a type as a whole is one with where its value stands, so that three things meet: these and a trait.
    """
    if isinstance(question, Record):
        yield from (f"{at} {form(member)}" for at, member in enumerate(question.members))
    elif question.convention is None:
        about = next(types(question))
        yield from map(form, about.members) if isinstance(about, Record) else (spelling(about),)
        if attributes(about):
            yield f"{attributes(about)} {role(question)}"


def whole(question: Prototype) -> str:
    """The record that comes first in a call, with its role, if all of its members have a say there; empty for any other."""
    about, where = next(types(question)), stands_as(question)
    if not isinstance(about, Record) or not has_a_say(question, about, where):
        return ""
    kind = "union" if about.union else "packed" if about.packed else "struct"
    return f"{role(question)} {kind} {list(map(form, about.members))}"


def has_a_say(question: Prototype, record: Record, where: str) -> bool:
    """Return whether each of a record's members affects how it is passed where it stands, with nothing before it."""
    if question.convention is not None:
        # What no text describes goes wrong where bit-fields of unlike types share a register.
        fields = {one.type for one in record.members if one.width and one.name}
        return where == "result" and len(fields) > 1 and not (record.union or record.packed)
    match where:
        case "both":
            return is_intricate(record)
        case "unnamed":
            return len(question.params) == 1 and (
                all(one.type in TWO_WORDS for one in record.members)
                if record.union
                else record.packed and any(one.align for one in record.members)
            )
        case _:
            return False


def is_intricate(record: Record) -> bool:
    """Return whether each of a record's members affects how it is passed.

    There are three, or a real is beside a bit-field, a `_BitInt`, or what is atomic or aligned, or those of a union have two
    words or are records.
    """
    members = record.members
    if record.union:
        nested = any(isinstance(member.type, Record) for member in members)
        return nested or all(member.type in TWO_WORDS for member in members)
    return len(members) == MANY or any(
        is_real(one) and is_odd(other) for one, other in permutations(members, 2)
    )


def is_real(member: Member) -> bool:
    """Return whether a member is a real, atomic or not."""
    bare = strip(member.type)
    return isinstance(bare, Scalar) and bare.kind.is_floating


def is_odd(member: Member) -> bool:
    """Return whether a member is not a plain one beside a real."""
    return member.width is not None or bool(member.align) or isinstance(member.type, (BitInt, Atomic))


def attributes(about: Type) -> str:
    """Return the attributes of an aligned record or type as a whole, or that it is flexible; empty for any other."""
    match about:
        case Record(align=int(align)) if align:
            return f"{about.packed} {about.pack} aligned to {align}"
        case Record(members=(*_, Member(type=Array(length=None)))):
            return "flexible"
        case Typedef(align=align):
            return f"aligned to {align}"
        case _:
            return ""


@cache
def form(member: Member) -> str:
    """A member without its name."""
    attributes = msgspec.json.encode(msgspec.structs.replace(member, name="", type=CHAR)).decode()
    return f"{spelling(member.type)} {attributes}"


def of_layout(model: AbiModel, record: Record) -> Iterator[str]:
    """The clauses of a record's layout, or the one that leaves it open; none where the target has no such type."""
    match answered(lambda: model.layout(record)):
        case Layout() as laid_out:
            yield laid_out.clause
            yield from (one.clause for one in laid_out.members)
        case Unspecified(clause=clause):
            yield clause


def of_call(
    model: AbiModel, question: Prototype, layout_of: Callable[[Record], Iterable[str]]
) -> Iterator[str]:
    """The clauses and kinds of places of the values that a call is about, and the clauses of its record."""
    match answered(lambda: model.assign(question)):
        case Assignment(params=params, result=result):
            # What is in front of these fills registers, and is the same in thousands of questions.
            for one in (*params[-1 - len(BEHIND) :], *(() if result is None else (result,))):
                yield from words_of(one)
            for c_type in types(question):
                if isinstance(c_type, Record):
                    yield from layout_of(c_type)
        case Unspecified(clause=clause):
            yield clause


def answered(answer: Callable[[], A]) -> A | Unspecified | None:
    """Return a model's answer; `None` if there is no such type."""
    try:
        return answer()
    except SilentError as silence:
        return Unspecified(silence.clause, silence.why)
    except AbsentError:
        return None


def types(question: Prototype) -> Iterator[Type]:
    """Yield the types that a call of the small scope is about.

    Its result, unnamed argument, last named one, or first that is no filler.
    """
    match stands_as(question):
        case "named":
            yield question.params[-1].type
        case "unnamed":
            yield question.unnamed[0]
        case "argument" | "both":
            yield question.params[-1 - len(BEHIND)].type
        case _:
            assert question.result is not None, "a result is asked about"
            yield question.result


def role(question: Prototype) -> str:
    """Return the role of the value that a question of the small scope is about: as what, by which convention, after how many."""
    convention = question.convention.value if question.convention else "regparm" if question.regparm else ""
    return f"{stands_as(question)} {convention} {len(question.params)}"


def stands_as(question: Prototype) -> str:
    """Return the role of the value that a call of the small scope is about: `result`, `argument`, `both`, `named` or `unnamed`.

    The last two are of a variadic call: its last named parameter, or its first unnamed argument.
    """
    if question.result is not None:
        return "both" if question.params[-len(BEHIND) :] == BEHIND else "result"
    if not question.variadic:
        return "argument"
    return "named" if question.params[-1].name == NAMED else "unnamed"


def words_of(passed: Passed) -> chain[str]:
    """The clauses and the kinds of places of a value."""
    places = (
        piece.place.name.rstrip("0123456789") if isinstance(piece.place, Register) else "stack"
        for piece in passed.pieces
    )
    return chain(of_value(passed), (passed.passing.value,), places)
