"""How NVIDIA's front ends lay out records where GNU C's extensions meet: nvcc, and NVRTC of the same release otherwise.

The host compiler of the same translation unit follows gcc, so such records differ between host and device.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import msgspec

from abiprobe.oracles.engine.records import Shape, round_up
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.lang import Member, Record
from abiprobe.oracles.ptx.guide.sheet import cite, implements

ALIGNED_LOWERS = cite("dialect.aligned-lowers")
LARGEST_PACK = 16


@dataclass(eq=False)
class NvidiaTable(TypeTable):
    """The layouts of nvcc, or where `runtime` is set of NVRTC."""

    runtime: bool = False

    def _lay_out(self, record: Record) -> Shape:
        shape = super()._lay_out(self.rewritten(record))
        if self.runtime and record.align is not None and record.align < shape.align:
            end = max((field.bit_offset + field.bit_width for field in shape.fields), default=0)
            size = round_up(-(-end // 8), record.align)
            return replace(shape, size=size, align=record.align, clause=ALIGNED_LOWERS)
        return shape

    @implements("dialect.zero-width", "dialect.pack-aligned", "dialect.aligned-lowers")
    def rewritten(self, record: Record) -> Record:
        """The record that gcc lays out as NVIDIA's front end does this one."""
        tight = record.packed or record.pack is not None
        members = [member for member in record.members if not (tight and member.width == 0)]
        loose = {index for index, member in enumerate(members) if self.escapes(record, member)}
        pack = record.pack
        if pack is not None and loose:
            # Without the pragma every other member carries its limit itself.
            members = [
                member if index in loose else self.limited(member, pack)
                for index, member in enumerate(members)
            ]
            pack = None
        if self.runtime:
            members = [
                msgspec.structs.replace(member, packed=True) if member.align is not None else member
                for member in members
            ]
        return msgspec.structs.replace(record, members=tuple(members), pack=pack)

    def escapes(self, record: Record, member: Member) -> bool:
        """Whether `#pragma pack` does not limit the alignment of a member."""
        if record.pack is None or member.width is not None:
            return False
        return member.alignas is not None or (member.align is not None and not self.runtime)

    def limited(self, member: Member, pack: int) -> Member:
        """A member under `#pragma pack`, as attributes say it."""
        natural = self.extent(member.type).align
        if member.width is not None or natural <= pack:
            return member
        return msgspec.structs.replace(member, packed=True, align=min(natural, pack))
