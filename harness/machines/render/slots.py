"""Positions of a value in the runtime's buffers."""

from __future__ import annotations

import msgspec


class Slot(msgspec.Struct, frozen=True):
    """Bytes of a value in both buffers: `offset` and `size`; `narrow` is the own size of a widened integer, else 0."""

    offset: int
    size: int
    narrow: int
