"""The effect of a type that is written otherwise: none if its values have the same representation."""

from __future__ import annotations

import re
from functools import cache

from abiprobe.oracles.language.lang import Kind, Scalar
from abiprobe.oracles.model import AbiModel
from abiprobe.oracles.registry import find_model
from abiprobe.oracles.text.place import Layout
from abiprobe.results.history.baseline.change import Effect

INTEGERS = tuple(kind for kind in Kind if kind.is_integer and kind is not Kind.BOOL)
QUALIFIERS = re.compile(r"\b(?:const|volatile|restrict)\b")
NAMES = re.compile(
    # Not the tag of a record or enumeration, and the longest name first.
    r"(?<!struct )(?<!union )(?<!enum )\b(?:"
    + "|".join(sorted((kind.value for kind in (*INTEGERS, Kind.LDOUBLE)), key=len, reverse=True))
    + r")\b"
)


def effect_of_type(target: str, before: str, after: str) -> Effect | None:
    """Return the effect of replacing one type, as text, by another; `None` if the texts are the same.

    Qualifiers promise something of what is done with an object, and types with the same representation are mistaken for each
    other without harm: a source is told, a program is not.
    """
    if before == after:
        return None
    same = represented(target, before) == represented(target, after)
    return Effect.API if same else Effect.MEANING


@cache
def represented(target: str, text: str) -> str:
    """A type by the representation of the arithmetic types in it, without qualifiers."""
    model = find_model(target)
    bare = NAMES.sub(lambda name: representation(model, name[0]), QUALIFIERS.sub("", text))
    return re.sub(r" *([*()\[\],]) *", r"\1", re.sub(r" +", " ", bare)).strip()


def representation(model: AbiModel, name: str) -> str:
    """An arithmetic type by its bits: `unsigned 32 bits`; the type itself where nothing is known."""
    kind = Kind(name)
    answer = model.layout(Scalar(kind))
    if not isinstance(answer, Layout):
        return name
    if kind is Kind.LDOUBLE:
        # With no more bytes than a double it is one.
        double = model.layout(Scalar(Kind.DOUBLE))
        return Kind.DOUBLE.value if isinstance(double, Layout) and double.size == answer.size else name
    signed = model.types.data.is_signed(kind)
    return f"{'signed' if signed else 'unsigned'} {8 * answer.size} bits"
