"""The golden rows of C++ classes: the class that a row asks about, and a layout in the notation of the table."""

from __future__ import annotations

import re

from abiprobe.harness.input import Classes, ReadOptions
from abiprobe.harness.input.declared import declared_in
from abiprobe.oracles.golden import ClassRow
from abiprobe.oracles.language.classes import Class
from abiprobe.oracles.registry import find_target
from abiprobe.oracles.text.class_layout import ClassLayout

CXX = ReadOptions(strict=False, classes=Classes.ALONE)
HEADS = re.compile(r"(?:struct|class|union)\s+(?:alignas\([^)]*\)\s*)?(\w+)[^;{]*\{")


def asked(row: ClassRow) -> Class:
    """The last class that a row defines."""
    *_, last = HEADS.findall(row.source)
    return next(
        one for one in declared_in(row.source, find_target(row.target), CXX).classes if one.tag == last
    )


def facts(layout: ClassLayout) -> set[str]:
    """A layout in the notation of the table."""
    direct = [one for one in layout.bases if len(one.path) == 1]
    sizes = (
        f"size {layout.size} align {layout.align} dsize {layout.data_size} nvsize {layout.non_virtual_size}"
        f" nvalign {layout.non_virtual_align}"
    )
    return {
        sizes,
        *(f"{'virtual ' * one.virtual}base {one.path[0]} {one.offset}" for one in direct),
        *(
            f"{one.path} {one.bit_offset}:{one.bit_width}"
            if one.bit_field
            else f"{one.path} {one.bit_offset // 8}"
            for one in layout.members
        ),
    }
