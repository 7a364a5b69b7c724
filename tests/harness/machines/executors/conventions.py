"""Where each ABI passes what `unit.c` passes, written down by hand from the texts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import MappingProxyType

from abiprobe.oracles.text.place import Place, Register, StackSlot

ONE_AND_A_HALF_X87 = bytes.fromhex("00000000000000c0 ff3f")
ONE_AND_A_HALF_68881 = bytes.fromhex("3fff c000000000000000")


def places(names: str) -> tuple[Place, ...]:
    """Places as written here: register names, and numbers for offsets from the stack pointer at entry."""
    return tuple(StackSlot(int(name)) if name.isdigit() else Register(name) for name in names.split())


@dataclass(frozen=True, kw_only=True)
class Convention:
    """Places in the order of the bytes that they hold.

    `words` hold the first words of a call that has nothing else; `mixed_*` are those of `call_mixed`, whose big
    structure lies at `mixed_big` or is pointed to by it, as is the pair at `mixed_pair` where it is not inline. `floating`
    are those of a double and a float, `double` the result, which is 1.5 (`one_and_a_half`, unless it is a double);
    `reals_first` has a float at the beginning of its register. The first argument on the stack is `first_on_stack` bytes above the return address. `variadic` are the two doubles after the named int. `idle` are registers that `call_mixed` does not
    touch, `idle_memory` those of `call_memory`.
    """

    saved: str
    words: str
    word: str
    return_address: str
    memory: str
    memory_pops: int = 0
    mixed_int: str
    mixed_double: str
    mixed_pair: str
    mixed_big: str
    big_inline: bool = False
    pair_inline: bool = True
    first_on_stack: int = 0
    reals_first: bool = False
    floating: tuple[str, str]
    double: str
    one_and_a_half: bytes = b""
    variadic: tuple[str, ...]
    idle: str
    idle_memory: str


def _riscv(*, e: bool = False, mixed: tuple[str, str, str], **rest) -> Convention:
    doubles, pair, big = mixed
    saved = [f"s{n}" for n in range(2 if e else 12)]
    return Convention(
        saved=" ".join(saved if e else saved + [f"f{name}" for name in saved]),
        words=" ".join(f"a{n}" for n in range(6 if e else 8)),
        word="a0",
        return_address="ra",
        memory="a0",
        mixed_int="a0",
        mixed_double=doubles,
        mixed_pair=pair,
        mixed_big=big,
        idle="" if e else "fa7 ft11 fs11",
        idle_memory="t1 t2" if e else "a7 t1 t6 s11",
        **rest,
    )


_MIPS32 = Convention(
    saved=" ".join([f"s{n}" for n in range(9)] + [f"f{n}" for n in range(20, 32)]),
    words=" ".join(f"a{n}" for n in range(4)),
    word="v0",
    return_address="ra",
    memory="a0",
    mixed_int="a0",
    mixed_double="a2 a3",
    mixed_pair="16",
    mixed_big="24",
    big_inline=True,
    first_on_stack=16,
    floating=("f12 f13", "f14"),
    double="f0 f1",
    variadic=("a2 a3", "16"),
    idle="f16 f31",
    idle_memory="f16 f31",
)
_MIPS64 = Convention(
    saved=" ".join([f"s{n}" for n in range(9)] + [f"f{n}" for n in range(24, 32)]),
    words=" ".join(f"a{n}" for n in range(8)),
    word="v0",
    return_address="ra",
    memory="a0",
    mixed_int="a0",
    mixed_double="f13",
    mixed_pair="a2 a3",
    mixed_big="a4 a5 a6 a7 0",
    big_inline=True,
    floating=("f12", "f13"),
    double="f0",
    variadic=("a1", "a2"),
    idle="f14 f31",
    idle_memory="f14 f31",
)

_AARCH64 = Convention(
    saved=" ".join([f"x{n}" for n in range(19, 30)] + [f"v{n}" for n in range(8, 16)]),
    words=" ".join(f"x{n}" for n in range(8)),
    word="x0",
    return_address="x30",
    memory="x8",
    mixed_int="x0",
    mixed_double="v0",
    mixed_pair="x1 x2",
    mixed_big="x3",
    floating=("v0", "v1"),
    double="v0",
    variadic=("v0", "v1"),
    idle="x7 x15 x18 v7 v16 v31",
    idle_memory="x7 x15 x18 v0 v31",
)
_PPC64 = Convention(
    saved=" ".join([f"r{n}" for n in range(14, 32)] + [f"f{n}" for n in range(14, 32)] + ["v20", "v31"]),
    words=" ".join(f"r{n}" for n in range(3, 11)),
    word="r3",
    return_address="lr",
    memory="r3",
    mixed_int="r3",
    mixed_double="f1",
    mixed_pair="r5 r6",
    mixed_big="r7 r8 r9 r10 96",
    big_inline=True,
    first_on_stack=96,
    floating=("f1", "f2"),
    double="f1",
    variadic=("r4", "r5"),
    idle="r30 f2 f31 v2 v31",
    idle_memory="r8 f31 v31",
)
_LOONGARCH64 = Convention(
    saved=" ".join([f"s{n}" for n in range(10)] + [f"fs{n}" for n in range(8)]),
    words=" ".join(f"a{n}" for n in range(8)),
    word="a0",
    return_address="ra",
    memory="a0",
    mixed_int="a0",
    mixed_double="fa0",
    mixed_pair="a1 a2",
    mixed_big="a3",
    floating=("fa0", "fa1"),
    double="fa0",
    variadic=("a1", "a2"),
    idle="fa7 ft15 fs7",
    idle_memory="a7 t1 t7 s8",
)
_ARM = {
    "saved": " ".join(f"r{n}" for n in range(4, 12)) + " " + " ".join(f"s{n}" for n in range(16, 32)),
    "words": "r0 r1 r2 r3",
    "word": "r0",
    "return_address": "lr",
    "memory": "r0",
    "mixed_int": "r0",
    "variadic": ("r2 r3", "0"),
    "idle_memory": "r10 d16 d31",
}
_SOFT_64 = {
    "mixed": ("a1", "a2 a3", "a4"),
    "floating": ("a0", "a1"),
    "double": "a0",
    "variadic": ("a1", "a2"),
}
_SOFT_32 = {"mixed": ("a1 a2", "a3 a4", "a5"), "floating": ("a0 a1", "a2"), "double": "a0 a1"}
_HARD = {"mixed": ("fa0", "a1 a2", "a3"), "floating": ("fa0", "fa1"), "double": "fa0"}
_PAIRS = ("a2 a3", "a4 a5")

CONVENTIONS = MappingProxyType(
    {
        "riscv64-lp64d": _riscv(**_HARD, variadic=("a1", "a2")),
        "riscv64v-lp64d": _riscv(**_HARD, variadic=("a1", "a2")),
        "riscv64-lp64f": _riscv(**_SOFT_64 | {"floating": ("a0", "fa0")}),
        "riscv64-lp64": _riscv(**_SOFT_64),
        "riscv64-lp64e": _riscv(e=True, **_SOFT_64),
        "riscv32-ilp32d": _riscv(**_HARD, variadic=_PAIRS),
        "riscv32-ilp32f": _riscv(**_SOFT_32 | {"floating": ("a0 a1", "fa0")}, variadic=_PAIRS),
        "riscv32-ilp32": _riscv(**_SOFT_32, variadic=_PAIRS),
        # Stack alignment is 4 bytes here, and no pair of registers is aligned.
        "riscv32-ilp32e": _riscv(e=True, **_SOFT_32, variadic=("a1 a2", "a3 a4")),
        "aarch64": _AARCH64,
        "aarch64_be": _AARCH64,
        # The pair is one register here.
        "aarch64_ilp32": replace(_AARCH64, mixed_pair="x1", mixed_big="x2"),
        "aarch64_sve": replace(_AARCH64, idle=f"{_AARCH64.idle} z16 p0 p15"),
        "arm-aapcs": Convention(
            **_ARM,
            mixed_double="r2 r3",
            mixed_pair="0",
            mixed_big="8",
            big_inline=True,
            floating=("r0 r1", "r2"),
            double="r0 r1",
            idle="s14 d31",
        ),
        "arm-aapcs-vfp": Convention(
            **_ARM,
            mixed_double="s0 s1",
            mixed_pair="r1 r2",
            mixed_big="r3 0",
            big_inline=True,
            floating=("s0 s1", "s2"),
            double="s0 s1",
            idle="s3 d31",
        ),
        "ppc64le": _PPC64,
        "ppc64": replace(_PPC64, mixed_big="r7 r8 r9 r10 112", first_on_stack=112),
        "ppc": Convention(
            saved=" ".join([f"r{n}" for n in range(14, 32)] + [f"f{n}" for n in range(14, 32)]),
            words=" ".join(f"r{n}" for n in range(3, 11)),
            word="r3",
            return_address="lr",
            memory="r3",
            mixed_int="r3",
            mixed_double="f1",
            mixed_pair="r4",
            mixed_big="r5",
            pair_inline=False,
            first_on_stack=8,
            floating=("f1", "f2"),
            double="f1",
            variadic=("f1", "f2"),
            idle="f20 f30",
            idle_memory="f2 f31",
        ),
        "mips64el": _MIPS64,
        "mips64": _MIPS64,
        # The pair is one register here, so that the rest of the registers have all of the big structure.
        "mipsn32el": replace(
            _MIPS64,
            saved=" ".join([f"s{n}" for n in range(9)] + [f"f{n}" for n in range(20, 32, 2)]),
            mixed_pair="a2",
            mixed_big="a3 a4 a5 a6 a7",
        ),
        # Each argument has its words on the stack, those of a0 to a3 included, and a double is at an even one.
        "mipsel": _MIPS32,
        # The upper word of a double, which comes first in memory, is in the odd register.
        "mips": replace(_MIPS32, floating=("f13 f12", "f14"), reals_first=True, double="f1 f0"),
        "sparc64": Convention(
            saved=" ".join([f"l{n}" for n in range(8)] + [f"i{n}" for n in range(6)]),
            words=" ".join(f"o{n}" for n in range(6)),
            word="o0",
            return_address="o7",
            memory="o0",
            mixed_int="o0",
            mixed_double="f2 f3",
            mixed_pair="o2 o3",
            mixed_big="o4",
            first_on_stack=176,
            floating=("f0 f1", "f2 f3"),
            double="f0 f1",
            variadic=("o1", "o2"),
            idle="f30 d62",
            idle_memory="f30 d62",
        ),
        "sparc": Convention(
            saved=" ".join([f"l{n}" for n in range(8)] + [f"i{n}" for n in range(6)]),
            words=" ".join(f"o{n}" for n in range(6)),
            word="o0",
            return_address="o7",
            memory="64",
            mixed_int="o0",
            mixed_double="o1 o2",
            mixed_pair="o3",
            mixed_big="o4",
            pair_inline=False,
            first_on_stack=92,
            reals_first=True,
            floating=("o0 o1", "o2"),
            double="f0 f1",
            variadic=("o1 o2", "o3 o4"),
            idle="f30 f31",
            idle_memory="f30 f31",
        ),
        "loongarch64-lp64d": _LOONGARCH64,
        # Of a floating-point register the ABI keeps the low half.
        "loongarch64-lp64f": replace(
            _LOONGARCH64,
            mixed_double="a1",
            mixed_pair="a2 a3",
            mixed_big="a4",
            floating=("a0", "fa0"),
            double="a0",
        ),
        "loongarch64-lp64s": replace(
            _LOONGARCH64,
            saved=" ".join(f"s{n}" for n in range(10)),
            mixed_double="a1",
            mixed_pair="a2 a3",
            mixed_big="a4",
            floating=("a0", "a1"),
            double="a0",
        ),
        "loongarch32-ilp32d": replace(
            _LOONGARCH64,
            variadic=_PAIRS,
        ),
        "loongarch32-ilp32s": replace(
            _LOONGARCH64,
            saved=" ".join(f"s{n}" for n in range(10)),
            mixed_double="a1 a2",
            mixed_pair="a3 a4",
            mixed_big="a5",
            floating=("a0 a1", "a2"),
            double="a0 a1",
            variadic=_PAIRS,
        ),
        "s390x": Convention(
            saved=" ".join([f"r{n}" for n in range(6, 14)] + [f"f{n}" for n in range(8, 16)]),
            words="r2 r3 r4 r5 r6",
            first_on_stack=160,
            word="r2",
            return_address="r14",
            memory="r2",
            mixed_int="r2",
            mixed_double="f0",
            mixed_pair="r3",
            mixed_big="r4",
            pair_inline=False,
            reals_first=True,
            floating=("f0", "f2"),
            double="f0",
            variadic=("f0", "f2"),
            idle="r5 r6 r11 f1 v1_right v24 v31",
            idle_memory="r4 r12 f0 v31",
        ),
        "x86_64": Convention(
            saved="rbx rbp r12 r13 r14 r15",
            words="rdi rsi rdx rcx r8 r9",
            word="rax",
            return_address="0",
            memory="rdi",
            mixed_int="rdi",
            mixed_double="xmm0",
            mixed_pair="rsi rdx",
            mixed_big="8",
            big_inline=True,
            floating=("xmm0", "xmm1"),
            double="xmm0",
            variadic=("xmm0", "xmm1"),
            idle="r9 r15 xmm7 xmm15",
            idle_memory="r9 r10 r15 xmm0",
        ),
        "hexagon": Convention(
            saved=" ".join(f"r{n}" for n in (*range(16, 28), 30)),
            words=" ".join(f"r{n}" for n in range(6)),
            word="r0",
            return_address="r31",
            memory="r0",
            mixed_int="r0",
            mixed_double="r2 r3",
            mixed_pair="r4 r5",
            mixed_big="0",
            big_inline=True,
            floating=("r0 r1", "r2"),
            double="r0 r1",
            variadic=("0", "8"),
            idle="r15 r27",
            idle_memory="r15 r27",
        ),
        "xtensa": Convention(
            saved="a12 a13 a14 a15",
            words="a2 a3 a4 a5 a6 a7",
            word="a2",
            return_address="a0",
            memory="a2",
            mixed_int="a2",
            mixed_double="a4 a5",
            mixed_pair="a6 a7",
            mixed_big="0",
            big_inline=True,
            floating=("a2 a3", "a4"),
            double="a2 a3",
            variadic=("a4 a5", "a6 a7"),
            idle="a11",
            idle_memory="a9 a11 a15",
        ),
        "m68k": Convention(
            saved=" ".join(
                [f"d{n}" for n in range(2, 8)]
                + [f"a{n}" for n in range(2, 7)]
                + [f"fp{n}" for n in range(2, 8)]
            ),
            words="",
            word="d0",
            return_address="0",
            memory="a1",
            mixed_int="4",
            mixed_double="8",
            mixed_pair="16",
            mixed_big="24",
            big_inline=True,
            floating=("4", "12"),
            reals_first=True,
            double="fp0",
            one_and_a_half=ONE_AND_A_HALF_68881,
            variadic=("8", "16"),
            idle="d7 a5 fp1 fp7",
            idle_memory="d7 a5 fp0 fp7",
        ),
        "i386": Convention(
            saved="ebx esi edi ebp",
            words="",
            word="eax",
            return_address="0",
            memory="4",
            memory_pops=4,
            mixed_int="4",
            mixed_double="8",
            mixed_pair="16",
            mixed_big="24",
            big_inline=True,
            floating=("4", "12"),
            double="st0",
            one_and_a_half=ONE_AND_A_HALF_X87,
            variadic=("8", "16"),
            idle="xmm6 xmm7 mm3",
            idle_memory="ebx xmm7 mm0 mm7",
        ),
    }
)
