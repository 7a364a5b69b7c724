"""The operations that a probe image is asked for, and the records that it writes of them.

`messages` and `records` are their way over the wire, of which driver.c is the other end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterable

    from abiprobe.harness.machines.runtime.machine import Machine

CALL, ENTER, PAIR, TRAPPED = 1, 2, 3, 4
"""The number of an operation, and of the record of it, on the wire."""

AREA = 65536
"""Bytes in each of `abi_in`, `abi_out` and the blob."""

MESSAGE = 524288
"""Bytes in the longest operation and in the longest record."""

STACK_BYTES = 32768
"""Bytes that an `Enter` may place on the stack."""

STACK_WINDOW = 65536
"""Bytes of stack that a `Call` may have recorded."""

WATCHES, WATCHED = 4, 64
"""So many pieces of memory, each of so many bytes at most, may be watched."""


NEVER = 0xFFFF_FFFF
"""The count that a `Call` has taken off the stack if it does not return: the driver leaves it as soon as it is captured."""


class Peek(msgspec.Struct, frozen=True):
    """Read `length` bytes at the address found at `where` (see `Machine.where`) when the call is captured."""

    where: int
    length: int


class Store(msgspec.Struct, frozen=True):
    """Write `data` at the address found at `where` when the call is captured: a result in memory.

    Done only where all of it lies on the stack, in `abi_in` or in `abi_out`.
    """

    where: int
    data: bytes


class Copy(msgspec.Struct, frozen=True):
    """Return with `size` bytes, captured at `source`, at offset `target` of the registers.

    For what a call preserves, and for a register that must hand back an address the host cannot know.
    """

    source: int
    target: int
    size: int


class Patch(msgspec.Struct, frozen=True):
    """Put the address of byte `offset` of the blob at `where`, in the registers or on the stack.

    With the bit that marks stack slots (see `Machine.where`) `offset` counts from the stack pointer at entry. Where general registers
    are wider than addresses, a `low` one leaves what is above the address as it is, on little-endian machines.
    """

    where: int
    offset: int
    low: bool = False


class Watch(msgspec.Struct, frozen=True):
    """Tell which words of `size` bytes, `offset` bytes above the stack pointer at entry, are others when the function has returned.

    Both are multiples of an address's size.
    """

    offset: int
    size: int


class Function(msgspec.Struct, frozen=True, kw_only=True):
    """Run the unit's function `index`.

    The function is entered with the registers of `enter`, `inputs` in `abi_in`, `out_bytes` of `abi_out` filled
    with `out_poison`, the stack around it with `stack_poison`, and the stack pointer `sp_bias` bytes (a multiple
    of the stack's alignment) under a multiple of 64. `watches` are memory of its caller's.
    """

    index: int
    enter: bytes
    inputs: bytes = b""
    out_bytes: int = 0
    out_poison: int = 0xA5
    stack_poison: int = 0x5A
    sp_bias: int = 0
    watches: tuple[Watch, ...] = ()


class Call(Function, frozen=True, kw_only=True):
    """Run a function that calls `abi_target`; look at what it passes, and return to it.

    `abi_target` returns with all of `returns` in the registers, save the stack pointer, the return address, and what
    `copies` replace, and takes `pops` bytes of arguments off the stack, or never returns (`NEVER`). It writes over the
    `shadow` bytes above its return address, which are its own. `stack_window` bytes are recorded from the captured stack
    pointer up, or from the address in the register at `area` of the state block, from which stack slots count then. Of several calls number `recorded` is looked at (0 is the first), or the last one if there are fewer.
    """

    returns: bytes
    stack_window: int = 0
    peeks: tuple[Peek, ...] = ()
    stores: tuple[Store, ...] = ()
    copies: tuple[Copy, ...] = ()
    pops: int = 0
    shadow: int = 0
    recorded: int = 0
    area: int | None = None


class Enter(Function, frozen=True, kw_only=True):
    """Run a function as a callee, and look at what it leaves.

    `stack` is placed `stack_offset` bytes above the stack pointer at entry; `blob` fills the start of the blob,
    whose first `blob_bytes` are recorded afterwards.
    """

    stack: bytes = b""
    stack_offset: int = 0
    blob: bytes = b""
    blob_bytes: int = 0
    patches: tuple[Patch, ...] = ()


class Pair(Function, frozen=True, kw_only=True):
    """Run a function whose `abi_target` is function `callee` of the other unit of the image."""

    callee: int


class Written(msgspec.Struct, frozen=True):
    """Words of watched memory that a function has changed.

    From the first one on, `offset` bytes above the stack pointer at entry, to the last.
    """

    offset: int
    size: int


NO_CODE = 0, 0
"""Where the code is in an image that does not tell it."""


class Peeked(msgspec.Struct, frozen=True):
    """The address found for a peek, and the bytes there; `None` where they lie outside the image's memory, or in its code."""

    address: int
    data: bytes | None


class Called(msgspec.Struct, frozen=True):
    """The record of a `Call`.

    `captures` counts the calls of `abi_target`; `captured`, `window`, `peeks` and `stored` (whether each store
    could be done) describe the one that was to be recorded, and are empty when there was none. `sp` is the stack pointer before the
    function was called, `left` the state block after it returned, `out` the start of `abi_out`, `code` where the image's code and
    constants begin and end, `written` what the function changed of the watched memory.
    """

    index: int
    sp: int
    captures: int
    captured: bytes
    window: bytes
    peeks: tuple[Peeked, ...]
    stored: tuple[bool, ...]
    left: bytes
    out: bytes
    code: tuple[int, int] = NO_CODE
    written: tuple[Written, ...] = ()


class Entered(msgspec.Struct, frozen=True):
    """The record of an `Enter`: `sp` before the call, the state block, `abi_out` and the blob after it.

    `blob_address` is where the blob lies in the image, `code` where its code and constants begin and end, `written` what the
    function changed of the watched memory.
    """

    index: int
    sp: int
    blob_address: int
    left: bytes
    out: bytes
    blob: bytes
    code: tuple[int, int] = NO_CODE
    written: tuple[Written, ...] = ()


class Paired(msgspec.Struct, frozen=True):
    """The record of a `Pair`: `abi_out`, where the callee puts what it was passed and the caller what it got back.

    `sp` is the stack pointer before the function was called, `code` where the image's code and constants begin and end.
    """

    index: int
    out: bytes
    sp: int = 0
    code: tuple[int, int] = NO_CODE


class Trapped(msgspec.Struct, frozen=True):
    """An operation that ended in a trap, of which the engine told `why` before it went on with the next one."""

    index: int
    why: str


Op: TypeAlias = Call | Enter | Pair
Record: TypeAlias = Called | Entered | Paired
ANSWERS: dict[type[Op], type[Record]] = {Call: Called, Enter: Entered, Pair: Paired}
"""The record that each operation writes."""


def preserve(kept: Iterable[tuple[str, int]], machine: Machine) -> tuple[Copy, ...]:
    """Copies that make a call preserve registers, each by its name and size in bytes (0: all of it), neighbours joined.

    Raises `KeyError` for an unknown name.
    """
    copies: list[Copy] = []
    for offset, size in sorted(machine.lowest(name, size) for name, size in kept):
        last = copies[-1] if copies else None
        if last is not None and last.target + last.size == offset:
            copies[-1] = Copy(last.source, last.target, last.size + size)
        else:
            copies.append(Copy(offset, offset, size))
    return tuple(copies)
