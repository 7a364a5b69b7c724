"""The decoder of machine code: what its instructions do to bytes, and what it refuses."""

from __future__ import annotations

import pytest

from abiprobe.harness.observers.device.sass.arithmetic import extended, funnel, permuted, plus, times, wide
from abiprobe.harness.observers.device.sass.decode import UndecodedError, decode
from abiprobe.harness.observers.device.sass.follow import follow
from abiprobe.harness.observers.device.sass.logic import logic
from abiprobe.harness.observers.device.sass.symbols import (
    UNKNOWN,
    ZERO,
    Address,
    EntryByte,
    Lost,
    Masked,
    Partial,
    Sign,
    Unwritten,
    address,
    constant,
    known,
    pointer,
)

A = tuple(EntryByte(4, byte) for byte in range(4))
B = tuple(EntryByte(5, byte) for byte in range(4))
AND, OR, PASS_C = 0xC0, 0xFC, 0xAA


def instruction(low: int, high: int) -> bytes:
    return low.to_bytes(8, "little") + high.to_bytes(8, "little")


RET = instruction(0x0000000014007950, 0x000FEA0003C00000)
STS_R4_AT_8 = instruction(0x00000804FF007388, 0x000FE80000000800)
LDL_R12_24 = instruction(0x00002400010C7983, 0x000EA20000100800)
STS_64_R10_AT_20 = instruction(0x0000200AFF007388, 0x000FE80000000A00)


def test_a_store_names_the_register_it_stores() -> None:
    state = follow(STS_R4_AT_8 + RET)
    assert [state.shared[8 + byte] for byte in range(4)] == list(A)


def test_a_wide_store_takes_the_next_register_too() -> None:
    state = follow(STS_64_R10_AT_20 + RET)
    assert state.shared[0x24] == EntryByte(11, 0)


def test_stack_arguments_are_named_by_their_offset() -> None:
    state = follow(LDL_R12_24 + RET)
    assert [symbol.offset for symbol in state.registers[12]] == [0x24, 0x25, 0x26, 0x27]  # type: ignore[union-attr]


def test_an_unknown_opcode_is_no_guess() -> None:
    with pytest.raises(UndecodedError, match="opcode 0xfff at 0x0"):
        list(decode(instruction(0xFFF, 0)))
    with pytest.raises(UndecodedError):
        follow(instruction(0x7FFF, 0) + RET)


def test_a_function_without_return_is_not_followed() -> None:
    with pytest.raises(UndecodedError, match="does not return"):
        follow(STS_R4_AT_8)


def test_bytes_are_picked() -> None:
    assert permuted(A, B, 0x7531) == (A[1], A[3], B[1], B[3])
    assert permuted(A, B, 0x8880)[1:] == (Sign(A[0]),) * 3


def test_words_are_shifted_by_whole_bytes() -> None:
    assert funnel(ZERO, A, 8, right=True, upper=True, signed=False) == (A[1], A[2], A[3], 0)
    assert funnel(A, B, 16, right=True, upper=False, signed=False) == (A[2], A[3], B[0], B[1])
    assert funnel(A, ZERO, 8, right=False, upper=False, signed=False) == (0, A[0], A[1], A[2])
    assert set(funnel(A, B, 3, right=True, upper=False, signed=False)) == {None}


def test_words_are_combined_bit_by_bit() -> None:
    assert logic((A, constant(0xFF00FF), ZERO), AND) == (A[0], 0, A[2], 0)
    assert logic((A, constant(1), ZERO), AND)[0] == Masked(A[0], 1)
    assert logic(((A[0], 0, 0, 0), (0, B[0], 0, 0), ZERO), OR) == (A[0], B[0], 0, 0)
    assert logic((A, B, ZERO), AND) == (None, None, None, 0) or logic((A, B, ZERO), AND)[0] is None
    assert logic((ZERO, ZERO, A), PASS_C) == A


def test_sums_and_products_move_what_they_can() -> None:
    assert plus(A, ZERO, ZERO) == A
    assert plus((A[0], 0, 0, 0), (0, B[0], 0, 0)) == (A[0], B[0], 0, 0)
    assert plus(A, B)[0] is None
    assert times(A, constant(1), ZERO) == A
    assert times(A, constant(0x10000), ZERO) == (0, 0, A[0], A[1])
    assert plus(address("entry", 8), constant(-16)) == address("entry", -8)


def test_an_aligned_stack_pointer_is_a_place_of_its_own() -> None:
    found = logic((address("entry", -128), constant(0xFFFFFFE0), ZERO), AND)
    assert isinstance(found[0], Address)
    assert found[0].base != "entry"


def test_signs_are_extended() -> None:
    assert extended(A, 8, signed=True) == (A[0], *(Sign(A[0]),) * 3)
    assert extended(constant(0x80), 8, signed=True) == constant(0xFFFFFF80)
    assert known(extended(constant(0x1234), 8, signed=False)) == 0x34


def test_a_sign_inside_a_byte_leaves_the_bits_below_it() -> None:
    assert extended(A, 11, signed=True) == (A[0], Partial(A[1], 7), None, None)
    assert extended(A, 11, signed=False) == (A[0], Masked(A[1], 7), 0, 0)
    assert extended((*A[:1], None, 0, 0), 11, signed=True)[1] is None
    assert known(extended(constant(0x5C), 3, signed=True)) == 0xFFFFFFFC
    assert known(extended(constant(0x5B), 3, signed=True)) == 3


def test_a_wide_product_moves_bytes_into_the_next_register() -> None:
    nothing = (ZERO, ZERO)
    assert wide(A, constant(1 << 16), nothing, signed=False) == ((0, 0, A[0], A[1]), (A[2], A[3], 0, 0))
    assert wide(A, constant(1), nothing, signed=True) == (A, (Sign(A[3]),) * 4)
    assert wide(A, constant(0), (A, B), signed=False) == (A, B)
    assert wide(A, constant(3), nothing, signed=False) == (UNKNOWN, UNKNOWN)
    low, high = wide(A, constant(1 << 24), ((B[0], 0, 0, B[3]), ZERO), signed=False)
    assert low == (B[0], 0, 0, None)
    assert high == UNKNOWN
    product = instruction(0x7825 | 6 << 16 | 4 << 24 | 0x10000 << 32, 0xFF)
    assert follow(product + RET).registers[7] == (A[2], A[3], 0, 0)


def test_what_nobody_wrote_is_told_from_what_is_unknown() -> None:
    frame = instruction(0x7810 | 1 << 16 | 1 << 24 | 0xFFFFFFE0 << 32, 0xFF)
    load = instruction(0x00000800010C7983, 0x000EA20000100800)
    assert follow(frame + load + RET).registers[12][0] == Unwritten("entry", -24)
    call = instruction(0x7943, 0)
    after = follow(call + RET).registers
    assert after[0][1] == Lost(0, 1)
    assert after[16] == tuple(EntryByte(16, byte) for byte in range(4))


def test_an_aligned_place_takes_the_bits_below_its_alignment() -> None:
    base = logic((address("entry", -200), constant(0xFFFFFFF0), ZERO), AND)
    inside = plus(base, constant(0x40))
    assert pointer(logic((inside, constant(0xF), ZERO), OR)) == (pointer(base)[0], 0x4F)  # type: ignore[index]
    assert pointer(logic((inside, constant(0x10), ZERO), OR)) is None
    assert pointer(logic((address("entry", 8), constant(0xF), ZERO), OR)) is None


def test_bytes_travel_through_uniform_registers() -> None:
    r2ur = instruction(0x73C2 | 4 << 16 | 5 << 24, 0)
    shift = instruction(0x7899 | 4 << 16 | 4 << 24 | 8 << 32, 63)
    move = instruction(0x7C02 | 6 << 16 | 4 << 32, 0)
    assert follow(r2ur + move + RET).registers[6] == B
    assert follow(r2ur + shift + move + RET).registers[6] == (0, *B[:3])
    guarded = instruction(0x03C2 | 4 << 16 | 4 << 24, 0)
    assert follow(r2ur + guarded + move + RET).registers[6] == UNKNOWN


def test_generic_stores_of_both_forms_name_what_they_store() -> None:
    frame = instruction(0x7810 | 1 << 16 | 1 << 24 | 0xFFFFFFE0 << 32, 0xFF)
    plain = instruction(0x0000000401007385, 0x000FE8000010E906)
    assert follow(frame + plain + RET).memory["entry", -28] == EntryByte(6, 0)
    load = instruction(0x0000000401097980, 0x000EA8000010E900)
    assert follow(frame + plain + load + RET).registers[9] == tuple(EntryByte(6, byte) for byte in range(4))
