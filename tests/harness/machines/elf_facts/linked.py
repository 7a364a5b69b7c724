"""Pairs of objects from compilers and assemblers, the answer of the documents, and the words of GNU ld and lld.

`None` for a linker says that it has no such target. Where a linker's answer differs from the documents', `why` says why.
"""

from __future__ import annotations

from typing import NamedTuple

from abiprobe.oracles.linking.field import Answer

LINKED, DROPPED, UNKNOWN, WARNED, REFUSED = Answer
SILENT = ""
DIES = "signal"
"""GNU ld 2.40 dies of SIGSEGV: it knows no tag of RISC-V above 12."""


class Side(NamedTuple):
    """A compiler with its options, and a source: C, or assembly if it begins with a full stop; `flags` replaces `e_flags`."""

    command: str
    source: str
    flags: int | None = None


class Pair(NamedTuple):
    """Two files, the answer, GNU ld with its options, and what it and lld say; an error unless the text begins with `warning`."""

    name: str
    one: Side
    other: Side
    answer: Answer
    ld: str | None
    ld_says: str | None
    lld_says: str | None
    why: str = ""


DOUBLE = "double NAME(double x) { return x; }"
FLOAT = "float NAME(float x) { return x; }"
LONG_DOUBLE = "long double NAME(long double x) { return x; }"
INT = "int NAME(int x) { return x; }"
STRUCT = "struct S { int a; }; struct S NAME(struct S s) { return s; }"
IFUNC = 'static int (*chosen(void))(void) { return 0; } int NAME(void) __attribute__((ifunc("chosen")));'
VECTOR = "typedef int V __attribute__((vector_size(16))); V NAME(V v) { return v; }"
CLANG = "clang-22 --target="

NO_RULES = "lld merges no such attributes"
ARM, ARM_LD = f"{CLANG}armv7-linux-gnueabihf", "arm-linux-gnueabihf-ld"
ARM_GCC = "arm-linux-gnueabihf-gcc-12"


def arm(*tags: str) -> Side:
    return Side(ARM, "\n".join(f".eabi_attribute {tag}" for tag in ("25, 1", *tags)))


ARMS = (
    Pair("softfp and hard", Side(f"{ARM} -mfloat-abi=softfp", DOUBLE), Side(ARM, DOUBLE), REFUSED, ARM_LD, "uses VFP register arguments", SILENT, NO_RULES),
    Pair("softfp and hard, gcc", Side(f"{ARM_GCC} -mfloat-abi=softfp", DOUBLE), Side(ARM_GCC, DOUBLE), REFUSED, ARM_LD, "uses VFP register arguments", SILENT, NO_RULES),
    Pair("hard, two compilers", Side(ARM, DOUBLE), Side(ARM_GCC, DOUBLE), LINKED, ARM_LD, SILENT, SILENT),
    Pair("no floating point, and hard", arm("6, 10", "23, 0", "26, 2"), Side(ARM, DOUBLE), LINKED, ARM_LD, SILENT, SILENT),
    Pair("wchar_t", Side(f"{ARM} -fshort-wchar", INT), Side(ARM, INT), WARNED, ARM_LD, "warning: NAME.o uses 4-byte wchar_t", SILENT, NO_RULES),
    Pair("enumerations", Side(f"{ARM} -fshort-enums", INT), Side(ARM, INT), WARNED, ARM_LD, "warning: NAME.o uses 32-bit enums", SILENT, NO_RULES),
    Pair("16-bit formats", arm("38, 1"), arm("38, 2"), REFUSED, ARM_LD, "fp16 format mismatch", SILENT, NO_RULES),
    Pair("r9", arm("14, 0"), arm("14, 2"), REFUSED, ARM_LD, "conflicting use of R9", SILENT, NO_RULES),
    Pair("profiles", Side(f"{CLANG}armv7-none-eabi", INT), Side(f"{CLANG}armv7m-none-eabi", INT), REFUSED, ARM_LD, "conflicting architecture profiles", SILENT, NO_RULES),
    Pair("v7 and v8-A", Side(ARM, DOUBLE), Side(f"{CLANG}armv8-linux-gnueabihf", DOUBLE), LINKED, ARM_LD, SILENT, SILENT),
    Pair("alignment", Side(ARM, DOUBLE), Side(ARM, ".eabi_attribute 6, 10\n.eabi_attribute 28, 1"), WARNED, ARM_LD, SILENT, SILENT,
         "GNU ld has the check switched off, for old objects that say nothing"),
    Pair("WMMX", arm("29, 1"), arm("29, 0"), REFUSED, ARM_LD, "uses iWMMXt register arguments", SILENT, NO_RULES),
    Pair("unknown tag 62", arm("62, 1"), Side(ARM, INT), UNKNOWN, ARM_LD, "unknown mandatory EABI object attribute 62", SILENT, NO_RULES),
    Pair("unknown tag 124", arm("124, 1"), arm(), LINKED, ARM_LD, "warning: NAME: unknown EABI object attribute 124", SILENT,
         "the tag may be ignored"),
    Pair("configurations", arm("13, 1"), arm("13, 2"), WARNED, ARM_LD, "warning: NAME.o: conflicting platform configuration", SILENT, NO_RULES),
    Pair("byte orders", Side(ARM, DOUBLE), Side(f"{CLANG}armebv7-linux-gnueabihf", DOUBLE), REFUSED, ARM_LD, "compiled for a big endian system", "is incompatible with"),
)  # fmt: skip

POWER64, POWER64_LD = "powerpc64-linux-gnu-gcc-12", "powerpc64-linux-gnu-ld"
POWER64LE, POWER64LE_LD = "powerpc64le-linux-gnu-gcc-12", "powerpc64le-linux-gnu-ld"
POWER, POWER_LD = "powerpc-linux-gnu-gcc-12", "powerpc-linux-gnu-ld"
IBM, IEEE = f"{POWER64LE} -mabi=ibmlongdouble", f"{POWER64LE} -mabi=ieeelongdouble -Wno-psabi"
POWERS = (
    Pair("ELFv1 and ELFv2", Side(f"{CLANG}powerpc64-linux-gnu", DOUBLE), Side(f"{CLANG}powerpc64-linux-gnu -mabi=elfv2", DOUBLE), REFUSED, POWER64_LD,
         "ABI version 2 is not compatible with ABI version 1 output", SILENT, "lld takes ELFv1 for ELFv2 when flags are 0"),
    Pair("ELFv1 and ELFv2, gcc", Side(POWER64, DOUBLE), Side(f"{POWER64} -mabi=elfv2", DOUBLE), REFUSED, POWER64_LD,
         "ABI version 2 is not compatible with ABI version 1 output", SILENT, "lld takes ELFv1 for ELFv2 when flags are 0"),
    Pair("ELFv1, two compilers", Side(POWER64, DOUBLE), Side(f"{CLANG}powerpc64-linux-gnu", DOUBLE), LINKED, POWER64_LD, SILENT, SILENT),
    Pair("byte orders of ELFv2", Side(f"{POWER64} -mabi=elfv2", DOUBLE), Side(POWER64LE, DOUBLE), REFUSED, POWER64_LD, "compiled for a little endian system", "is incompatible with"),
    Pair("IBM and IEEE long double", Side(IBM, LONG_DOUBLE), Side(IEEE, LONG_DOUBLE), REFUSED, POWER64LE_LD, "uses IEEE long double", SILENT, NO_RULES),
    Pair("IBM and 64-bit long double", Side(IBM, LONG_DOUBLE), Side(f"{POWER64LE} -mlong-double-64", LONG_DOUBLE), REFUSED, POWER64LE_LD, "uses 64-bit long double", SILENT, NO_RULES),
    Pair("IBM and no long double", Side(IBM, LONG_DOUBLE), Side(IEEE, INT), LINKED, POWER64LE_LD, SILENT, SILENT),
    Pair("PPC soft and hard", Side(f"{POWER} -msoft-float", DOUBLE), Side(POWER, DOUBLE), REFUSED, POWER_LD, "uses soft float", SILENT, NO_RULES),
    Pair("PPC small structures", Side(f"{POWER} -msvr4-struct-return", STRUCT), Side(f"{POWER} -maix-struct-return", STRUCT), REFUSED, POWER_LD,
         "for small structure returns", SILENT, NO_RULES),
    Pair("PPC general and AltiVec", Side(POWER, ".gnu_attribute 8, 1"), Side(POWER, ".gnu_attribute 8, 2"), WARNED, POWER_LD, SILENT, SILENT,
         "GNU ld lets general registers become AltiVec ones, for vectors that are never passed"),
    Pair("PPC AltiVec and SPE", Side(POWER, ".gnu_attribute 8, 2"), Side(POWER, ".gnu_attribute 8, 3"), REFUSED, POWER_LD, "uses SPE vector ABI", SILENT, NO_RULES),
    Pair("PPC relocatable", Side(f"{POWER} -mrelocatable", INT), Side(f"{POWER} -mno-relocatable -fno-pic", INT), REFUSED, POWER_LD, "compiled normally and linked with", SILENT,
         "lld does not look at e_flags of 32-bit PowerPC"),
)  # fmt: skip

MIPS, MIPS_LD = f"{CLANG}mipsel-linux-gnu", "mips64el-linux-gnuabi64-ld -m elf32ltsmip"
MIPS_GCC = "mips64el-linux-gnuabi64-gcc-12"
FLOAT_ABI = "floating point ABI"
MIPSES = (
    Pair("n32 and o32", Side(f"{CLANG}mips64el-linux-gnuabin32", DOUBLE), Side(MIPS, DOUBLE), REFUSED, "mips64el-linux-gnuabi64-ld -m elf32ltsmipn32",
         "ABI is incompatible with that of the selected emulation", "is incompatible with"),
    Pair("n64 and o32", Side(f"{CLANG}mips64el-linux-gnuabi64", DOUBLE), Side(MIPS, DOUBLE), REFUSED, "mips64el-linux-gnuabi64-ld",
         "ABI is incompatible with that of the selected emulation", "is incompatible with"),
    Pair("soft and hard", Side(f"{MIPS} -msoft-float", DOUBLE), Side(MIPS, DOUBLE), WARNED, MIPS_LD, "warning: NAME uses -msoft-float", FLOAT_ABI),
    Pair("fp32 and fp64", Side(f"{MIPS} -mfp32", DOUBLE), Side(f"{MIPS} -mfp64", DOUBLE), REFUSED, MIPS_LD, "warning: NAME uses -mdouble-float", FLOAT_ABI,
         "GNU ld only warns of what its assembler's manual says cannot be linked"),
    Pair("fpxx and fp64", Side(f"{MIPS} -mfpxx", DOUBLE), Side(f"{MIPS} -mfp64", DOUBLE), LINKED, MIPS_LD, SILENT, SILENT),
    Pair("fp32 and fp64 without odd singles", Side(f"{MIPS} -mfp32", DOUBLE), Side(f"{MIPS_GCC} -mabi=32 -mfp64 -mno-odd-spreg", DOUBLE), LINKED, MIPS_LD,
         "warning: NAME uses -mdouble-float", FLOAT_ABI, "the manual says that only fp32 and fp64 with odd singles cannot be linked"),
    Pair("NaNs", Side(f"{MIPS} -mnan=2008", DOUBLE), Side(MIPS, DOUBLE), REFUSED, MIPS_LD, "linking -mnan=legacy module", "-mnan=legacy is incompatible"),
    Pair("release 6", Side(f"{CLANG}mipsisa32r6el-linux-gnu -mnan=2008", INT), Side(f"{MIPS} -mnan=2008 -mfp64", INT), REFUSED, MIPS_LD,
         "linking mips:isa32r2 module with previous mips:isa32r6", "incompatible target ISA"),
    Pair("abicalls", Side(f"{MIPS} -fno-pic -mno-abicalls", INT), Side(MIPS, INT), WARNED, MIPS_LD, "warning: linking abicalls files", "warning: NAME.o: linking abicalls code"),
    Pair("two processors", Side(f"{MIPS_GCC} -march=octeon", INT), Side(f"{MIPS_GCC} -march=loongson3a", INT), UNKNOWN, "mips64el-linux-gnuabi64-ld",
         "with previous mips:octeon modules", "incompatible target ISA", "linkers have a table of processors that no text has"),
)  # fmt: skip

LOONG = f"{CLANG}loongarch64-linux-gnu"
LOONGS = (
    Pair("LoongArch d and s", Side(LOONG, DOUBLE), Side(f"{LOONG}sf", DOUBLE), REFUSED, None, None, "different ABI"),
    Pair("LoongArch d and f", Side(LOONG, DOUBLE), Side(f"{LOONG}f32", DOUBLE), REFUSED, None, None, "different ABI"),
    Pair("LoongArch v1 and v0", Side(LOONG, DOUBLE), Side(LOONG, DOUBLE, flags=0x3), UNKNOWN, None, None, "unsupported object file ABI version",
         "the text lets a linker take v1 without v0"),
)  # fmt: skip

RISCV, RISCV_LD = f"{CLANG}riscv64-linux-gnu -march=rv64gc", "riscv64-linux-gnu-ld"
NO_X3 = "lld 22 does not know the tag yet"


def riscv(*tags: str) -> Side:
    return Side(f"{RISCV} -mabi=lp64d", "\n".join(f".attribute {tag}" for tag in tags))


HARD = Side(f"{RISCV} -mabi=lp64d", DOUBLE)
RISCVS = (
    Pair("lp64 and lp64d", Side(f"{RISCV} -mabi=lp64", DOUBLE), HARD, REFUSED, RISCV_LD, "can't link double-float modules with soft-float", "different floating-point ABI"),
    Pair("lp64f and lp64d", Side(f"{RISCV} -mabi=lp64f", DOUBLE), HARD, REFUSED, RISCV_LD, "can't link double-float modules with single-float", "different floating-point ABI"),
    Pair("lp64e and lp64", Side(f"{CLANG}riscv64-linux-gnu -march=rv64e -mabi=lp64e", INT), Side(f"{CLANG}riscv64-linux-gnu -march=rv64i -mabi=lp64", INT), REFUSED, RISCV_LD,
         "use 16-byte stack aligned", "EF_RISCV_RVE"),
    Pair("RVC", Side(f"{CLANG}riscv64-linux-gnu -march=rv64g -mabi=lp64d", DOUBLE), HARD, LINKED, RISCV_LD, SILENT, SILENT),
    Pair("A6C and A7", riscv("atomic_abi, 1"), riscv("atomic_abi, 3"), REFUSED, RISCV_LD, DIES, "atomic abi mismatch"),
    Pair("A6C and A6S", riscv("atomic_abi, 1"), riscv("atomic_abi, 2"), LINKED, RISCV_LD, DIES, SILENT),
    Pair("A6S and A7", riscv("atomic_abi, 2"), riscv("atomic_abi, 3"), LINKED, RISCV_LD, DIES, SILENT),
    Pair("unknown atomic ABI and A6C", riscv("atomic_abi, 0"), riscv("atomic_abi, 1"), LINKED, RISCV_LD, DIES, SILENT),
    Pair("x3 global and temporary", riscv("16, 1"), riscv("16, 3"), REFUSED, RISCV_LD, DIES, "warning: NAME.o:(.riscv.attributes): invalid tag 0x10", NO_X3),
    Pair("x3 not said and temporary", HARD, riscv("16, 3"), UNKNOWN, RISCV_LD, DIES, "warning: NAME.o:(.riscv.attributes): invalid tag 0x10", NO_X3),
    Pair("stack alignments", riscv("stack_align, 16"), riscv("stack_align, 8"), REFUSED, RISCV_LD, "use 8-byte stack aligned", "has stack_align=8"),
    Pair("privileged specifications", riscv("priv_spec, 1", "priv_spec_minor, 10"), riscv("priv_spec, 1", "priv_spec_minor, 11"), REFUSED, RISCV_LD,
         "warning: NAME.o use privileged spec version 1.11.0", SILENT, "the tags are deprecated, and both linkers are milder than the text"),
    Pair("unaligned accesses", riscv("unaligned_access, 1"), riscv("unaligned_access, 0"), LINKED, RISCV_LD, SILENT, SILENT),
    Pair("f and zfinx", Side(f"{CLANG}riscv64-linux-gnu -march=rv64i_zfinx -mabi=lp64", INT), Side(f"{CLANG}riscv64-linux-gnu -march=rv64if -mabi=lp64", INT), REFUSED, RISCV_LD,
         SILENT, "'f' and 'zfinx' extensions are incompatible", "GNU ld 2.40 does not look at the merged string"),
    Pair("RV32 and RV64", HARD, Side(f"{CLANG}riscv32-linux-gnu -march=rv32gc -mabi=ilp32d", DOUBLE), REFUSED, RISCV_LD, "ABI is incompatible with that of the selected emulation", "is incompatible with"),
)  # fmt: skip

S390, S390_LD = "s390x-linux-gnu-gcc-12", "s390x-linux-gnu-ld"
SPARC, SPARC_LD = "sparc64-linux-gnu-gcc-12", "sparc64-linux-gnu-ld"
X86, ARM64, ARM64_LD = f"{CLANG}x86_64-linux-gnu", f"{CLANG}aarch64-linux-gnu", "aarch64-linux-gnu-ld"
NOTE = '.section .note.gnu.property, "a", @note\n.p2align 3\n.long 4, 24, 5\n.asciz "GNU"\n.long 0xc0000001, 16\n.quad {}, {}\n'
OLD_LD = "GNU ld 2.40 does not know the property"
ATTRIBUTE = ".aeabi_subsection aeabi_pauthabi, required, uleb128\n.aeabi_attribute Tag_PAuth_Platform, {}\n.aeabi_attribute Tag_PAuth_Schema, {}\n"
OTHERS = (
    Pair("s390x vectors", Side(f"{S390} -march=z13", VECTOR), Side(f"{S390} -march=z10", VECTOR), WARNED, S390_LD, "warning: NAME.o uses vector software ABI", SILENT, NO_RULES),
    Pair("SPARC memory models", Side(f"{SPARC} -mmemory-model=tso", DOUBLE), Side(f"{SPARC} -mmemory-model=rmo", DOUBLE), LINKED, SPARC_LD, SILENT, SILENT),
    Pair("UltraSPARC and HAL", Side(SPARC, DOUBLE, flags=0x200), Side(SPARC, DOUBLE, flags=0x400), REFUSED, SPARC_LD, "UltraSPARC specific with HAL specific", SILENT, "lld does not look at e_flags of SPARC"),
    Pair("x86-64 shadow stack in one", Side(f"{X86} -fcf-protection=full", DOUBLE), Side(X86, DOUBLE), DROPPED, "ld", SILENT, SILENT),
    Pair("x86-64 shadow stack in both", Side(f"{X86} -fcf-protection=full", DOUBLE), Side("gcc-12 -fcf-protection=full", DOUBLE), LINKED, "ld", SILENT, SILENT),
    Pair("x86-64 and x32", Side(X86, DOUBLE), Side(f"{CLANG}x86_64-linux-gnux32", DOUBLE), REFUSED, "ld", "is incompatible with i386:x86-64 output", "is incompatible with"),
    Pair("x86-64 and i386", Side(X86, DOUBLE), Side(f"{CLANG}i386-linux-gnu", DOUBLE), REFUSED, "ld", "is incompatible with i386:x86-64 output", "is incompatible with"),
    Pair("GNU and FreeBSD", Side(X86, IFUNC), Side(f"{CLANG}x86_64-freebsd", INT), UNKNOWN, "ld", SILENT, SILENT, "linkers mark the output for one of the two"),
    Pair("AArch64 BTI in one", Side(f"{ARM64} -mbranch-protection=standard", DOUBLE), Side(ARM64, DOUBLE), DROPPED, ARM64_LD, SILENT, SILENT),
    Pair("AArch64 byte orders", Side(f"{CLANG}aarch64_be-linux-gnu", DOUBLE), Side(ARM64, DOUBLE), REFUSED, ARM64_LD, "compiled for a big endian system", "is incompatible with"),
    Pair("AArch64 schemas", Side(ARM64, NOTE.format(2, 1)), Side(ARM64, NOTE.format(2, 3)), REFUSED, ARM64_LD, "warning: NAME.o: unsupported GNU_PROPERTY_TYPE",
         "incompatible values of AArch64 PAuth core info", OLD_LD),
    Pair("AArch64 schema and none", Side(ARM64, NOTE.format(2, 1)), Side(ARM64, DOUBLE), UNKNOWN, ARM64_LD, "warning: NAME.o: unsupported GNU_PROPERTY_TYPE", SILENT,
         "the text leaves it to the implementation"),
    Pair("AArch64 schemas as attributes", Side(ARM64, ATTRIBUTE.format(2, 1)), Side(ARM64, ATTRIBUTE.format(2, 3)), REFUSED, ARM64_LD, SILENT,
         "incompatible values of AArch64 PAuth core info", OLD_LD),
    Pair("BPF", Side(f"{CLANG}bpf", INT), Side(f"{CLANG}bpf", INT), UNKNOWN, "bpf-ld", SILENT, "unsupported e_machine value", "no text has rules"),
)  # fmt: skip
PAIRS = (*ARMS, *POWERS, *MIPSES, *LOONGS, *RISCVS, *OTHERS)
