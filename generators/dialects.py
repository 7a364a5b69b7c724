"""Dialects: which rare features one question may use, either none or a few that interact.

A bug that needs two extensions shows only where both are drawn, and a question with all of them is refused by most
compilers; so a question is drawn from a dialect, and the dialects are listed here, simplest first.
"""

from __future__ import annotations

from typing import TypeAlias

from abiprobe.generators.scope import COMMON, FEATURES

Dialect: TypeAlias = frozenset[str]


def _dialects(plain: int, *others: tuple[int, str]) -> tuple[Dialect, ...]:
    """As many plain dialects as `plain`, then each of `others` as often as its number says."""
    listed = [
        frozenset(name.strip() for name in names.split(",")) for times, names in others for _ in range(times)
    ]
    return (frozenset(),) * plain + tuple(listed)


RECORDS = (
    *_dialects(
        38,
        (1, "complex integer"),
        (2, "packed"),
        (2, "aligned"),
        (3, "pragma pack"),
        (1, "alignas"),
        (3, "typedef aligned"),
        (1, "packed enum"),
        (2, "ms_struct, gcc_struct"),
        (2, "_BitInt"),
        (2, "_BitInt, _BitInt bit-field"),
        (1, "_BitInt, _BitInt bit-field, wide _BitInt, packed"),
        (1, "__int128 bit-field"),
        (2, "vector"),
        (1, "vector, long double vector"),
        (1, "_Float16"),
        (1, "__bf16"),
        (1, "_Float128"),
        (1, "_Atomic"),
        (3, "_Atomic, _Atomic record"),
        (1, "flexible array"),
        (2, "packed, aligned"),
        (2, "packed, pragma pack"),
        (2, "packed, aligned, attribute position"),
        (1, "aligned, alignas"),
        (1, "aligned, attribute position, alignas, pragma pack"),
        (1, "typedef aligned, packed"),
        (1, "typedef aligned, pragma pack, aligned"),
        (1, "packed enum, packed, pragma pack"),
        (1, "ms_struct, ms_struct long double"),
        (2, "ms_struct, ms_struct long double, packed, aligned"),
        (2, "ms_struct, pragma pack, typedef aligned"),
        (1, "packed, __int128 bit-field, pragma pack"),
        (1, "_Atomic, packed, pragma pack"),
        (1, "flexible array, packed, aligned"),
        (1, "vector, packed, aligned"),
    ),
    FEATURES - COMMON,
)
"""For questions about layout."""

PROTOTYPES = _dialects(
    65,
    (1, "complex integer"),
    (2, "packed"),
    (2, "aligned"),
    (2, "pragma pack"),
    (1, "alignas"),
    (3, "typedef aligned"),
    (1, "packed enum"),
    (2, "_BitInt"),
    (1, "_BitInt, wide _BitInt"),
    (3, "vector"),
    (2, "_Float16"),
    (1, "__bf16"),
    (1, "_Float128"),
    (1, "_Atomic"),
    (4, "flexible array"),
    (1, "ms_struct"),
    (4, "scalable vector"),
    (1, "_BitInt, _BitInt bit-field"),
    (1, "regparm"),
    (1, "stdcall, thiscall"),
    (1, "fastcall, vectorcall, regcall, preserve_most, preserve_all"),
)
"""For questions about calls; the last ones are for i386 above all, and for x86-64 and AArch64 some of the conventions."""
