"""The options of a subject that change layouts, as the models want to know them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TypeVar

from msgspec.structs import replace

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.subjects.subject import Subject
from abiprobe.oracles.language.lang import Isa, Kind, Prototype
from abiprobe.oracles.language.question import Question
from abiprobe.oracles.text.options import LayoutOptions

Q = TypeVar("Q", bound=Question)

LONG_DOUBLE = {
    "-m96bit-long-double": 12,
    "-m128bit-long-double": 16,
}
REAL = {"-mlong-double-64": Kind.DOUBLE, "-mlong-double-80": None, "-mlong-double-128": Kind.FLOAT128}
VECTORS = {
    "-mavx": 32,
    "-mavx2": 32,
    "-mno-avx": 16,
    "-mavx512f": 64,
    "-mno-avx512f": 32,
    "-march=x86-64": 16,
    "-march=x86-64-v2": 16,
    "-march=x86-64-v3": 32,
    "-march=x86-64-v4": 64,
}
REGPARMS = ("0", "1", "2", "3")
PACKS = {"1": 1, "2": 2, "4": 4, "8": 8, "16": 16}


def subject_options(subject: Subject) -> LayoutOptions:
    """Return the layout options of a subject. Raises what `layout_options` raises. Raises what `layout_options` raises."""
    return layout_options(subject.options, subject.family.name)


def options_for(subject: Subject, questions: Collection[Question]) -> LayoutOptions:
    """As `subject_options`, for a batch whose functions have the `target` attribute of each other."""
    return with_isa(subject_options(subject), questions)


def with_isa(options: LayoutOptions, questions: Collection[Question]) -> LayoutOptions:
    """Options of a unit whose functions have the `target` attribute of each other."""
    asked = {one.isa for one in questions if isinstance(one, Prototype)}
    isa = asked.pop() if len(asked) == 1 else None
    return options if isa is None else replace(options, vectors=max(options.vectors, isa.vectors))


def by_isa(questions: Iterable[Q]) -> tuple[tuple[Q, ...], ...]:
    """Questions apart by their `target` attribute, since a batch runs on one machine."""
    found: dict[Isa | None, list[Q]] = {}
    for question in questions:
        found.setdefault(question.isa if isinstance(question, Prototype) else None, []).append(question)
    return tuple(map(tuple, found.values()))


def layout_options(options: Sequence[str], family: str = "") -> LayoutOptions:
    """Return the layout options among a subject's options; the last word on each counts.

    `family` decides what `-fpack-struct` without a number means.

    Raises `Problem` for a value that no compiler takes.
    """
    align_double = False
    short_enums: bool | None = None
    ms_bitfields: bool | None = None
    pack: int | None = None
    packed = False
    long_double: int | None = None
    real: Kind | None = None
    regparm, vectors = 0, 16
    for option in options:
        match option:
            case "-fshort-enums" | "-fno-short-enums":
                short_enums = option == "-fshort-enums"
            case "-mms-bitfields" | "-mno-ms-bitfields":
                ms_bitfields = option == "-mms-bitfields"
            case "-malign-double" | "-mno-align-double":
                align_double = option == "-malign-double"
            case "-fpack-struct":
                pack, packed = (None, True) if family == "gcc" else (1, False)
            case "-fno-pack-struct":
                pack, packed = None, False
            case str() if option.startswith("-fpack-struct="):
                pack = pack_value(option)
            case str() if option in LONG_DOUBLE:
                long_double = LONG_DOUBLE[option]
            case str() if option.startswith("-mregparm="):
                regparm = regparm_value(option)
            case "-mavx" | "-mavx2":
                vectors = max(vectors, VECTORS[option])
            case "-mno-avx512f":
                vectors = min(vectors, VECTORS[option])
            case str() if option in REAL:
                real = REAL[option]
            case str() if option in VECTORS:
                vectors = VECTORS[option]
            case _:
                pass
    return LayoutOptions(
        short_enums, pack, packed, ms_bitfields, align_double, long_double, real, regparm, vectors
    )


def regparm_value(option: str) -> int:
    """The number of `-mregparm=n`."""
    value = option.partition("=")[2]
    if value not in REGPARMS:
        raise Problem(f"{option}: there are three such registers", f"one of {', '.join(REGPARMS)}")
    return int(value)


def pack_value(option: str) -> int:
    """The number of `-fpack-struct=n`."""
    value = option.partition("=")[2]
    if value not in PACKS:
        raise Problem(f"{option}: no compiler takes this alignment", f"one of {', '.join(PACKS)}")
    return PACKS[value]
