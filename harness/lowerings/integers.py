"""Widths of C's integers where prototypes are lowered, for a language without C's names for them."""

from __future__ import annotations

import dataclasses
import re
from functools import cache
from pathlib import Path

from abiprobe.harness.base import child
from abiprobe.harness.base.removal import temporary
from abiprobe.harness.lowerings.place import Place
from abiprobe.harness.subjects.find import discover
from abiprobe.oracles.engine.data_model import Sized
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.engine.supposed import supposed
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import Kind
from abiprobe.oracles.registry import TARGETS

LIKE = "x86_64-sysv"
"""The target whose other types stand in where there is no model: only the widths of integers are asked for."""
MACRO = re.compile(r"^#define (__SIZEOF_\w+__|__CHAR_UNSIGNED__) (\d+)$", re.MULTILINE)
SIZES = {
    "__SIZEOF_SHORT__": (Kind.SHORT, Kind.USHORT),
    "__SIZEOF_INT__": (Kind.INT, Kind.UINT),
    "__SIZEOF_LONG__": (Kind.LONG, Kind.ULONG),
    "__SIZEOF_LONG_LONG__": (Kind.LLONG, Kind.ULLONG),
}
SECONDS = 20.0


@cache
def types_at(place: Place) -> TypeTable | None:
    """The types of a target, or for a triple those that clang's predefined macros tell; `None` if no clang tells any."""
    if place.target:
        return supposed(place.target.model().types, Reading.GCC)
    defined = macros(place)
    if not all(name in defined for name in SIZES):
        return None
    like = supposed(TARGETS[LIKE].model().types, Reading.GCC)
    kinds = dict(like.data.kinds)
    for name, own in SIZES.items():
        kinds.update(dict.fromkeys(own, Sized(defined[name], defined[name], kinds[own[0]].clause)))
    data = dataclasses.replace(like.data, kinds=kinds, char_signed="__CHAR_UNSIGNED__" not in defined)
    return TypeTable(data, like.text, like.reading, like.options)


def macros(place: Place) -> dict[str, int]:
    """The sizes that clang predefines at a place, by the first clang that knows it."""
    for subject in discover(tuple(TARGETS.values())):
        command = place.command(subject) if subject.family.any_triple else None
        if command is None:
            continue
        with temporary() as folder:
            source = Path(folder, "nothing.c")
            source.touch()
            done = child.run((*command, "-dM", "-E", str(source)), timeout=SECONDS, scratch=Path(folder))
        if done.ok:
            return {name: int(value) for name, value in MACRO.findall(done.stdout.decode("utf-8", "replace"))}
    return {}
