"""Wrong models by hand, of kinds that a known deviation of a compiler resembles: each must be told as new.

A row is the target whose run shows it, the module, what its source says, and what the wrong one says instead.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from abiprobe.harness.runs.golden import found_wrong, relatives
from abiprobe.oracles.registry import find_target
from laboratory.loading import targets
from laboratory.menu import Mutant

ABIS = "abiprobe.oracles.abis"
X86, RISCV, ARM, IPU, DPU, ARM32, S390X, LOONGARCH, POWER, SPARC, WASM = (
    f"{ABIS}.{name}"
    for name in (
        "x86",
        "riscv",
        "aarch64",
        "ipu",
        "dpu",
        "arm",
        "s390x",
        "loongarch",
        "powerpc.elfv2",
        "sparc",
        "wasm",
    )
)
ENGINE = "abiprobe.oracles.engine"
PACKAGES = {
    "x86_64": X86,
    "i386": X86,
    "riscv64": RISCV,
    "riscv32": RISCV,
    "aarch64": ARM,
    "colossus": IPU,
    "upmem": DPU,
    "arm": ARM32,
    "s390x": S390X,
    "loongarch64": LOONGARCH,
    "powerpc64le": f"{ABIS}.powerpc",
    "sparc64": SPARC,
    "wasm32": WASM,
}

PLANTED = (
    ("an array without elements is a field", "x86_64-sysv", f"{X86}.classify", "case Record() | Array():\n                continue", "case Record():\n                continue\n            case Array():\n                merge_span(into, leaf.bit_offset, 1, Class.INTEGER)"),
    ("zero-width bit-fields are fields", "x86_64-sysv", f"{X86}.classify", "    return counting.zero_width or (", "    return True or ("),
    ("a zero-width bit-field is silent", "x86_64-sysv", f"{X86}.classify", "        return Classes(merged, ZERO_WIDTH)", '        raise SilentError(ZERO_WIDTH, "a zero-width bit-field")'),
    ("an array without elements is silent", "x86_64-sysv", f"{X86}.classify", "        return Classes(merged, NO_ELEMENT)", '        raise SilentError(NO_ELEMENT, "no element")'),
    ("every union is silent", "x86_64-sysv", f"{X86}.classify", "    empty = has_empty_array(aggregate)\n", '    empty = has_empty_array(aggregate)\n    if isinstance(aggregate, Record) and aggregate.union:\n        raise SilentError(NO_ELEMENT, "a union")\n'),
    ("__int128 is in memory", "x86_64-sysv", f"{X86}.classify", "(Class.INTEGER, Class.INTEGER), INT128", "(Class.MEMORY, Class.MEMORY), INT128"),
    ("a wide _BitInt is in memory", "x86_64-sysv", f"{X86}.classify", "Classes(clean_up(integers), BIT_INT)", "Classes((Class.MEMORY,) * count, BIT_INT)"),
    ("a complex number is an integer", "x86_64-sysv", f"{X86}.classify", "Classes((Class.SSE,) * count, COMPLEX)", "Classes((Class.INTEGER,) * count, COMPLEX)"),
    ("a complex __float128 is in registers", "x86_64-sysv", f"{X86}.classify", "Complex(Kind.FLOAT128):\n            return Classes((Class.MEMORY,) * count, COMPLEX)", "Complex(Kind.FLOAT128):\n            return Classes((Class.SSE,) * count, COMPLEX)"),
    ("a __float128 takes two registers", "x86_64-sysv", f"{X86}.classify", "Classes((Class.SSE, Class.SSEUP), SSEUP)", "Classes((Class.SSE, Class.SSE), SSEUP)"),
    ("a real beside an integer wins", "x86_64-sysv", f"{X86}.classify", "    if Class.INTEGER in both:\n        return Class.INTEGER", "    if Class.INTEGER in both:\n        return Class.SSE"),
    ("packed records are in registers", "x86_64-sysv", f"{X86}.classify", "count > 8 or has_unaligned_field(types, aggregate)", "count > 8"),
    ("records of three words are in registers", "x86_64-sysv", f"{X86}.classify", "len(classes) > 2 and", "len(classes) > 3 and"),
    ("__m64 is an integer", "x86_64-sysv", f"{X86}.classify", "return (Class.SSE, *(", "return (Class.SSE if size > EIGHTBYTE else Class.INTEGER, *("),
    ("an extended real is an integer in a record", "x86_64-sysv", f"{X86}.classify", "    if both & {Class.X87, Class.X87UP, Class.COMPLEX_X87}:\n        return Class.MEMORY\n", ""),
    ("the stack has no alignment", "x86_64-sysv", f"{X86}.calls", "size, align = round_up(value.size, 8), max(8, value.align)", "size, align = round_up(value.size, 8), 8"),
    ("unnamed vectors are in registers", "x86_64-sysv", f"{X86}.calls", "wide = value.is_unnamed and is_wide_vector(value)\n", "wide = False\n"),
    ("unnamed bit-fields align a record", "x86_64-sysv", f"{ENGINE}.sysv_bits", "if member.name or rules.text.unnamed_align:", "if True:"),
    ("zero-width bit-fields end no unit", "x86_64-sysv", f"{ENGINE}.sysv_bits", "cursor.end = round_up(cursor.end, max(unit, asked.explicit) * 8)", "pass"),
    ("a flexible array has one element", "x86_64-sysv", f"{ENGINE}.types", "size=inner.size * (length or 0)", "size=inner.size * (1 if length is None else length)"),
    ("an array of length zero has one element", "x86_64-sysv", f"{ENGINE}.types", "size=inner.size * (length or 0)", "size=inner.size * (length or 1)"),
    ("an array without elements has no alignment", "x86_64-sysv", f"{ENGINE}.types", "size=inner.size * (length or 0), clause", "size=inner.size * (length or 0), align=inner.align if length else 1, clause"),
    ("a struct of 16 bytes comes back in rax", "x86_64-ms", f"{X86}.ms.calls", "case Record() if value.size not in SIZES or", "case Record() if value.size not in (*SIZES, 16) or"),
    ("there is no shadow store", "x86_64-ms", f"{X86}.ms.calls", "SHADOW = 32", "SHADOW = 0"),
    ("a struct of 16 bytes is passed by value", "x86_64-ms", f"{X86}.ms.calls", "SIZES = (1, 2, 4, 8)", "SIZES = (1, 2, 4, 8, 16)"),
    ("a struct of a real is a real", "x86_64-ms", f"{X86}.ms.calls", "case Record() | Vector(size=8):\n            return Kind.AGGREGATE", "case Record() | Vector(size=8):\n            return Kind.FLOAT"),
    ("unnamed reals are in one register only", "x86_64-ms", f"{X86}.ms.calls", ", VARARGS\n", ', ""\n'),
    ("named reals of variadic functions are in one register only", "x86_64-ms", f"{X86}.ms.calls", "VARARGS_NAMED if named else", '"" if named else'),
    ("two vectors in registers", "i386-sysv", f"{X86}.i386.calls", "VECTOR_ARGUMENTS = 3", "VECTOR_ARGUMENTS = 2"),
    ("__m64 is on the stack", "i386-sysv", f"{X86}.i386.calls", "if call.mmx == VECTOR_ARGUMENTS:", "if True:"),
    ("the address of a result is left on the stack", "i386-sysv", f"{X86}.i386.calls", "else pointer_on_stack", "else 0"),
    ("unnamed vectors are in registers of i386", "i386-sysv", f"{X86}.i386.calls", "case Vector() if call.variadic:", "case Vector() if False and call.variadic:"),
    ("a union of one member is flattened", "riscv64-lp64d", f"{ENGINE}.flatten", "case Record(union=True):", "case Record(union=True, members=members) if len(members) != 1:"),
    ("a zero-width bit-field keeps from flattening", "riscv64-lp64d", f"{ENGINE}.flatten", "flat.ignored.add(Bitless.BIT_FIELD)", "flat.union = True"),
    ("an empty record keeps from flattening", "riscv64-lp64d", f"{ENGINE}.flatten", "flat.ignored.add(Bitless.ARRAY if has_no_element(c_type) else Bitless.RECORD)", "flat.union = not has_no_element(c_type)"),
    ("an array without elements keeps from flattening", "riscv64-lp64d", f"{ENGINE}.flatten", "flat.ignored.add(Bitless.ARRAY if has_no_element(c_type) else Bitless.RECORD)", "flat.union = has_no_element(c_type)"),
    ("unnamed bit-fields are flattened", "riscv64-lp64d", f"{RISCV}.hardware_float", "answer is not None and flat.unnamed", "answer is not None and False"),
    ("what is nested is silent", "riscv64-lp64d", f"{RISCV}.hardware_float", "answer is not None and flat.unnamed", "answer is not None and (flat.unnamed or flat.nested)"),
    ("a complex number is an integer", "riscv32-ilp32d", f"{RISCV}.hardware_float", "        case Complex():\n            return pass_reals", "        case Complex() if False:\n            return pass_reals"),
    ("an integer comes after its real", "riscv64-lp64d", f"{RISCV}.hardware_float", "case [integer, real] if is_real", "case [integer, real] if False and is_real"),
    ("reals are not boxed", "riscv64-lp64d", f"{RISCV}.hardware_float", "boxed = Extension.NAN_BOX if", "boxed = Extension.ANY if"),
    ("named pairs are aligned", "riscv64-lp64d", f"{RISCV}.integer", "moved = not named and", "moved ="),
    ("unnamed pairs are not aligned", "riscv32-ilp32e", f"{RISCV}.integer", "moved = not named and", "moved = False and"),
    ("two words are passed by reference", "riscv64-lp64d", f"{RISCV}.integer", "value.size > 2 * abi.xlen", "value.size >= 2 * abi.xlen"),
    ("unsigned words are extended with zeros", "riscv64-lp64d", f"{RISCV}.integer", " or width == 32 else", " else"),
    ("a _BitInt is not extended", "riscv64-lp64d", f"{RISCV}.integer", "            return by_sign(types, value.type, width)\n", "            return Extension.ANY\n"),
    ("the stack is not aligned", "riscv64-lp64d", f"{RISCV}.integer", "min(max(value.align, abi.xlen), abi.stack_align)", "abi.xlen"),
    ("three members are homogeneous at most", "aarch64-aapcs64", f"{ARM}.homogeneous", "MOST = 4", "MOST = 3"),
    ("a zero-width bit-field spoils homogeneity", "aarch64-aapcs64", f"{ARM}.homogeneous", "if part.of in {Class.UNNAMED, Class.NOTHING}:", "if part.of in {Class.UNNAMED, Class.NOTHING} and part.why != ZERO_WIDTH:"),
    ("__bf16 is no real", "aarch64-aapcs64", f"{ARM}.homogeneous", "return FundamentalMember(Class.FLOAT, size, at, HALF)", "return FundamentalMember(Class.OTHER, size, at)"),
    ("an array without elements is homogeneous", "aarch64-aapcs64", f"{ARM}.homogeneous", "if NO_ELEMENT in whys and types.reading is None:", "if False:"),
    ("pairs begin anywhere", "aarch64-aapcs64", f"{ARM}.general", "odd = align == QUAD and", "odd = False and"),
    ("registers are left to what follows", "aarch64-aapcs64", f"{ARM}.general", '        cursor.drain("integer")\n', ""),
    ("a struct of two words is in registers", "upmem-dpu", f"{DPU}.words", "case Record() | Complex():", "case Record() | Complex() if value.size > DOUBLE_WORD:"),
    ("a complex number is not passed by reference", "upmem-dpu", f"{DPU}.words", "case Record() | Complex():", "case Record():"),
    ("narrow integers are extended with zeros", "upmem-dpu", f"{DPU}.words", "Extension.SIGN if types.is_signed(value.type) else Extension.ZERO", "Extension.ZERO"),
    ("the register that a pair skips stays unused", "upmem-dpu", f"{ENGINE}.register_file", "                for name in group:\n", "                for name in self._names[: first + count]:\n                    self._free.pop(name, None)\n                for name in ():\n"),
    ("the register that a pair skips stays unused", "colossus-ipu", f"{ENGINE}.register_file", "                for name in group:\n", "                for name in self._names[: first + count]:\n                    self._free.pop(name, None)\n                for name in ():\n"),
    ("a variadic function has registers", "colossus-ipu", f"{IPU}.calls", "    if variadic:\n        return FreePlaces((), (), VARIADIC)\n", ""),
    ("every struct is passed by reference", "colossus-ipu", f"{IPU}.calls", "case Record() if abi.unwraps:", "case Record() if False and abi.unwraps:"),
    ("pairs begin in any register", "arm-aapcs", f"{ARM32}.core", "odd = align == DOUBLE_WORD and", "odd = False and"),
    ("nothing is split between registers and the stack", "arm-aapcs", f"{ARM32}.core", "if left and not cursor.used:", "if False:"),
    ("a value is split though the stack is in use", "arm-aapcs", f"{ARM32}.core", "if left and not cursor.used:", "if left:"),
    ("a struct of eight bytes comes back in two registers", "arm-aapcs", f"{ARM32}.calls", "and value.size > WORD:", "and value.size > DOUBLE_WORD:"),
    ("char is signed", "arm-aapcs", f"{ARM32}.data", "char_signed=False", "char_signed=True"),
    ("a vector of 16 bytes is aligned to 16", "arm-aapcs", f"{ARM32}.data", "return Sized(size, DOUBLE_WORD, VECTOR)", "return Sized(size, size, VECTOR)"),
    ("five members are homogeneous", "arm-aapcs-vfp", f"{ARM32}.candidates", "MOST = 4", "MOST = 5"),
    ("half-precision reals are homogeneous", "arm-aapcs-vfp", f"{ARM32}.candidates", "and kind not in HALVES and size in {WORD, DOUBLE_WORD}", ""),
    ("a zero-width bit-field is silent", "arm-aapcs-vfp", f"{ARM32}.candidates", "return ZERO_WIDTH if", "return UNNAMED if"),
    ("a union is not homogeneous", "arm-aapcs-vfp", f"{ARM32}.candidates", "    if len(found) != 1:", "    if len(found) != 1 or getattr(value.type, 'union', False):"),
    ("registers are left behind what found none", "arm-aapcs-vfp", f"{ARM32}.vfp", "    bank.close()\n", ""),
    ("a variadic function has VFP registers", "arm-aapcs-vfp", f"{ARM32}.calls", "None if prototype.variadic else Bank()", "Bank()"),
    ("a struct of a real is no real", "s390x", f"{S390X}.equivalent", "if not (is_real(found) or is_short_vector(types, found)):", "if True:"),
    ("a record of three bytes is in a register", "s390x", f"{S390X}.calls", "SMALL_RECORDS = (1, 2, 4, 8)", "SMALL_RECORDS = (1, 2, 3, 4, 8)"),
    ("a record of sixteen bytes is in a register", "s390x", f"{S390X}.calls", "return value.size in SMALL_RECORDS", "return value.size in (*SMALL_RECORDS, 16)"),
    ("unnamed vectors are in registers", "s390x", f"{S390X}.calls", 'if cursor.left("vector") and not varying:', 'if cursor.left("vector"):'),
    ("the parameter area begins at the stack pointer", "s390x", f"{S390X}.calls", "SAVE_AREA = 160", "SAVE_AREA = 0"),
    ("a float is at the end of its register", "s390x", f"{S390X}.calls", "left_aligned(value, register, WORD, REAL)", "right_aligned(value, register, REAL)"),
    ("narrow integers are not extended", "s390x", f"{S390X}.calls", "    return Extension.SIGN if types.is_signed(value.type) else Extension.ZERO\n", "    return Extension.ANY\n"),
    ("a nested member is not flattened", "loongarch64-lp64d", f"{LOONGARCH}.floating", "answer = None if flat.union or flat.blocked else", "answer = None if flat.union or flat.blocked or flat.nested else"),
    ("an empty member keeps from flattening", "loongarch64-lp64d", f"{LOONGARCH}.floating", "answer = None if flat.union or flat.blocked else", "answer = None if flat.union or flat.blocked or flat.ignored else"),
    ("two words are passed by reference", "loongarch64-lp64d", f"{LOONGARCH}.general", "if value.size > 2 * variant.grlen:", "if value.size >= 2 * variant.grlen:"),
    ("unsigned words are extended with zeros", "loongarch64-lp64d", f"{LOONGARCH}.general", "(Extension.SIGN, UNSIGNED_WORD) if is_word else", "(Extension.ZERO, UNSIGNED_WORD) if is_word else"),
    ("named pairs are aligned", "loongarch64-lp64d", f"{LOONGARCH}.general", "if varying and value.size ==", "if value.size =="),
    ("unnamed pairs are not aligned", "loongarch64-lp64d", f"{LOONGARCH}.general", "if varying and value.size ==", "if False and value.size =="),
    ("the stack has no alignment", "loongarch64-lp64d", f"{LOONGARCH}.general", "min(max(value.align, word), STACK_ALIGN)", "word"),
    ("a float is in the left half of its word", "sparc64", f"{SPARC}.calls", "register = (first * EXTENDED_WORD + before) // SINGLE", "register = first * EXTENDED_WORD // SINGLE"),
    ("a float of a structure is in the right half", "sparc64", f"{SPARC}.fields", "return Real(at, at + size, first * EXTENDED_WORD // SINGLE + at // SINGLE)", "return Real(at, at + size, first * EXTENDED_WORD // SINGLE + max(at // SINGLE, int(size == SINGLE)))"),
    ("a union of one real is the real", "sparc64", f"{SPARC}.fields", "    if isinstance(value.type, Record) and value.type.union:\n", "    if isinstance(value.type, Record) and value.type.union and len(value.type.members) > 1:\n"),
    ("unnamed reals are in their registers", "sparc64", f"{SPARC}.calls", "if argument_kind is not ArgumentKind.UNNAMED and first < REALS:", "if first < REALS:"),
    ("a long double is not aligned", "sparc64", f"{SPARC}.calls", "    moved = align_scalar(types, array, value.size) or", "    moved ="),
    ("a structure is not aligned", "sparc64", f"{SPARC}.calls", "    own = alignment(types, value)\n", "    own = 1\n"),
    ("a structure of 24 bytes is passed by value", "sparc64", f"{SPARC}.calls", "MOST_PASSED, MOST_RETURNED = QUADWORD,", "MOST_PASSED, MOST_RETURNED = 24,"),
    ("a structure of 32 bytes is returned in memory", "sparc64", f"{SPARC}.calls", "QUADWORD, 4 * EXTENDED_WORD", "QUADWORD, 3 * EXTENDED_WORD"),
    ("a record of no bytes has no word", "sparc64", f"{SPARC}.calls", "    first = array.assign(EXTENDED_WORD)\n    if not value.size:", "    first = array.assign(value.size)\n    if not value.size:"),
    ("arrays of reals are fields", "sparc64", f"{SPARC}.fields", 'raise SilentError(ARRAY, f"{spelling(plain)} in a structure")', "return"),
    ("a zero-width bit-field is no bar", "powerpc64le-elfv2", f"{POWER}.homogeneous", "beside.spoilt.add(ZERO_WIDTH)", "beside.spoilt.discard(ZERO_WIDTH)"),
    ("padding is no bar", "powerpc64le-elfv2", f"{POWER}.homogeneous", "beside.spoilt.add(PADDING)", "beside.spoilt.discard(PADDING)"),
    ("a union has all its members one after the other", "powerpc64le-elfv2", f"{POWER}.homogeneous", "max(found.count, inner.count) if record.union else", ""),
    ("eight members of two registers are homogeneous", "powerpc64le-elfv2", f"{POWER}.homogeneous", "found.count * found.base.registers > MOST_REGISTERS", "found.count > MOST_REGISTERS"),
    ("a quadruple-precision real is no vector", "powerpc64le-elfv2", f"{POWER}.homogeneous", "    Kind.FLOAT128: Base.VECTOR,\n", ""),
    ("a value in registers takes no doublewords", "powerpc64le-elfv2", f"{POWER}.registers", "        arguments.skip(value.size)\n", ""),
    ("a float is single-precision in its register", "powerpc64le-elfv2", f"{POWER}.registers", ", form=Form.DOUBLE", ""),
    ("every record is passed by reference", "wasm32", f"{WASM}.singleton", '    return found[0].type, ""\n', "    return None, INDIRECT\n"),
    ("an over-aligned record is a singleton", "wasm32", f"{WASM}.singleton", "if whole.align > natural.align and whole.user and value.size > natural.size:", "if False:"),
    ("a bit-field is a singleton", "wasm32", f"{WASM}.singleton", "    if found[0].bit_field is not None:", "    if False:"),
    ("narrow integers are extended with zeros", "wasm32", f"{WASM}.calls", "(Extension.SIGN if types.is_signed(scalar) else Extension.ZERO)", "Extension.ZERO"),
    ("the more significant half comes first", "wasm32", f"{WASM}.calls", "low, high = places", "high, low = places"),
    ("the buffer has no padding", "wasm32", f"{WASM}.variadic", "round_up(self.used, align)", "self.used"),
    ("a wide _BitInt is aligned to 8", "wasm32", f"{WASM}.data", "return Sized(size, size, BIT_INT)", "return Sized(size, min(size, 8), BIT_INT)"),
    ("bit-fields of other types share a unit", "x86_64-windows-msvc", f"{ENGINE}.windows_records", "if cursor.unit != unit or cursor.left < width:", "if cursor.left < width:"),
    ("a bit-field straddles its unit", "x86_64-windows-msvc", f"{ENGINE}.windows_records", "if cursor.unit != unit or cursor.left < width:", "if cursor.unit != unit:"),
    ("a zero-width bit-field aligns nothing", "x86_64-windows-msvc", f"{ENGINE}.windows_records", "        cursor.raise_align(align, rules.text.zero_width)\n", ""),
    ("long has eight bytes", "x86_64-windows-gnu", f"{X86}.windows.data", "Kind.LONG: 4, Kind.ULONG: 4}", "Kind.LONG: 8, Kind.ULONG: 8}"),
    ("long double is that of Microsoft", "x86_64-windows-gnu", f"{X86}.windows_types", "x87 = mingw and options.real is None", "x87 = False"),
)  # fmt: skip


@dataclass(frozen=True)
class Planted(Mutant):
    """A wrong model whose source was changed by hand."""

    @property
    def source(self) -> str:
        """The source of the wrong module."""
        assert self.original.count(self.was) == 1, f"{self.was} stands once in {self.module}"
        return self.original.replace(self.was, self.becomes)


def planted() -> Iterator[tuple[str, Planted]]:
    """The rows of the table, each with its target."""
    for name, target, module, was, becomes in PLANTED:
        original = Path(str(import_module(module).__file__)).read_text("utf-8")
        yield (
            target,
            Planted(module, "by hand", f"{target}: {name}", was, becomes, original, 0, lambda _: None),
        )


def contradiction(target: str, wrong: Mutant) -> str:
    """The first golden vector that a wrong model contradicts, in words; empty if there is none."""
    made = targets([PACKAGES[target.partition("-")[0]]], wrong)
    found = (
        wrong_row
        for one in relatives(find_target(target))
        for wrong_row in found_wrong(made[one.name].in_dialect(one.dialect))
    )
    return next(map(str, found), "")
