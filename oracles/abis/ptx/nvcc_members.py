"""The placement of members by NVIDIA's front ends: nvcc, and NVRTC of the same release, which differs.

Neither follows gcc where attributes, `#pragma pack` and bit-fields meet.
"""

from __future__ import annotations

from dataclasses import dataclass

from abiprobe.oracles.engine.attributes import ALIGNED, PACKED, PRAGMA_PACK, Extent, Wish
from abiprobe.oracles.engine.records import Cursor, Field, Rules, round_up
from abiprobe.oracles.language.lang import Member, Record
from abiprobe.oracles.text.clause import citing

cite, implements = citing("abiprobe.oracles.abis.ptx.guide")
PACK_ALIGNED = cite("dialect.pack-aligned")
ALIGNED_BITS = cite("dialect.aligned-bits")
PACKED_BITS = cite("dialect.packed-bits")
ZERO_WIDTH = cite("dialect.zero-width")


@dataclass(frozen=True)
class Placing:
    """The places of one record's members; `runtime` says that NVRTC gives them. Alignments are in bytes.

    `idle_zero_width` says that a packed bit-field of no width ends no unit, or one that is no larger than `#pragma pack` allows.
    """

    record: Record
    runtime: bool
    idle_zero_width: bool

    def tight(self, member: Member) -> bool:
        """Return whether `packed` is in force."""
        return self.record.packed or member.packed

    @implements("dialect.pack-aligned", "dialect.aligned-lowers")
    def alignment(self, rules: Rules, member: Member, natural: int) -> tuple[int, str]:
        """The alignment of a member that is no bit-field, and the clause that had the last word."""
        align = 1 if self.tight(member) else natural
        clause = PACKED if align != natural else ""
        escaping = member.alignas or 0
        if self.runtime:
            # [ptx_guide:dialect.aligned-lowers]
            align = member.align or align
        else:
            escaping = max(escaping, member.align or 0)
        if escaping:
            return max(align, escaping), PACK_ALIGNED if rules.pack is not None else ALIGNED
        if rules.pack is not None and rules.pack < align:
            return rules.pack, PRAGMA_PACK
        return align, ALIGNED if member.align else clause

    def ordinary(self, cursor: Cursor, rules: Rules, member: Member, extent: Extent, asked: Wish) -> Field:
        """Put a member that is no bit-field at the lowest offset that suits its alignment."""
        align, clause = self.alignment(rules, member, asked.natural)
        start = 0 if rules.union else round_up(cursor.end, align * 8)
        cursor.advance(start + extent.size * 8)
        cursor.raise_align(align, clause or rules.deciding_clause(extent))
        return Field(
            member,
            start,
            extent.size * 8,
            clause or (rules.text.union if rules.union else rules.text.member),
        )

    @implements("dialect.aligned-bits")
    def unit(self, rules: Rules, member: Member, natural: int) -> int:
        """The alignment of a bit-field's storage unit."""
        if not self.runtime:
            return self.alignment(rules, member, natural)[0]
        align = 1 if self.record.packed else member.align or (1 if member.packed else natural)
        return min(align, rules.pack or align)

    @implements("dialect.zero-width")
    def zero_width(self, cursor: Cursor, rules: Rules, member: Member, _extent: Extent, asked: Wish) -> Field:
        """Close the current storage unit, unless the field is packed by nothing but an attribute."""
        packed = self.tight(member) and rules.pack is None and not member.align
        idle = packed and self.idle_zero_width
        if not rules.union and not idle:
            unit = self.unit(rules, member, asked.natural) if self.idle_zero_width else asked.natural
            cursor.end = round_up(cursor.end, unit * 8)
        return Field(member, 0 if rules.union else cursor.end, 0, ZERO_WIDTH)

    @implements("dialect.packed-bits", "dialect.aligned-bits")
    def bit_field(self, cursor: Cursor, rules: Rules, member: Member, extent: Extent, asked: Wish) -> Field:
        """Put a bit-field at the next bit, at its alignment if it has one of its own, or where its unit holds it."""
        width, unit = member.width or 0, self.unit(rules, member, asked.natural)
        # [ptx_guide:dialect.packed-bits]
        contiguous = self.tight(member) if rules.pack is None else not self.runtime
        start = 0 if rules.union else cursor.end
        leaves = start % (unit * 8) + width > extent.size * 8
        # [ptx_guide:dialect.aligned-bits]
        if member.align or (leaves and not contiguous):
            start = round_up(start, unit * 8)
        clause = self.deciding(rules, member)
        if member.name:
            natural = asked.natural if rules.pack is None else min(asked.natural, rules.pack)
            loose = rules.pack is not None and not self.runtime and not member.align
            cursor.raise_align(natural if loose else unit, clause)
        cursor.advance(start + width)
        return Field(member, start, width, clause)

    def deciding(self, rules: Rules, member: Member) -> str:
        """The clause that says where a bit-field starts."""
        if member.align:
            return ALIGNED_BITS
        if rules.pack is not None:
            return PACKED_BITS if self.runtime else PRAGMA_PACK
        if self.tight(member):
            return PACKED
        return rules.text.bit_field if member.name else rules.text.unnamed_bit_field
