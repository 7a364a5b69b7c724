"""Record layout in NVIDIA's front ends: CUDA C++, in which an empty class has a byte and is placed as a member.

The host compiler of the same translation unit follows gcc, so such records differ between host and device.
"""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from abiprobe.oracles.abis.ptx.nvcc_members import Placing
from abiprobe.oracles.abis.ptx.nvcc_storage import has_mismatched_storage
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.engine.records import Rules, Shape, lay_out, round_up
from abiprobe.oracles.engine.silence import SilentError
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import Enum, Record, Type, spelling, strip
from abiprobe.oracles.text.clause import citing
from abiprobe.oracles.text.place import Layout

cite, implements = citing("abiprobe.oracles.abis.ptx.guide")
ALIGNED_LOWERS = cite("dialect.aligned-lowers")
EMPTY = cite("dialect.empty")
MISMATCHED = cite("dialect.torn")


@dataclass(eq=False)
class NvidiaTable(TypeTable):
    """The layouts of nvcc, or where `runtime` is set of NVRTC."""

    runtime: bool = False

    def _lay_out(self, record: Record) -> Shape:
        extents = tuple(self.extent(member.type) for member in record.members)
        pack = record.pack if record.pack is not None else self.options.pack
        rules = Rules(
            self.text,
            Reading.CLANG,
            record.union,
            pack,
            None,
            self._integers,
            8,
            packs_ms_units=True,
            microsoft=False,
        )
        placing = Placing(record, self.runtime, idle_zero_width=self.policies.idle_zero_width)
        shape = lay_out(record, extents, rules, (placing.ordinary, placing.zero_width, placing.bit_field))
        return self.lowered(record, inhabited(record, shape) if self.policies.empty_classes else shape)

    @implements("dialect.torn")
    def layout(self, c_type: Type) -> Layout:
        """The layout; raises `SilentError` for a record that is stored otherwise than its `sizeof` and `offsetof` say."""
        if isinstance(strip(c_type), Record) and has_mismatched_storage(self, c_type):
            raise SilentError(
                MISMATCHED, f"{spelling(c_type)} is stored elsewhere than sizeof and offsetof say"
            )
        return super().layout(c_type)

    @implements("dialect.aligned-lowers")
    def lowered(self, record: Record, shape: Shape) -> Shape:
        """NVRTC: `aligned` on a record lowers its alignment too."""
        if not self.runtime or record.align is None or record.align >= shape.align:
            return shape
        end = max((field.bit_offset + field.bit_width for field in shape.fields), default=0)
        size = round_up(-(-end // 8), record.align)
        return msgspec.structs.replace(shape, size=size, align=record.align, clause=ALIGNED_LOWERS)

    @implements("dialect.packed-enum")
    def is_signed(self, c_type: Type) -> bool:
        """A packed enumeration is signed if its values fit the signed type of its size."""
        if isinstance(c_type, Enum) and self._is_short(c_type):
            highest = max((item.value for item in c_type.enumerators), default=0)
            return highest < 1 << self.extent(c_type).size * 8 - 1
        return super().is_signed(c_type)


@implements("dialect.empty")
def inhabited(record: Record, shape: Shape) -> Shape:
    """A class without bytes has some where it has no members, unnamed bit-fields aside, or a zero-width one beside them."""
    members = any(member.name or member.width is None for member in record.members)
    if shape.size or (members and all(member.width != 0 for member in record.members)):
        return shape
    return msgspec.structs.replace(shape, size=shape.align, clause=EMPTY)
