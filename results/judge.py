"""Judging: prediction against observation, bit by bit, only where the text defines the bit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from abiprobe.oracles.expect import Expected
from abiprobe.oracles.place import Layout, Passed, Passing, Register, StackSlot
from abiprobe.oracles.question import ProbeKind
from abiprobe.results.record import Difference, Outcome, Verdict, from_differences, unobserved

RECOGNISABLE = 3
"""A value of fewer bytes is not looked for elsewhere: it would be found by chance."""


class Frame(msgspec.Struct, frozen=True):
    """Registers and stack at one moment of a call.

    `slots` gives each register's offset and width in bytes in `block`; `stack` starts `base` bytes above the
    stack pointer at callee entry.
    """

    block: bytes
    slots: Mapping[str, tuple[int, int]]
    stack: bytes
    base: int

    def read(self, expected: Expected) -> int | None:
        """What stands in a predicted place, as a little-endian integer; `None` when it was not recorded."""
        match expected.place:
            case Register(name):
                at, width = self.slots[name]
                return int.from_bytes(self.block[at : at + min(width, expected.width)], "little")
            case StackSlot(offset):
                at = offset - self.base
                end = at + expected.width
                return (
                    int.from_bytes(self.stack[at:end], "little")
                    if at >= 0 and end <= len(self.stack)
                    else None
                )

    def find(self, wanted: bytes) -> str:
        """Where `wanted` stands instead, in words, or an empty string."""
        if len(wanted) < RECOGNISABLE:
            return ""
        for name, (at, width) in self.slots.items():
            inside = self.block[at : at + width].find(wanted)
            if inside >= 0:
                return f"found in {name}" + (f" at byte {inside}" if inside else "")
        at = self.stack.find(wanted)
        return f"found on the stack at {at + self.base}" if at >= 0 else ""


class View(msgspec.Struct, frozen=True):
    """What C must see of a value: its bytes, little-endian, and the bits that count.

    `narrow` is the size in bytes of an integer that was widened to show what stands above it, else 0.
    """

    bits: int
    care: int
    size: int
    narrow: int


class Turn(msgspec.Struct, frozen=True):
    """One set of values, and what each place must hold with them; the result's are `None` for `void`."""

    values: tuple[bytes, ...]
    places: tuple[tuple[Expected, ...], ...]
    views: tuple[View, ...]
    result: bytes | None
    result_places: tuple[Expected, ...]
    result_view: View | None


class CallerSeen(msgspec.Struct, frozen=True):
    """One turn of a compiled caller: the frame it made, what its addresses point to, the result it read.

    `memory` has an entry per parameter, `None` when the address leads nowhere or the parameter is no address.
    """

    frame: Frame
    memory: tuple[bytes | None, ...]
    result: bytes
    result_stored: bool


class CalleeSeen(msgspec.Struct, frozen=True):
    """One turn of a compiled callee: the parameters it read, the frame it left, the result in memory.

    `result_address` is where that memory is.
    """

    params: tuple[bytes, ...]
    frame: Frame
    result_memory: bytes
    result_address: int


def judge_layout(
    probe: str, predicted: Layout, size: int, align: int, places: Mapping[str, tuple[int, int]]
) -> Verdict:
    """Compare a layout; `places` gives bit offset and width by member path, as far as C can name them."""
    differences = []
    for what, expected, seen in (("sizeof", predicted.size, size), ("_Alignof", predicted.align, align)):
        if expected != seen:
            differences.append(
                Difference("object", what, "bytes", str(expected), str(seen), predicted.clause)
            )
    for member in predicted.members:
        if member.path in places and places[member.path] != (member.bit_offset, member.bit_width):
            offset, width = places[member.path]
            differences.append(
                Difference(
                    "object",
                    member.path,
                    "bits",
                    f"{member.bit_offset}:{member.bit_width}",
                    f"{offset}:{width}",
                    member.clause,
                )
            )
    # A misplaced member tells more than the size that follows from it.
    differences.sort(key=lambda item: item.place == "bytes")
    return from_differences(probe, ProbeKind.LAYOUT, tuple(differences))


def judge_caller(
    probe: str, params: tuple[Passed, ...], turns: tuple[tuple[Turn, CallerSeen], ...]
) -> Verdict:
    """Compare where a compiled caller put its arguments."""
    if not (turns and any(map(carries, params))):
        return unobserved(probe, ProbeKind.CALLER, Outcome.NOTHING)
    found: list[Difference] = []
    for turn, seen in turns:
        for index, passed in enumerate(params):
            if passed.passing is Passing.INDIRECT:
                found += compare_memory(passed, turn.values[index], seen.memory[index])
            else:
                found += compare_places(
                    "caller", passed.name, turn.places[index], turn.values[index], seen.frame
                )
    return from_differences(probe, ProbeKind.CALLER, first_of_each(found))


def carries(passed: Passed) -> bool:
    """Whether a value travels of which at least one bit can be compared."""
    return bool(passed.pieces) and any(passed.mask)


def judge_callee(
    probe: str, params: tuple[Passed, ...], turns: tuple[tuple[Turn, CalleeSeen], ...]
) -> Verdict:
    """Compare what a compiled callee read where the text told the caller to put it."""
    if not (turns and any(map(carries, params))):
        return unobserved(probe, ProbeKind.CALLEE, Outcome.NOTHING)
    found: list[Difference] = []
    for turn, seen in turns:
        for index, passed in enumerate(params):
            found += compare_view("callee", passed, turn.places[index], turn.views[index], seen.params[index])
    return from_differences(probe, ProbeKind.CALLEE, first_of_each(found))


def judge_result(
    probe: str,
    result: Passed,
    callers: tuple[tuple[Turn, CallerSeen], ...],
    callees: tuple[tuple[Turn, CalleeSeen], ...],
) -> Verdict:
    """Compare where a compiled callee leaves its result, and where a compiled caller looks for it."""
    if result.passing is Passing.IGNORED or not any(result.mask) or not (callers or callees):
        return unobserved(probe, ProbeKind.RESULT, Outcome.NOTHING)
    found: list[Difference] = []
    for turn, left in callees:
        if turn.result is not None:
            found += compare_left(result, turn, left)
    for turn, read in callers:
        if turn.result_view is not None:
            found += compare_view("caller", result, turn.result_places, turn.result_view, read.result)
    return from_differences(probe, ProbeKind.RESULT, first_of_each(found))


def compare_left(result: Passed, turn: Turn, seen: CalleeSeen) -> Iterator[Difference]:
    """A result that a callee left: in registers, or in memory with its address returned where the text says so."""
    value = turn.result or b""
    if result.passing is Passing.DIRECT:
        yield from compare_places("callee", "result", turn.result_places, value, seen.frame)
        return
    if differing(seen.result_memory, value, result.mask):
        yield Difference(
            "callee", "result", "memory", value.hex(" "), seen.result_memory.hex(" "), result.clause
        )
    address = seen.result_address.to_bytes(8, "little")
    for piece in result.pieces:
        place = Expected(piece.place, 8, seen.result_address, (1 << 64) - 1, piece.clause, 8, piece.clause, 0)
        yield from compare_places("callee", "address of the result", (place,), address, seen.frame)


def compare_places(
    side: str, what: str, places: tuple[Expected, ...], value: bytes, frame: Frame
) -> Iterator[Difference]:
    """Compare each place of a value with what stands there."""
    for place in places:
        seen = frame.read(place)
        wrong = place.care if seen is None else (seen ^ place.bits) & place.care
        if wrong:
            only_above = not wrong & ((1 << place.value_bytes * 8) - 1)
            own = value[place.start : place.start + place.value_bytes]
            yield Difference(
                side,
                what or "result",
                place_name(place),
                spelled(place.bits, place.care, place.width),
                "nothing" if seen is None else spelled(seen, place.care, place.width),
                place.extension_clause if only_above else place.clause,
                "only the bits above the value" if only_above else frame.find(own),
                above=only_above,
            )


def compare_memory(passed: Passed, value: bytes, memory: bytes | None) -> Iterator[Difference]:
    """Compare what the address of an indirect argument leads to."""
    place = f"memory at {', '.join(str_place(piece.place) for piece in passed.pieces)}"
    if memory is None:
        yield Difference(
            "caller", passed.name, place, value.hex(" "), "no address of the caller's", passed.clause
        )
    elif differing(memory, value, passed.mask):
        yield Difference("caller", passed.name, place, value.hex(" "), memory.hex(" "), passed.clause)


def compare_view(
    side: str, passed: Passed, places: tuple[Expected, ...], view: View, data: bytes
) -> Iterator[Difference]:
    """Compare a value as compiled C saw it with the value it was given."""
    seen = int.from_bytes(data, "little")
    wrong = (seen ^ view.bits) & view.care
    if not wrong:
        return
    low = ((wrong & -wrong).bit_length() - 1) // 8
    above = bool(view.narrow) and not wrong & ((1 << view.narrow * 8) - 1)
    clause = passed.clause
    for place in places:
        if place.start <= low:
            clause = place.extension_clause if above else place.clause
    yield Difference(
        side,
        passed.name or "result",
        ", ".join(str_place(piece.place) for piece in passed.pieces) or "memory",
        spelled(view.bits, view.care, view.size),
        spelled(seen, view.care, view.size),
        clause,
        "it relies on the bits above the value" if above else "",
        above=above,
    )


def differing(seen: bytes, value: bytes, mask: bytes) -> bool:
    """Whether a bit that counts differs."""
    wrong = int.from_bytes(seen, "little") ^ int.from_bytes(value, "little")
    return bool(wrong & int.from_bytes(mask, "little"))


def first_of_each(found: list[Difference]) -> tuple[Difference, ...]:
    """One difference per side, value and place: the other turn says the same again."""
    kept: dict[tuple[str, str, str], Difference] = {}
    for difference in found:
        kept.setdefault((difference.side, difference.what, difference.place), difference)
    return tuple(kept.values())


def place_name(place: Expected) -> str:
    """A place in words."""
    return str_place(place.place)


def str_place(place: Register | StackSlot) -> str:
    """`a0`, or `stack+8`."""
    return place.name if isinstance(place, Register) else f"stack+{place.offset}"


def spelled(bits: int, care: int, width: int) -> str:
    """Bytes in memory order in hexadecimal; a byte of which nothing counts is `..`."""
    values, cared = bits.to_bytes(max(width, 1) + 8, "little"), care.to_bytes(max(width, 1) + 8, "little")
    return " ".join(f"{values[i]:02x}" if cared[i] else ".." for i in range(width))
