"""x86 as the runtime sees it: i386 and x86-64, with what fxsave stores of x87, MMX and SSE."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from types import MappingProxyType

from abiprobe.harness.machines.runtime.description import Machine, Slot, filed, numbered, slots
from abiprobe.oracles.text.place import Files, RegisterFile

_FXSAVE_BYTES = 512
_STEADY = frozenset({"x87_control", "x87_tags", "mxcsr"})


def _fxsave(at: int, xmm: int) -> dict[str, Slot]:
    """The registers in an fxsave image at offset `at`, of which `xmm` are SSE registers."""
    return {
        "x87_control": Slot(at, 2),
        # One bit for each x87 register in use; st0 is register 0 in the blocks that the host writes.
        "x87_tags": Slot(at + 4, 1),
        "mxcsr": Slot(at + 24, 4),
        "st0": Slot(at + 32, 10),
        "st1": Slot(at + 48, 10),
        **slots(numbered("xmm", 0, xmm - 1), at + 160, 16, 16),
    }


def _files(general: str, flags: str, xmm: int) -> Files:
    """The files of the general registers and the flags, and of what fxsave stores; `xmm` are SSE registers."""
    return filed(
        (RegisterFile.GENERAL, general),
        (RegisterFile.CONTROL, f"{flags} x87_control x87_tags mxcsr"),
        (RegisterFile.X87, "st0 st1"),
        (RegisterFile.VECTOR, numbered("xmm", 0, xmm - 1)),
    )


def _initial(at: int) -> bytes:
    block = bytearray(at + _FXSAVE_BYTES)
    block[at : at + 2] = (0x37F).to_bytes(2, "little")
    block[at + 24 : at + 28] = (0x1F80).to_bytes(4, "little")
    return bytes(block)


def _x87_tags(names: Collection[str]) -> Mapping[str, bytes]:
    """The tags when x87 registers are among those that hold values."""
    depth = sum(name.startswith("st") for name in names)
    return {"x87_tags": bytes([(1 << depth) - 1])} if depth else {}


_X86_64_FXSAVE = 144
_X86_64_GENERAL = f"rax rbx rcx rdx rsi rdi rbp rsp {numbered('r', 8, 15)}"
X86_64 = Machine(
    name="x86_64",
    pointer=8,
    return_address=8,
    elf_machine=62,
    sp="rsp",
    state_bytes=_X86_64_FXSAVE + _FXSAVE_BYTES,
    registers=MappingProxyType(
        {
            **slots(_X86_64_GENERAL, 0, 8, 8),
            "rflags": Slot(128, 8),
            **_fxsave(_X86_64_FXSAVE, 16),
        }
    ),
    files=_files(_X86_64_GENERAL, "rflags", 16),
    initial=_initial(_X86_64_FXSAVE),
    steady=_STEADY | {"rsp", "rflags"},
    occupied=_x87_tags,
    assembly="x86.S",
    hosts=frozenset({"x86_64"}),
    triple="x86_64-linux-musl",
    flags=("-m64",),
    gcc=("x86_64-linux-gnu-gcc",),
    ld=("x86_64-linux-gnu-ld",),
    emulation="elf_x86_64",
)

X86_64_WINDOWS = replace(
    X86_64,
    abi="windows",
    foreign=True,
    flags=(*X86_64.flags, "-DLIBRARY=__attribute__((ms_abi))"),
)
"""The same for units of code whose every function, those that compilers call on their own included, is called as on Windows."""

_I386_FXSAVE = 48
_I386_GENERAL = "eax ebx ecx edx esi edi ebp esp"
_MMX = numbered("mm", 0, 7)
I386 = Machine(
    name="i386",
    pointer=4,
    return_address=4,
    elf_machine=3,
    sp="esp",
    state_bytes=_I386_FXSAVE + _FXSAVE_BYTES,
    registers=MappingProxyType(
        {
            **slots(_I386_GENERAL, 0, 4, 4),
            "eflags": Slot(32, 4),
            **_fxsave(_I386_FXSAVE, 8),
            # The MMX registers are the significands of the x87 registers, wherever the top of their stack is.
            **slots(_MMX, _I386_FXSAVE + 288, 8, 8),
        }
    ),
    files={**_files(_I386_GENERAL, "eflags", 8), **filed((RegisterFile.MMX, _MMX))},
    initial=_initial(_I386_FXSAVE),
    steady=_STEADY | {"esp", "eflags"},
    occupied=_x87_tags,
    assembly="x86.S",
    hosts=frozenset({"i386", "i486", "i586", "i686", "x86_64"}),
    triple="i386-linux-musl",
    flags=("-m32",),
    gcc=("i686-linux-gnu-gcc", "x86_64-linux-gnu-gcc"),
    ld=("i686-linux-gnu-ld", "x86_64-linux-gnu-ld"),
    emulation="elf_i386",
)

_MASK_REGISTERS = 8
_MASKS = numbered("k", 0, _MASK_REGISTERS - 1)


def _with_vectors(machine: Machine, width: int) -> Machine:
    """`machine` with vector registers of `width` bytes, 32 (AVX) or 64 (AVX-512, with its mask registers)."""
    registers, files = dict(machine.registers), dict(machine.files)
    count = sum(name.startswith("xmm") for name in registers)
    vectors = -(-machine.state_bytes // 64) * 64
    masks = vectors + count * 64
    for prefix, size in (("xmm", 16), ("ymm", 32), ("zmm", 64)):
        if size <= width:
            names = numbered(prefix, 0, count - 1)
            registers |= slots(names, vectors, size, 64)
            files |= filed((RegisterFile.VECTOR, names))
    if width == 64:
        registers |= slots(_MASKS, masks, 8, 8)
        files |= filed((RegisterFile.MASK, _MASKS))
    return replace(
        machine,
        abi="-".join(filter(None, (machine.abi, f"vectors{8 * width}"))),
        vectors=width,
        state_bytes=masks + _MASK_REGISTERS * 8,
        initial=machine.initial.ljust(masks + _MASK_REGISTERS * 8, b"\0"),
        registers=MappingProxyType(registers),
        files=MappingProxyType(files),
        flags=(*machine.flags, f"-DVECTOR_BYTES={width}"),
    )


MACHINES = (I386, X86_64, X86_64_WINDOWS)
WIDER = {machine.full_name: (_with_vectors(machine, 32), _with_vectors(machine, 64)) for machine in MACHINES}
"""The same machines, by their full names, with larger vector registers: those of AVX, then those of AVX-512."""
X86_64_AVX, X86_64_AVX512 = WIDER[X86_64.full_name]


def x87_depth(block: bytes, machine: Machine = X86_64) -> int:
    """Return the number of x87 registers in use in a state block of `machine`."""
    return machine.number(block, "x87_tags").bit_count()


def x87_result(*values: bytes) -> dict[str, bytes]:
    """Register values that leave `values` (10 bytes each, st0 first, at most two) on the x87 stack."""
    results = dict(zip(("st0", "st1"), values, strict=False))
    return {**results, **_x87_tags(results)}
