"""Translation units for device compilers: for each prototype a callee, a caller, and what the caller calls.

N is the number of the prototype in its batch, the same in the units of all compilers. The callee `f_N` stores every byte of its parameters to shared memory, `OUT` bytes behind their slots, and returns what is there from `RESULT` on; the caller `c_N` loads
arguments for `t_N`, which is declared only, and stores its result; `p_N` does so through a pointer. A kernel stores its parameters, too. Unnamed arguments come last, and the callee takes them by
`va_arg`. Bytes are moved by inline assembly of PTX, so that no compiler can move
or merge them; they are copied out of a value with memcpy, so that padding comes along. C and CUDA C++ read the same text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from abiprobe.harness.machines.render.c import declare, definitions, prototype
from abiprobe.harness.machines.render.own_names import own
from abiprobe.harness.machines.render.probe_markers import marker
from abiprobe.harness.observers.device.assembler.probes import OUT, RESULT, START
from abiprobe.oracles.engine.records import round_up
from abiprobe.oracles.language.lang import Prototype, Type

PRELUDE = """\
#ifdef __CUDACC__
#define ABI extern "C" __device__
#define ABI_KERNEL extern "C" __global__
#define ABI_INLINE static __device__ __forceinline__
#else
#define ABI
#define ABI_KERNEL __attribute__((nvptx_kernel))
#define ABI_INLINE static inline __attribute__((always_inline))
#endif
#define ABI_ACCESS(W, T, C) \\
  ABI_INLINE void abi_put##W(unsigned at, T v) { asm volatile("st.volatile.shared.b" #W " [%0], %1;" :: "r"(at), C(v)); } \\
  ABI_INLINE T abi_get##W(unsigned at) { T v; asm volatile("ld.volatile.shared.b" #W " %0, [%1];" : "=" C(v) : "r"(at)); return v; }
ABI_ACCESS(8, unsigned short, "h")
ABI_ACCESS(16, unsigned short, "h")
ABI_ACCESS(32, unsigned, "r")
ABI_INLINE void abi_out8(unsigned at, unsigned char v) { abi_put8(at, v); }
ABI_INLINE void abi_out16(unsigned at, unsigned short v) { abi_put16(at, v); }
ABI_INLINE void abi_out32(unsigned at, unsigned v) { abi_put32(at, v); }
ABI_INLINE unsigned char abi_in8(unsigned at) { return (unsigned char)abi_get8(at); }
ABI_INLINE unsigned short abi_in16(unsigned at) { return abi_get16(at); }
ABI_INLINE unsigned abi_in32(unsigned at) { return abi_get32(at); }
"""
ENTER, LEAVE = "abi_enter", "abi_leave"
"""The functions, not of the compiler's making, by which a kernel has its shared memory filled before and kept afterwards."""
TYPES = {1: ("unsigned char", 8), 2: ("unsigned short", 16), 4: ("unsigned", 32)}


class Copied(msgspec.Struct, frozen=True):
    """A value that is copied byte by byte: size and alignment, and the byte of shared memory from which it is loaded."""

    size: int
    align: int
    slot: int


class Slots(msgspec.Struct, frozen=True):
    """The slots of the copies of a prototype's values."""

    params: tuple[Copied, ...]
    result: Copied | None


def slots(params: Sequence[tuple[int, int]], result: tuple[int, int] | None) -> Slots:
    """Places for values of these sizes and alignments."""
    at = START
    found = []
    for size, align in params:
        found.append(Copied(size, align, at))
        at += round_up(size, 8)
    return Slots(tuple(found), None if result is None else Copied(*result, RESULT))


def unit(probes: Sequence[tuple[int, Prototype, Slots]], *, pointers: bool = True) -> str:
    """The text for prototypes with their numbers and slots; of several, messages of a compiler name the one that they are about.

    Without `pointers` nothing is called through a pointer.
    """
    marked = [f"{marker(at)}\n" if len(probes) > 1 else "" for at in range(len(probes))]
    texts = ("\n".join(one(*probe, pointers=pointers)) for probe in probes)
    return PRELUDE + "\n".join(map("".join, zip(marked, texts, strict=True))) + "\n"


def one(number: int, function: Prototype, places: Slots, *, pointers: bool) -> Iterator[str]:
    """The functions of one prototype."""
    suffix = f"_{number}"
    yield definitions(used(function), suffix)
    if function.kernel:
        yield f"ABI void {ENTER}(void);\nABI void {LEAVE}(void);"
        yield f"ABI_KERNEL {prototype(function, suffix, f'f{suffix}')} {{\n{ENTER}();"
        yield from received(function, suffix, places)
        yield f"{LEAVE}();\n}}"
        return
    yield f"ABI {prototype(function, suffix, f'f{suffix}')} {{"
    yield from received(function, suffix, places)
    if function.result is not None and places.result is not None:
        yield f"{declare(function.result, 'abi_r', suffix)};"
        yield from copied_in("abi_r", places.result)
        yield "return abi_r;"
    yield f"}}\nABI {prototype(function, suffix, f't{suffix}')};"
    yield from caller(function, suffix, places, f"c{suffix}(void)", f"t{suffix}")
    if pointers:
        yield f"typedef {prototype(function, suffix, f'abi_f{suffix}')};"
        yield from caller(function, suffix, places, f"p{suffix}(abi_f{suffix} *abi_f)", "abi_f")


def caller(function: Prototype, suffix: str, places: Slots, declared: str, called: str) -> Iterator[str]:
    """A function that loads arguments, calls another with them, and stores the result."""
    yield f"ABI void {declared} {{"
    names = names_of(function, suffix)
    for name, argument, place in zip(names, function.arguments, places.params, strict=True):
        yield f"{declare(argument.type, name, suffix)};"
        yield from copied_in(name, place)
    call = f"{called}({', '.join(names)});"
    if function.result is not None and places.result is not None:
        yield f"{declare(function.result, 'abi_r', suffix)} = {call}"
        yield from copied_out("abi_r", places.result)
    else:
        yield call
    yield "}"


def received(function: Prototype, suffix: str, places: Slots) -> Iterator[str]:
    """Statements that store the bytes of all arguments, those of unnamed ones as `va_arg` takes them."""
    named = len(function.params)
    names = names_of(function, suffix)
    for name, place in zip(names[:named], places.params[:named], strict=True):
        yield from copied_out(name, place)
    if not function.unnamed:
        return
    yield f"__builtin_va_list abi_ap; __builtin_va_start(abi_ap, {names[named - 1]});"
    for name, c_type, place in zip(names[named:], function.unnamed, places.params[named:], strict=True):
        yield f"{declare(c_type, name, suffix)} = __builtin_va_arg(abi_ap, {declare(c_type, '', suffix)});"
        yield from copied_out(name, place)
    yield "__builtin_va_end(abi_ap);"


def names_of(function: Prototype, suffix: str) -> tuple[str, ...]:
    """The variables with the arguments of a call."""
    named = (own(param.name, suffix) for param in function.params)
    return (*named, *(f"abi_x{number}" for number in range(len(function.unnamed))))


def used(function: Prototype) -> tuple[Type, ...]:
    """The types that a prototype and its call name."""
    types = (function.result, *(argument.type for argument in function.arguments))
    return tuple(c_type for c_type in types if c_type is not None)


def copied_out(name: str, place: Copied) -> Iterator[str]:
    """Statements that store the bytes of a variable."""
    for offset, width in pieces(place):
        c_type, bits = TYPES[width]
        yield (
            f"{{ {c_type} abi_v; __builtin_memcpy(&abi_v, (const char *)&{name} + {offset}, {width}); "
            f"abi_out{bits}({place.slot + OUT + offset}, abi_v); }}"
        )


def copied_in(name: str, place: Copied) -> Iterator[str]:
    """Statements that load the bytes of a variable."""
    for offset, width in pieces(place):
        c_type, bits = TYPES[width]
        yield (
            f"{{ {c_type} abi_v = abi_in{bits}({place.slot + offset}); "
            f"__builtin_memcpy((char *)&{name} + {offset}, &abi_v, {width}); }}"
        )


def pieces(place: Copied) -> Iterator[tuple[int, int]]:
    """Offset and width of each access: as wide as the alignment allows, 4 bytes at most."""
    at = 0
    while at < place.size:
        width = next(
            width
            for width in (4, 2, 1)
            if width <= place.align and at % width == 0 and at + width <= place.size
        )
        yield at, width
        at += width
