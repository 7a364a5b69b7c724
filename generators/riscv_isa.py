"""Random pairs of an ISA string and a named ABI: well-formed ones, and ones broken in exactly one way."""

from __future__ import annotations

from typing import NamedTuple

from abiprobe.generators.draw import Draw
from abiprobe.oracles.abis.riscv.isa.abi import ABIS
from abiprobe.oracles.abis.riscv.isa.extensions import EXTENSIONS

LETTERS = tuple(name for name in EXTENSIONS if len(name) == 1)
LONG = tuple(name for name in EXTENSIONS if len(name) > 1)
COMMON = ("zicsr", "zifencei", "zba", "zbb", "zbs", "zfh", "zfinx", "zca", "zmmul", "zicond", "zkn", "zve32x")
"""Long names that every second draw is among, so that tools of some age are asked things they know."""
UNKNOWN = ("zto", "zfoo", "sbar", "svnone", "zzz", "zicsrzifencei")
STRAY = ("k", "l", "n", "t", "w", "y")
LONG_AT_MOST = 4
RARE = 8
"""One draw in so many has an explicit version, capitals, or a reordering."""


class Pair(NamedTuple):
    """An ISA string and the name of an ABI; `broken` names the one thing that was broken on purpose."""

    march: str
    abi: str
    broken: str = ""


def pair(draw: Draw) -> Pair:
    """A pair; about every third is broken."""
    abi = draw.pick(tuple(ABIS))
    base = draw.pick(("i", "i", "g", "e"))
    letters = [name for name in LETTERS if draw.below(3) == 2 and not (base == "g" and name in "mafd")]
    longs = [draw.pick(draw.pick((COMMON, LONG))) for _ in range(draw.below(LONG_AT_MOST))]
    named = [versioned(draw, name) for name in (*letters, *dict.fromkeys(longs))]
    if draw.below(RARE) == RARE - 1:
        named = rotated(draw, named)
    head = f"rv{draw.pick(('64', '32'))}{versioned(draw, base) if base != 'g' else base}"
    if draw.below(3) == 2:
        way = draw.pick(tuple(BREAKS))
        return Pair(BREAKS[way](draw, head, named), abi, way)
    text = joined(head, named)
    return Pair(text.upper() if draw.below(RARE) == RARE - 1 else text, abi)


def versioned(draw: Draw, name: str) -> str:
    """`name`, rarely with its ratified version."""
    if draw.below(RARE) < RARE - 1:
        return name
    known = EXTENSIONS.get(name)
    major, minor = known.version if known else {"i": (2, 1), "e": (2, 0)}[name]
    return f"{name}{major}p{minor}"


def rotated(draw: Draw, named: list[str]) -> list[str]:
    """`named` in another order."""
    at = draw.below(len(named) + 1)
    return named[at:] + named[:at]


def joined(head: str, named: list[str]) -> str:
    """Join the string: letters follow one another, and a long name stands between underscores."""
    text, long_before = head, False
    for name in named:
        is_long = name[0] in "zsx"
        text += f"_{name}" if is_long or long_before else name
        long_before = is_long
    return text


def misspelt(draw: Draw, head: str, named: list[str]) -> str:
    """A name that no extension has."""
    return joined(head, [*named, draw.pick(UNKNOWN)])


def stray_letter(draw: Draw, head: str, named: list[str]) -> str:
    """A letter that no ratified extension has."""
    return joined(head, [draw.pick(STRAY), *named])


def repeated(draw: Draw, head: str, named: list[str]) -> str:
    """An extension named twice."""
    twice = draw.pick(named or ["m"])
    return joined(head, [*(named or ["m"]), twice])


def doubled_underscore(_draw: Draw, head: str, named: list[str]) -> str:
    """An underscore that separates nothing."""
    return joined(head, named).replace("_", "__", 1) if "_" in joined(head, named) else head + "__m"


def trailing_underscore(_draw: Draw, head: str, named: list[str]) -> str:
    """An underscore at the end."""
    return joined(head, named) + "_"


def other_width(draw: Draw, head: str, named: list[str]) -> str:
    """A width that RISC-V does not have."""
    return joined(f"rv{draw.pick(('16', '128', ''))}{head[4:]}", named)


def no_base(_draw: Draw, head: str, named: list[str]) -> str:
    """No base letter."""
    return joined(head[:4], [name for name in named if len(name) > 1] or ["m"])


def dangling_version(draw: Draw, head: str, named: list[str]) -> str:
    """A version that stops behind its p."""
    return joined(head, [*named, draw.pick(("zawrs1p", "zimop2p", "zalasr1p"))])


BREAKS = {
    "misspelt": misspelt,
    "stray letter": stray_letter,
    "repeated": repeated,
    "doubled underscore": doubled_underscore,
    "trailing underscore": trailing_underscore,
    "other width": other_width,
    "no base": no_base,
    "dangling version": dangling_version,
}
