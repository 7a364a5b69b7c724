"""Sizes and alignments of a target's types as far as reading C needs them, asked of its model."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from abiprobe.oracles.language.lang import Kind, Pointer, Scalar, Type
from abiprobe.oracles.model import AbiModel
from abiprobe.oracles.text.place import Layout

_SIGNED = (Kind.SCHAR, Kind.SHORT, Kind.INT, Kind.LONG, Kind.LLONG)
_UNSIGNED = (Kind.UCHAR, Kind.USHORT, Kind.UINT, Kind.ULONG, Kind.ULLONG)
_EXACT: Mapping[str, tuple[tuple[Kind, ...], int]] = MappingProxyType(
    {
        f"{sign}int{8 * size}_t": (kinds, size)
        for sign, kinds in (("", _SIGNED), ("u", _UNSIGNED))
        for size in (1, 2, 4, 8)
    }
)
"""The types of an exact width, with the types that they may be and their size in bytes."""
_OF_ADDRESSES = MappingProxyType(
    {"ptrdiff_t": _SIGNED, "intptr_t": _SIGNED, "size_t": _UNSIGNED, "uintptr_t": _UNSIGNED}
)
"""The integers as large as an address, with the types that they may be."""
HEADERS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "stdint.h": (*_EXACT, "intptr_t", "uintptr_t"),
        "stddef.h": ("ptrdiff_t", "size_t"),
        "stdbool.h": (),
    }
)
"""The headers that may be included, with the names of types that they declare."""


class Sizes:
    """The sizes and alignments, in bytes, that a model gives to types."""

    def __init__(self, model: AbiModel) -> None:
        self._model = model
        self._known: dict[Type, Layout | None] = {}

    def size(self, c_type: Type) -> int | None:
        """Return the size of a type in bytes; `None` where the model gives none."""
        found = self._layout(c_type)
        return None if found is None else found.size

    def align(self, c_type: Type) -> int | None:
        """Return the alignment of a type in bytes; `None` where the model gives none."""
        found = self._layout(c_type)
        return None if found is None else found.align

    def named(self, name: str) -> Kind | None:
        """Return the integer that a header of C declares by a name; `None` where it has none of that size."""
        kinds, size = _EXACT.get(name) or (_OF_ADDRESSES[name], self.size(Pointer("void")))
        return next((kind for kind in kinds if self.size(Scalar(kind)) == size), None)

    def _layout(self, c_type: Type) -> Layout | None:
        if c_type not in self._known:
            answer = self._model.layout(c_type)
            self._known[c_type] = answer if isinstance(answer, Layout) else None
        return self._known[c_type]
