"""Constants are read from ELF, COFF and Mach-O objects, and a damaged file is a `ValueError`."""

from __future__ import annotations

import random
import shutil
import struct
import subprocess
from functools import cache
from pathlib import Path

import pytest

from abiprobe.harness.machines.readers import coff, macho, unsized
from abiprobe.harness.machines.readers.objects import OTHERS, constants, is_big_endian
from abiprobe.harness.machines.readers.unread import UnreadError
from abiprobe.harness.subjects.families import zig

UNIT = """\
struct S { int a; int b : 17; };
static const char before[] = { 9, 9, 9 };
const struct S abi_bits_0_0 = { .b = -1 };
const char three[] = { 1, 2, 3 };
int nought;
const char *use = before;
const unsigned long long abi_layout[] = { sizeof(struct S), 5 };
"""
TRIPLES = [
    "x86_64-linux-gnu",
    "i386-linux-gnu",
    "aarch64-linux-gnu",
    "riscv32-linux-gnu",
    "i686-windows-msvc",
    "x86_64-windows-gnu",
    "aarch64-windows-msvc",
    "arm64-apple-macos",
    "i386-apple-macos",
    "wasm32-unknown-unknown",
]
BIG_ENDIAN = [
    "powerpc64-linux-gnu",
    "powerpc-linux-gnu",
    "mips-linux-gnu",
    "s390x-linux-gnu",
    "sparc-linux-gnu",
]
DAMAGES = 200


@cache
def compiler() -> tuple[str, ...]:
    program = zig.program()
    if program is not None:
        return (program, "clang")
    path = next(filter(None, map(shutil.which, ("clang", "clang-22", "clang-19"))), None)
    if path is None:
        pytest.skip("neither zig nor clang is installed")
    return (path,)


def compiled(folder: Path, triple: str, unit: str = UNIT) -> Path:
    source = folder / "unit.c"
    source.write_text(unit)
    output = folder / f"{triple}.o"
    command = (*compiler(), f"--target={triple}", "-w", "-ffreestanding", "-fno-pic", "-c", str(source))
    subprocess.run((*command, "-o", str(output)), check=True)
    return output


@pytest.mark.parametrize("triple", TRIPLES)
def test_symbols_have_their_names_in_c_and_their_bytes(tmp_path: Path, triple: str) -> None:
    found = constants(compiled(tmp_path, triple))
    size, five = struct.unpack_from("<QQ", found["abi_layout"])
    assert five == 5
    bits = int.from_bytes(found["abi_bits_0_0"][:size], "little")
    assert bits == 0x1FFFF << 32
    assert not any(found["abi_bits_0_0"][size:])
    assert found["three"].rstrip(b"\0") == bytes([1, 2, 3])
    assert not any(found["nought"])
    assert len(found["nought"]) >= 4


@pytest.mark.parametrize("triple", ["x86_64-linux-gnu", "i386-linux-gnu", "wasm32-unknown-unknown"])
def test_elf_and_webassembly_say_how_large_an_object_is(tmp_path: Path, triple: str) -> None:
    found = constants(compiled(tmp_path, triple))
    assert len(found["three"]) == 3
    assert len(found["abi_layout"]) == 16


@pytest.mark.parametrize("triple", ["x86_64-linux-gnu", "i386-linux-gnu"])
def test_what_qbe_tells_neither_type_nor_size_of_has_its_bytes(tmp_path: Path, triple: str) -> None:
    """Labels of its own are no data of the unit; beside others an object without size that has a type has no bytes."""
    source = tmp_path / "unit.s"
    source.write_text(
        '.section .data.own, "aw"\nown: .quad 1\n'
        '.section .data.more, "aw"\n.globl abi_layout, next\nabi_layout: .quad 24, 8\nnext: .byte 7\n'
        ".globl empty\n.type empty, @object\nempty:\n.space 8\n"
        ".globl sized\n.type sized, @object\n.size sized, 1\nsized: .byte 9\n",
        encoding="utf-8",
    )
    command = (*compiler(), "-target", triple, "-c", str(source), "-o", str(tmp_path / "unit.o"))
    subprocess.run(command, check=True, capture_output=True)
    found = constants(tmp_path / "unit.o")
    assert found == {
        "abi_layout": struct.pack("<QQ", 24, 8),
        "next": bytes([7]) + bytes(8) + bytes([9]),
        "sized": bytes([9]),
    }


def test_an_object_of_which_xcc_tells_the_type_alone_has_its_bytes(tmp_path: Path) -> None:
    source = tmp_path / "unit.s"
    source.write_text(
        ".data\n.globl a, b\n.type a, @object\n.type b, @object\na: .quad 1\nb: .byte 2\n", encoding="utf-8"
    )
    command = (*compiler(), "-target", "x86_64-linux-gnu", "-c", str(source), "-o", str(tmp_path / "unit.o"))
    subprocess.run(command, check=True, capture_output=True)
    assert constants(tmp_path / "unit.o") == {"a": struct.pack("<Q", 1), "b": bytes([2])}


@pytest.mark.parametrize("triple", BIG_ENDIAN)
def test_big_endian_objects_are_read_as_they_are(tmp_path: Path, triple: str) -> None:
    path = compiled(tmp_path, triple)
    found = constants(path)
    assert is_big_endian(path)
    size, five = struct.unpack_from(">QQ", found["abi_layout"])
    assert five == 5
    bits = int.from_bytes(found["abi_bits_0_0"][:size], "big")
    assert bits == 0x1FFFF << 15
    assert found["three"] == bytes([1, 2, 3])


@pytest.mark.parametrize("triple", TRIPLES)
def test_the_others_are_little_endian(tmp_path: Path, triple: str) -> None:
    assert not is_big_endian(compiled(tmp_path, triple))


@pytest.mark.parametrize(("magic", "name"), OTHERS.items())
def test_a_format_without_a_reader_is_named(tmp_path: Path, magic: bytes, name: str) -> None:
    path = tmp_path / "unit.o"
    path.write_bytes(magic + bytes(100))
    with pytest.raises(UnreadError, match=f"format {name}"):
        constants(path)


@pytest.mark.parametrize("data", [b"", b"\0", b"\x7fELF", b"int x;\n", b"\xcf\xfa\xed\xfe", b"\x64\x86"])
def test_what_is_no_object_is_a_value_error(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "unit.o"
    path.write_bytes(data)
    with pytest.raises(ValueError, match=r"unit\.o is not an"):
        constants(path)


@pytest.mark.parametrize(
    "triple",
    [
        "x86_64-linux-gnu",
        "i386-linux-gnu",
        "x86_64-windows-gnu",
        "arm64-apple-macos",
        "wasm32-unknown-unknown",
    ],
)
def test_damage_is_a_value_error_or_harmless(tmp_path: Path, triple: str) -> None:
    whole = compiled(tmp_path, triple).read_bytes()
    path = tmp_path / "damaged.o"
    dice = random.Random(triple)
    damaged = [whole[:length] for length in range(0, len(whole), 7)]
    for _ in range(DAMAGES):
        data = bytearray(whole)
        data[dice.randrange(len(data))] = dice.choice((0, 1, 0x7F, 0xFF))
        damaged.append(bytes(data))
    for data in damaged:
        path.write_bytes(data)
        try:
            found = constants(path)
        except ValueError:
            continue
        assert all(isinstance(content, bytes) for content in found.values())


def coff_object(machine: int, symbols: list[bytes], strings: bytes = b"") -> bytes:
    """An object with one section, `.rdata`, of eight bytes, and one, `.bss`, of four without contents."""
    table = 20 + 2 * 40 + 8
    header = struct.pack("<HHIIIHH", machine, 2, 0, table, sum(len(each) // 18 for each in symbols), 0, 0)
    rdata = struct.pack("<8sIIIIIIHHI", b".rdata", 0, 0, 8, 100, 0, 0, 0, 0, 0x40)
    bss = struct.pack("<8sIIIIIIHHI", b".bss", 0, 0, 4, 0, 0, 0, 0, 0, 0x80)
    return (
        header
        + rdata
        + bss
        + bytes(range(1, 9))
        + b"".join(symbols)
        + struct.pack("<I", 4 + len(strings))
        + strings
    )


def coff_symbol(name: bytes, value: int, section: int, storage: int = 2, extra: int = 0) -> bytes:
    return struct.pack("<8sIhHBB", name, value, section, 0, storage, extra) + bytes(18 * extra)


def test_coff_names_are_short_or_in_the_string_table() -> None:
    long_name = struct.pack("<II", 0, 4)
    symbols = [
        coff_symbol(b".rdata", 0, 1, storage=3, extra=1),
        coff_symbol(b"_a", 0, 1),
        coff_symbol(long_name, 3, 1),
        coff_symbol(b"_zero", 0, 2),
        coff_symbol(b"_static", 6, 1, storage=3),
        coff_symbol(b"_outside", 0, 0),
        coff_symbol(b"_number", 7, -1),
    ]
    strings = b"_a_name_of_some_length\0"
    assert coff.constants(coff_object(0x14C, symbols, strings)) == {
        "a": b"\1\2\3",
        "a_name_of_some_length": b"\4\5\6",
        "static": b"\7\10",
        "zero": bytes(4),
    }


def test_only_i386_coff_has_underscores_before_names() -> None:
    symbols = [coff_symbol(b"_a", 0, 1)]
    assert set(coff.constants(coff_object(0x14C, symbols))) == {"a"}
    assert set(coff.constants(coff_object(0x8664, symbols))) == {"_a"}


def test_a_section_of_any_size_is_not_allocated() -> None:
    data = bytearray(coff_object(0x8664, [coff_symbol(b"a", 0, 2)]))
    struct.pack_into("<I", data, 20 + 40 + 16, 0xFFFF_FFFF)
    with pytest.raises(ValueError, match="claims a section"):
        coff.constants(bytes(data))


def test_a_mach_o_file_without_symbols_has_no_constants() -> None:
    assert macho.constants(struct.pack("<8I", 0xFEEDFACF, 0, 0, 1, 0, 0, 0, 0)) == {}


def test_symbols_at_one_place_share_their_bytes() -> None:
    symbols = [unsized.Symbol(name, 1, offset) for name, offset in (("a", 0), ("b", 2), ("c", 2), ("d", 5))]
    assert unsized.contents(symbols, {1: b"abcdefg"}) == {"a": b"ab", "b": b"cde", "c": b"cde", "d": b"fg"}
