"""The questions about layouts: which members to ask for, and what the constants in the object file say."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress

import msgspec

from abiprobe.harness.machines.languages.printer import Printer
from abiprobe.harness.machines.render.layouts import WORD, bits_symbol, layouts_unit
from abiprobe.oracles.engine.alignments import member_alignments
from abiprobe.oracles.engine.constants import initialised
from abiprobe.oracles.engine.dwarf import described
from abiprobe.oracles.engine.silence import AbsentError, SilentError
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import Record
from abiprobe.oracles.language.question import ProbeKind
from abiprobe.oracles.text.place import Layout, MemberAlignment, MemberPlace, Unspecified

TOLD = 32
"""Of a large record so many facts at either end are compared."""
ASKED_ELEMENTS = 2
"""Of an array the first and the last element are asked for: C leaves nothing open between them."""


class LayoutPlan(msgspec.Struct, frozen=True):
    """A record with its predicted layout, split into what `offsetof` and what set bits can show.

    `alignments` are those of members and of their types. Where the text is silent, `silence` says so, `readings` are what each family makes of it, and `predicted` is the
    first of them. `told` has what a witness says, by its kind, where a compiler is known to have it say something else.
    """

    probe: str
    record: Record
    predicted: Layout
    offsets: tuple[MemberPlace, ...]
    bit_fields: tuple[MemberPlace, ...]
    alignments: tuple[MemberAlignment, ...] = ()
    silence: Unspecified | None = None
    readings: Mapping[str, Layout] = {}
    told: Mapping[ProbeKind, Layout] = {}

    def said_by(self, kind: ProbeKind) -> Layout:
        """The layout that a witness tells."""
        return self.told.get(kind, self.predicted)

    @property
    def preferred(self) -> tuple[MemberPlace, ...]:
        """The members of whose types the preferred alignment is asked: no text tells it, so only where none tells the rest."""
        return self.offsets if self.silence is not None else ()

    @property
    def constant_bytes(self) -> int:
        """Bytes of the constants that show bit-fields: each is as large as the record."""
        return len(self.bit_fields) * self.predicted.size

    @property
    def more(self) -> int:
        """The number of constants that only C can give."""
        return len(self.preferred) + len(self.alignments)


class ObservedLayout(msgspec.Struct, frozen=True):
    """The layout in an object file: size and alignment in bytes, bit offset and width by member path.

    `preferred` are the preferred alignments of the types of members, in bytes by path, and `alignments` those of members
    and of their types, by what they are of, as far as they were asked and told.
    """

    size: int
    align: int
    places: dict[str, tuple[int, int]]
    preferred: dict[str, int] = {}
    alignments: dict[str, int] = {}


def plan_layout(types: TypeTable, probe: str, record: Record) -> LayoutPlan:
    """Prepare a record; raises what the model's type table raises."""
    extent = types.extent(record)
    members = tuple(types.leaves(record, whole=ASKED_ELEMENTS))
    layout = Layout(extent.size, types.alignof(record), members, extent.clause)
    shown = {
        ProbeKind.LAYOUT: initialised(types, record, layout, ASKED_ELEMENTS),
        ProbeKind.DEBUG_INFO: described(types, record, layout, ASKED_ELEMENTS),
    }
    return LayoutPlan(
        probe,
        record,
        layout,
        tuple(member for member in members if not member.bit_field),
        tuple(member for member in members if member.bit_field),
        listed(tuple(member_alignments(types, record))),
        told={kind: one for kind, one in shown.items() if one != layout},
    )


def listed(alignments: tuple[MemberAlignment, ...]) -> tuple[MemberAlignment, ...]:
    """Return the alignments to ask for: of a large record some at either end."""
    return alignments if len(alignments) <= 2 * TOLD else (*alignments[:TOLD], *alignments[-TOLD:])


def plan_readings(
    readings: Mapping[str, TypeTable], probe: str, record: Record, silence: Unspecified
) -> LayoutPlan | None:
    """Prepare a record on which the text is silent, `None` if no family has an answer either."""
    plans: dict[str, LayoutPlan] = {}
    for name, types in readings.items():
        with suppress(SilentError, AbsentError):
            plans[name] = plan_layout(types, probe, record)
    if not plans:
        return None
    layouts = {name: plan.said_by(ProbeKind.LAYOUT) for name, plan in plans.items()}
    return msgspec.structs.replace(next(iter(plans.values())), silence=silence, readings=layouts)


def layouts_text(plans: Sequence[LayoutPlan], printer: Printer | None = None) -> str:
    """The translation unit of a batch of layouts, in C or in the language of a printer."""
    if printer is not None:
        return printer.layouts_unit([(plan.record, plan.offsets, plan.more) for plan in plans])
    return layouts_unit(
        [(plan.record, plan.offsets, plan.bit_fields) for plan in plans],
        [plan.preferred for plan in plans],
        [plan.alignments for plan in plans],
    )


def read_layouts(
    plans: Sequence[LayoutPlan], symbols: Mapping[str, bytes], *, big_endian: bool = False
) -> Iterator[ObservedLayout]:
    """Yield the layout of each of `plans` by the constants of an object file; raises `KeyError` if one is missing.

    A big-endian machine has the first bit-field in the most significant bits, so bits are counted from there.
    """
    data = symbols["abi_layout"]
    wanted = WORD * sum(2 + len(plan.offsets) + plan.more for plan in plans)
    # Some formats do not tell where a symbol ends; then its section's rest comes along.
    if len(data) < wanted:
        raise ValueError(f"abi_layout has {len(data)} bytes")
    words = (word for (word,) in struct.iter_unpack(">Q" if big_endian else "<Q", data[:wanted]))
    for index, plan in enumerate(plans):
        size, align = next(words), next(words)
        places = {member.path: (next(words) * 8, member.bit_width) for member in plan.offsets}
        preferred = {member.path: next(words) for member in plan.preferred}
        alignments = {asked.what: next(words) for asked in plan.alignments}
        for number, member in enumerate(plan.bit_fields):
            places[member.path] = bits_set(
                symbols.get(bits_symbol(index, number), b""), big_endian=big_endian
            )
        yield ObservedLayout(size, align, places, nonzero(preferred), nonzero(alignments))


def nonzero(alignments: Mapping[str, int]) -> dict[str, int]:
    """Return the alignments that are not 0."""
    return {what: align for what, align in alignments.items() if align}


def bits_set(data: bytes, *, big_endian: bool = False) -> tuple[int, int]:
    """Offset and number of the bits set in an object, `(-1, n)` when they do not stand together.

    The first bit is the least significant one of the first byte; with `big_endian` the most significant one.
    """
    bits = int.from_bytes(data, "big" if big_endian else "little")
    lowest = (bits & -bits).bit_length() - 1
    count = bits.bit_count()
    if bits >> max(lowest, 0) != (1 << count) - 1:
        return -1, count
    return (8 * len(data) - bits.bit_length() if big_endian and bits else lowest), count
