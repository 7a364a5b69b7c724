"""Two lowerings of one prototype compared: what differs in the result, in arguments, in the convention, and by which attributes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

import msgspec

from abiprobe.harness.lowerings.across import comparable
from abiprobe.harness.lowerings.ir_text import IrLine, signature
from abiprobe.harness.lowerings.lowering import Lowered
from abiprobe.harness.lowerings.signature import COPIES, Attribute, IrSignature, Role, Slot
from abiprobe.harness.lowerings.unit import CALLED, DEFINED
from abiprobe.harness.lowerings.webassembly import as_passed, is_webassembly

NOTHING = "nothing"
RESULT, ARGUMENT, CONVENTION, VARIADIC = "result", "argument", "calling convention", "variable arguments"
FORMS = (
    (r"void", "void"),
    (r"i\d+", "integer"),
    (r"ptr.*", "pointer"),
    (r"half|bfloat|float|double|x86_fp80|fp128|ppc_fp128", "real"),
    (r"<(?:vscale|\d+) .*", "vector"),
    (r"\[.*", "array"),
    (r"<?\{.*", "struct"),
)
"""Names of kinds of types."""


class Difference(msgspec.Struct, frozen=True, order=True):
    """One way in which two lowerings differ, without what is peculiar to a prototype.

    `where` is the result, an argument, the calling convention or `...`; `left` and `right` are what the lowerings have
    there: the kind of type with the attributes that only this one has. It is one of the `abi` unless only optimization
    attributes differ, or all is passed alike and only spelled otherwise.
    """

    where: str
    left: str
    right: str
    abi: bool

    def __str__(self) -> str:
        return f"{self.where}: {self.left} | {self.right}"


def differences(left: Lowered, right: Lowered) -> tuple[Difference, ...]:
    """Return the differences between two lowerings of a prototype, each once; between two languages only those in passing.

    Raises `UnreadableError` for IR that cannot be read.
    """
    if left.lines == right.lines and left.module == right.module:
        return ()
    found: dict[Difference, None] = {}
    for role in Role:
        one, other = signature_of(left, role), signature_of(right, role)
        if left.language != right.language:
            found.update(dict.fromkeys(of_languages((one, left.module.layout), (other, right.module.layout))))
        elif one != other:
            found.update(dict.fromkeys(between(one, other)))
    return tuple(sorted(found))


def of_languages(left: tuple[IrSignature, str], right: tuple[IrSignature, str]) -> Iterator[Difference]:
    """Yield the differences between the signatures of two languages, each with its data layout, or in spelling alone."""
    one, other = comparable(*left), comparable(*right)
    if not is_webassembly(left[1]):
        yield from between(one, other) if one != other else ()
        return
    passed = comparable(as_passed(left[0]), left[1]), comparable(as_passed(right[0]), right[1])
    if passed[0] != passed[1]:
        yield from between(*passed)
    elif one != other:
        yield from (msgspec.structs.replace(each, abi=False) for each in between(one, other))


def signature_of(lowered: Lowered, role: Role) -> IrSignature:
    """One of the signatures of a lowered prototype."""
    name = DEFINED if role is Role.DEFINITION else CALLED
    return signature(IrLine(role, name, lowered.lines[role]), lowered.module)


def between(left: IrSignature, right: IrSignature) -> Iterator[Difference]:
    """Yield the differences between two signatures."""
    if left.convention != right.convention:
        yield Difference(CONVENTION, left.convention or "default", right.convention or "default", abi=True)
    if left.variadic != right.variadic:
        one, other = ("..." if each.variadic else NOTHING for each in (left, right))
        yield Difference(VARIADIC, one, other, abi=True)
    (result, before), (instead, after) = result_and_arguments(left), result_and_arguments(right)
    yield from of_slots(RESULT, result, instead)
    for old, new in paired(before, after):
        yield from of_slots(ARGUMENT, old, new)


def result_and_arguments(whole: IrSignature) -> tuple[Slot, tuple[Slot, ...]]:
    """The result, which may be where an argument points, and the arguments that C has."""
    hidden = [each for each in whole.arguments if each.has("sret")]
    if not hidden or whole.result.type != "void":
        return whole.result, whole.arguments
    return hidden[0], tuple(each for each in whole.arguments if each is not hidden[0])


def paired(before: Sequence[Slot], after: Sequence[Slot]) -> Iterator[tuple[Slot | None, Slot | None]]:
    """The arguments that stand for each other and are not equal; of a stretch with more on one side, the first ones.

    As many on both sides stand for each other one by one.
    """
    if len(before) == len(after):
        yield from ((old, new) for old, new in zip(before, after, strict=True) if old != new)
        return
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    for tag, start, end, begin, until in matcher.get_opcodes():
        if tag == "equal":
            continue
        if end - start == until - begin:
            yield from zip(before[start:end], after[begin:until], strict=True)
        else:
            yield before[start] if end > start else None, after[begin] if until > begin else None


def of_slots(where: str, left: Slot | None, right: Slot | None) -> Iterator[Difference]:
    """Yield the difference in how a value is passed, or else in the promises about it."""
    one, other = (NOTHING if each is None else form(each) for each in (left, right))
    if left is None or right is None or one != other:
        yield Difference(where, one, other, abi=True)
    elif left.type != right.type:
        scalar = one in {"integer", "real", "pointer"}
        yield Difference(where, *((left.type, right.type) if scalar else (one, f"another {one}")), abi=True)
    elif left.abi != right.abi:
        yield Difference(where, *by_attributes(one, left.abi, right.abi), abi=True)
    elif left.optimization != right.optimization:
        yield Difference(where, *by_attributes(one, left.optimization, right.optimization), abi=False)


def by_attributes(kind: str, left: frozenset[Attribute], right: frozenset[Attribute]) -> tuple[str, str]:
    """Return the names of two slots of one kind by their attributes: those that only one has, or has with another argument."""
    before, after = ({each.name for each in one - other} for one, other in ((left, right), (right, left)))
    both = before & after
    one = (kind, *sorted(before))
    other = (kind, *sorted(after - both), *(f"another {name}" for name in sorted(both)))
    return " ".join(one), " ".join(other)


def form(slot: Slot) -> str:
    """The kind of a result or argument: that of its type, or in which way a pointer stands for it."""
    for way in ("sret", *sorted(COPIES)):
        if slot.has(way):
            return way
    return next((name for pattern, name in FORMS if re.fullmatch(pattern, slot.type)), slot.type)
