"""Compare a value with the contents of its predicted places, on the bits that the text defines."""

from __future__ import annotations

from collections.abc import Iterator

from abiprobe.oracles.expect import Expected
from abiprobe.oracles.place import Passed, Passing, Register, StackSlot
from abiprobe.results.observations import Frame, ObservedCallee, Turn, View
from abiprobe.results.record import Difference


def compare_left(result: Passed, turn: Turn, seen: ObservedCallee) -> Iterator[Difference]:
    """A result that a callee left: in registers, or in memory with its address returned where the text says so."""
    value = turn.result or b""
    if result.passing is Passing.DIRECT:
        yield from compare_places("callee", "result", turn.result_places, value, seen.frame)
        return
    if differing(seen.result_memory, value, result.mask):
        yield Difference(
            "callee", "result", "memory", value.hex(" "), seen.result_memory.hex(" "), result.clause
        )
    address, size = seen.result_address, len(seen.result_address)
    for piece in result.pieces:
        bits, care = int.from_bytes(address, "little"), (1 << size * 8) - 1
        place = Expected(piece.place, size, bits, care, piece.clause, size, piece.clause, 0)
        yield from compare_places("callee", "address of the result", (place,), address, seen.frame)


def compare_places(
    side: str, what: str, places: tuple[Expected, ...], value: bytes, frame: Frame
) -> Iterator[Difference]:
    """Compare each place of a value with what stands there."""
    for place in places:
        seen = frame.read(place)
        wrong = place.care if seen is None else (seen ^ place.bits) & place.care
        if wrong:
            only_above = not wrong & place.value_bits
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
    above = bool(view.own) and not wrong & view.own
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
    """One difference per side, value and place: the other turn says the same again.

    A value that is wrong in one turn is misplaced, even if by chance only the bits above it were wrong in another.
    """
    kept: dict[tuple[str, str, str], Difference] = {}
    for difference in found:
        key = (difference.side, difference.what, difference.place)
        if key not in kept or (kept[key].above and not difference.above):
            kept[key] = difference
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
