"""Compare a value with the contents of its predicted places, on the bits that the text defines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from abiprobe.oracles.engine.expect import Expected
from abiprobe.oracles.text.place import Files, Located, Passed, Passing, Place
from abiprobe.results.verdicts.addresses import Addresses, address_bits, spelled, told
from abiprobe.results.verdicts.locations import InMemory, InPlaces, Where, of_pieces
from abiprobe.results.verdicts.notes import Found, OnlyAbove, ReliesOnAbove
from abiprobe.results.verdicts.observations import Frame, ObservedCallee, Sighting, Turn, View, found_instead
from abiprobe.results.verdicts.record import Difference
from abiprobe.results.verdicts.values import Address, Bytes, LeadsTo, Value

GIVEN = Address(LeadsTo.GIVEN)


def compare_left(
    result: Passed, turn: Turn, seen: ObservedCallee, sightings: Sequence[Sighting]
) -> Iterator[Difference]:
    """A result that a callee left: in registers, or in memory with its address returned where the text says so.

    `sightings` are the result and the registers of every turn.
    """
    value = turn.result or b""
    if result.passing is Passing.DIRECT:
        yield from compare_places("callee", "result", turn.result_places, value, seen.frame, sightings)
        return
    if differing(seen.result_memory, value, result.mask):
        left = found_instead((one[:WORD], frame) for one, frame in sightings)
        expected, found = both(value, seen.result_memory, result.mask, seen.frame.addresses)
        yield Difference("callee", "result", InMemory(), expected, found, result.clause, left)
    address, size = seen.result_address, len(seen.result_address)
    for piece in result.pieces:
        bits, care = int.from_bytes(address, "little"), (1 << size * 8) - 1
        place = Expected(piece.place, size, bits, care, piece.clause, size, piece.clause, 0)
        for item in compare_places("callee", "address of the result", (place,), address, seen.frame):
            yield replace(item, expected=GIVEN)


WORD = 4
"""So many bytes of a value in memory are looked for in registers: the first that any register has room for."""


def compare_places(
    side: str,
    what: str,
    places: tuple[Expected, ...],
    value: bytes,
    frame: Frame,
    sightings: Sequence[Sighting] = (),
) -> Iterator[Difference]:
    """Compare each place of a value with what stands there; `sightings` are the value and the frame of every turn."""
    for place in places:
        seen = frame.read(place)
        wrong = place.care if seen is None else (seen ^ place.bits) & place.care
        if wrong:
            # A byte of an address that is right is so by chance.
            only_above = not (wrong | frame.address_bits(place)) & place.value_bits
            start, end = defined_bytes(place.care, place.value_bytes)
            own = slice(place.start + start, place.start + end)
            every = [(one[own], frame_then) for one, frame_then in sightings or ((value, frame),)]
            yield Difference(
                side,
                what or "result",
                in_place(place.place, frame.files),
                Bytes(spelled(place.bits, place.care, place.width)),
                frame.told(place),
                place.extension_clause if only_above else place.clause,
                OnlyAbove() if only_above else found_instead(every),
                above=only_above,
            )


def compare_memory(
    passed: Passed,
    value: bytes,
    memory: bytes | None,
    frame: Frame,
    sightings: Iterable[Sighting],
) -> Iterator[Difference]:
    """Compare what the address of an indirect argument leads to; `sightings` are the value and the frame of every turn."""
    if memory is None or differing(memory, value, passed.mask):
        place = InMemory(tuple(Located.of(piece.place, frame.files) for piece in passed.pieces))
        held = found_instead((one[:WORD], frame) for one, frame in sightings)
        expected, seen = both(value, memory or b"", passed.mask, frame.addresses)
        seen = NOWHERE_TO if memory is None else seen
        yield Difference("caller", passed.name, place, expected, seen, passed.clause, held)


NOWHERE_TO = Address(LeadsTo.NOTHING)


def both(value: bytes, seen: bytes, mask: bytes, addresses: Addresses | None) -> tuple[Value, Value]:
    """A value in memory and what was seen instead, as far as they count."""
    care = int.from_bytes(mask, "little")
    return Bytes(spelled(int.from_bytes(value, "little"), care, len(value))), told(addresses, seen, care)


def compare_view(
    side: str,
    passed: Passed,
    places: tuple[Expected, ...],
    view: View,
    data: bytes,
    files: Files,
    sightings: Sequence[Sighting] = (),
    addresses: Addresses | None = None,
) -> Iterator[Difference]:
    """Compare a value as compiled C saw it with the value it was given; `files` are those of the machine's registers.

    `sightings` are what it saw in every turn and the state that was to hold the value; `addresses` tell which words of what
    it saw are addresses.
    """
    seen = int.from_bytes(data, "little")
    wrong = (seen ^ view.bits) & view.care
    if not wrong:
        return
    # A byte of an address that is right is so by chance.
    wrong |= view.care & address_bits(addresses, seen.to_bytes(view.size, "little"))
    low = ((wrong & -wrong).bit_length() - 1) // 8
    above = bool(view.own) and not wrong & view.own
    clause, start, end = passed.clause, 0, WORD
    for place in places:
        if place.start <= low:
            clause = place.extension_clause if above else place.clause
            start, end = place.start, min(place.start + place.value_bytes, len(data))
    first, last = defined_bytes(view.care >> 8 * start, end - start)
    looked = [(one[start + first : start + last], frame) for one, frame in sightings]
    yield Difference(
        side,
        passed.name or "result",
        of_pieces(passed.pieces, files),
        Bytes(spelled(view.bits, view.care, view.size)),
        told(addresses, seen.to_bytes(view.size, "little"), view.care),
        clause,
        ReliesOnAbove() if above else taken(looked),
        above=above,
    )


def defined_bytes(care: int, size: int) -> tuple[int, int]:
    """The longest run of bytes that are defined as a whole, by which a value of `size` bytes is recognised."""
    whole = [care >> 8 * at & 0xFF == 0xFF for at in range(size)]
    ends = [at for at in range(size + 1) if at == size or not whole[at]]
    runs = [(before + 1, end) for before, end in zip([-1, *ends], ends, strict=False)]
    return max(runs, key=lambda run: run[1] - run[0])


def taken(sightings: Sequence[Sighting]) -> Found | None:
    """Return the place from which a program took the value it saw, as far as that is known."""
    return found_instead(sightings) if sightings else None


def differing(seen: bytes, value: bytes, mask: bytes) -> bool:
    """Return whether a bit that counts differs."""
    wrong = int.from_bytes(seen, "little") ^ int.from_bytes(value, "little")
    return bool(wrong & int.from_bytes(mask, "little"))


def first_of_each(found: list[Difference]) -> tuple[Difference, ...]:
    """One difference per side, value and place: the other turn says the same again.

    A value that is wrong in one turn is misplaced, even if by chance only the bits above it were wrong in another.
    """
    kept: dict[tuple[str, str, Where], Difference] = {}
    for difference in found:
        key = (difference.side, difference.what, difference.place)
        if key not in kept or (kept[key].above and not difference.above):
            kept[key] = difference
    return tuple(kept.values())


def in_place(place: Place, files: Files) -> InPlaces:
    """One place of a machine whose registers have these files."""
    return InPlaces((Located.of(place, files),))
