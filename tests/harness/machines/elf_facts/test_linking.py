"""Which files go together, by the rules of each document: files made by hand, which need no compiler."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import pytest

from abiprobe.harness.cli.main import main
from abiprobe.harness.machines.elf_facts.compare import flag_bits
from abiprobe.harness.machines.elf_facts.files import read_input, read_object
from abiprobe.harness.machines.elf_facts.machines import MACHINES, compared, facts, machine_of
from abiprobe.oracles.linking import tables
from abiprobe.oracles.linking.field import Answer, Flags, Same

from .handmade import Made, archive, attributes, properties, write

LINKED, DROPPED, UNKNOWN, WARNED, REFUSED = Answer
DESCRIPTORS = ((".opd", bytes(24)),)


def arm(
    *tags: tuple[int, int | str], flags: int = 0x05000000, big: bool = False, kind: int = 1, scope: int = 1
) -> Made:
    body = attributes("aeabi", (6, 10), *tags, big=big, scope=scope)
    return Made(40, flags, big=big, kind=kind, sections=((".ARM.attributes", body),))


def gnu(
    machine: int, *tags: tuple[int, int | str], flags: int = 0, wide: bool = False, big: bool = False
) -> Made:
    parts = ((".gnu.attributes", attributes("gnu", *tags, big=big)),) if tags else ()
    return Made(machine, flags, 64 if wide else 32, big=big, sections=parts)


def power64(flags: int, *tags: tuple[int, int | str], descriptors: bool = False, code: int = 16) -> Made:
    made = gnu(21, *tags, flags=flags, wide=True, big=True)
    return made._replace(code=code, sections=made.sections + (DESCRIPTORS if descriptors else ()))


def mips(flags: int, float_abi: int | None = None, *, wide: bool = False) -> Made:
    parts = ()
    if float_abi is not None:
        parts = ((".MIPS.abiflags", struct.pack("<HBBBBBBIIII", 0, 32, 2, 1, 1, 0, float_abi, 0, 0, 0, 0)),)
    return Made(8, flags, 64 if wide else 32, sections=parts)


def o32(float_abi: int, flags: int = 0x70001007) -> Made:
    return mips(flags, float_abi)


def riscv(*tags: tuple[int, int | str], flags: int = 0x4) -> Made:
    parts = ((".riscv.attributes", attributes("riscv", *tags)),) if tags else ()
    return Made(243, flags, 64, sections=parts)


def x86(*values: tuple[int, int], machine: int = 62, wide: bool = True, kind: int = 1) -> Made:
    told = properties(*((what, struct.pack("<I", value)) for what, value in values), wide=wide)
    return Made(machine, 0, 64 if wide else 32, kind=kind, sections=((".note.gnu.property", told),))


def signed(platform: int, version: int) -> Made:
    told = properties((0xC0000001, struct.pack("<QQ", platform, version)))
    return Made(183, 0, 64, sections=((".note.gnu.property", told),))


def build(vendor: str, optional: int, *tags: tuple[int, int]) -> Made:
    body = bytes([optional, 0]) + bytes(byte for pair in tags for byte in pair)
    name = vendor.encode() + b"\0"
    data = b"A" + struct.pack("<I", 4 + len(name) + len(body)) + name + body
    return Made(183, 0, 64, sections=((".ARM.attributes", data),))


PLAIN_ARM64 = Made(183, 0, 64)
BTI = Made(183, 0, 64, sections=((".note.gnu.property", properties((0xC0000000, struct.pack("<I", 1)))),))

PAIRS: list[tuple[str, Made, Made, Answer]] = [
    ("Arm, base and VFP variant", arm((23, 3)), arm((23, 3), (28, 1)), REFUSED),
    ("Arm, VFP variant twice", arm((23, 3), (28, 1)), arm((23, 3), (28, 1)), LINKED),
    ("Arm, VFP variant and both", arm((23, 3), (28, 1)), arm((23, 3), (28, 3)), LINKED),
    ("Arm, VFP variant and no floating point", arm((23, 3), (28, 1)), arm((23, 0)), LINKED),
    ("Arm, two conventions of their own", arm((23, 3), (28, 2)), arm((23, 3), (28, 2)), UNKNOWN),
    ("Arm, wchar_t of 2 and 4 bytes", arm((18, 2)), arm((18, 4)), WARNED),
    ("Arm, wchar_t of 2 bytes and none", arm((18, 2)), arm((18, 0)), LINKED),
    ("Arm, enumerations", arm((26, 1)), arm((26, 2)), WARNED),
    ("Arm, enumerations that need 32 bits", arm((26, 1)), arm((26, 3)), LINKED),
    ("Arm, 16-bit formats", arm((38, 1)), arm((38, 2)), REFUSED),
    ("Arm, r9 saved and static base", arm((14, 0)), arm((14, 1)), REFUSED),
    ("Arm, r9 static base and not used", arm((14, 1)), arm((14, 3)), LINKED),
    ("Arm, WMMX", arm((29, 0)), arm((29, 1)), REFUSED),
    ("Arm, configurations", arm((13, 1)), arm((13, 2)), WARNED),
    ("Arm, configuration and none", arm((13, 0)), arm((13, 2)), LINKED),
    ("Arm, alignment needed and not preserved", arm((24, 1), (25, 1)), arm((25, 0)), WARNED),
    ("Arm, more alignment needed than preserved", arm((24, 4), (25, 4)), arm((25, 1)), WARNED),
    ("Arm, alignment preserved", arm((24, 1), (25, 1)), arm((25, 2)), LINKED),
    ("Arm, profiles A and M", arm((7, 0x41)), arm((7, 0x4D)), REFUSED),
    ("Arm, profiles A and S", arm((7, 0x41)), arm((7, 0x53)), LINKED),
    ("Arm, v8-A and v8-M", arm((6, 10), (7, 0x41)), arm((7, 0x4D)), REFUSED),
    ("Arm, architectures", arm((10, 3)), arm((10, 7)), LINKED),
    ("Arm, a value that the text lacks", arm((26, 9)), arm((26, 9)), UNKNOWN),
    ("Arm, unknown tag below 64", arm((62, 1)), arm(), UNKNOWN),
    ("Arm, unknown tag above 64", arm((124, 1)), arm(), LINKED),
    ("Arm, a toolchain needed", arm((32, 2)), arm(), UNKNOWN),
    ("Arm, another version of the ABI", arm(flags=0x04000000), arm(), REFUSED),
    ("Arm, unknown version of the ABI", arm(flags=0), arm(), UNKNOWN),
    ("Arm, bits without meaning", arm(flags=0x05000001), arm(), UNKNOWN),
    ("Arm, without attributes", Made(40, 0x05000000), arm(), UNKNOWN),
    ("Arm, twice without attributes", Made(40, 0x05000000), Made(40, 0x05000000), UNKNOWN),
    ("Arm, attributes of single sections", arm(scope=2), arm(), UNKNOWN),
    ("Arm, byte orders", arm(), arm(big=True), REFUSED),
    ("PPC64, ELFv1 and ELFv2", power64(1), power64(2), REFUSED),
    ("PPC64, descriptors and ELFv2", power64(0, descriptors=True), power64(2), REFUSED),
    ("PPC64, descriptors and ELFv1", power64(0, descriptors=True), power64(1), LINKED),
    ("PPC64, no version and code", power64(0), power64(2), UNKNOWN),
    ("PPC64, no version and no code", power64(0, code=0), power64(2), LINKED),
    ("PPC64, IBM and IEEE long double", power64(2, (4, 5)), power64(2, (4, 13)), REFUSED),
    ("PPC64, IBM and 64-bit long double", power64(2, (4, 5)), power64(2, (4, 9)), REFUSED),
    ("PPC64, IBM and no long double", power64(2, (4, 5)), power64(2, (4, 1)), LINKED),
    ("PPC, soft and hard", gnu(20, (4, 2), big=True), gnu(20, (4, 1), big=True), REFUSED),
    ("PPC, single and double precision", gnu(20, (4, 3), big=True), gnu(20, (4, 1), big=True), REFUSED),
    ("PPC, hard and not affected", gnu(20, (4, 1), big=True), gnu(20, big=True), LINKED),
    ("PPC, AltiVec and SPE", gnu(20, (8, 2), big=True), gnu(20, (8, 3), big=True), REFUSED),
    ("PPC, general registers and AltiVec", gnu(20, (8, 1), big=True), gnu(20, (8, 2), big=True), WARNED),
    ("PPC, small structures", gnu(20, (12, 1), big=True), gnu(20, (12, 2), big=True), REFUSED),
    ("PPC, relocatable and not", gnu(20, flags=0x10000, big=True), gnu(20, big=True), REFUSED),
    ("PPC, relocatable and for both", gnu(20, flags=0x10000, big=True), gnu(20, flags=0x8000, big=True), LINKED),
    ("PPC, unknown tag", gnu(20, (16, 1), big=True), gnu(20, big=True), UNKNOWN),
    ("MIPS, n32 and o32", mips(0x80000027), mips(0x70001007), REFUSED),
    ("MIPS, n64 twice", mips(0x80000007, 1, wide=True), mips(0x80000007, 1, wide=True), LINKED),
    ("MIPS, eabi32 and o32", mips(0x70003007), mips(0x70001007), REFUSED),
    ("MIPS, an ABI that is not given", mips(0x70000007), mips(0x70000007), UNKNOWN),
    ("MIPS, soft and hard", o32(3), o32(1), WARNED),
    ("MIPS, single and double", o32(2), o32(1), WARNED),
    ("MIPS, fp32 and fp64", o32(1), o32(6), REFUSED),
    ("MIPS, fpxx and fp64", o32(5), o32(6), LINKED),
    ("MIPS, fp32 and fp64A", o32(1), o32(7), LINKED),
    ("MIPS, none and soft", o32(0), o32(3), LINKED),
    ("MIPS, attribute and section", gnu(8, (4, 3), flags=0x70001007), o32(1), WARNED),
    ("MIPS, NaNs", o32(1), o32(1, 0x70001407), REFUSED),
    ("MIPS, abicalls and not", o32(1), o32(1, 0x70001001), WARNED),
    ("MIPS, release 2 and 6", o32(1), o32(1, 0x90001007), REFUSED),
    ("MIPS, release 1 and 2", o32(1), o32(1, 0x50001007), LINKED),
    ("MIPS, two processors", o32(1, 0x708B1007), o32(1, 0x708A1007), UNKNOWN),
    ("LoongArch, d and s", Made(258, 0x43, 64), Made(258, 0x41, 64), REFUSED),
    ("LoongArch, d and f", Made(258, 0x43, 64), Made(258, 0x42, 64), REFUSED),
    ("LoongArch, v0 and v1", Made(258, 0x43, 64), Made(258, 0x03, 64), UNKNOWN),
    ("LoongArch, reserved base", Made(258, 0x47, 64), Made(258, 0x47, 64), UNKNOWN),
    ("LoongArch, reserved bits", Made(258, 0x143, 64), Made(258, 0x143, 64), UNKNOWN),
    ("s390x, vectors", gnu(22, (8, 1), wide=True, big=True), gnu(22, (8, 2), wide=True, big=True), WARNED),
    ("s390x, vectors and none", gnu(22, (8, 2), wide=True, big=True), gnu(22, wide=True, big=True), LINKED),
    ("SPARC, memory models", gnu(43, flags=0, wide=True, big=True), gnu(43, flags=2, wide=True, big=True), LINKED),
    ("SPARC, UltraSPARC and HAL", gnu(43, flags=0x200, wide=True, big=True), gnu(43, flags=0x400, wide=True, big=True), REFUSED),
    ("SPARC, byte orders of data", gnu(43, flags=0x800000, wide=True, big=True), gnu(43, wide=True, big=True), REFUSED),
    ("SPARC, instruction sets", gnu(43, (4, 1), wide=True, big=True), gnu(43, (4, 2), wide=True, big=True), LINKED),
    ("RISC-V, lp64d and lp64", riscv(), riscv(flags=0), REFUSED),
    ("RISC-V, lp64 and lp64e", riscv(flags=0), riscv(flags=8), REFUSED),
    ("RISC-V, RVC and not", riscv(flags=5), riscv(), LINKED),
    ("RISC-V, A6C and A7", riscv((14, 1)), riscv((14, 3)), REFUSED),
    ("RISC-V, A6C and A6S", riscv((14, 1)), riscv((14, 2)), LINKED),
    ("RISC-V, A6S and A7", riscv((14, 2)), riscv((14, 3)), LINKED),
    ("RISC-V, unknown and A7", riscv((14, 0)), riscv((14, 3)), LINKED),
    ("RISC-V, none and A6C", riscv(), riscv((14, 1)), LINKED),
    ("RISC-V, an atomic ABI that the text lacks", riscv((14, 4)), riscv((14, 4)), UNKNOWN),
    ("RISC-V, x3 global and temporary", riscv((16, 1)), riscv((16, 3)), REFUSED),
    ("RISC-V, x3 unknown and shadow stack", riscv((16, 0)), riscv((16, 2)), LINKED),
    ("RISC-V, x3 unknown and temporary", riscv((16, 0)), riscv((16, 3)), REFUSED),
    ("RISC-V, x3 not said and temporary", riscv(), riscv((16, 3)), UNKNOWN),
    ("RISC-V, stack alignments", riscv((4, 16)), riscv((4, 8)), REFUSED),
    ("RISC-V, default of stack alignment", riscv(), riscv((4, 8)), REFUSED),
    ("RISC-V, privileged specifications", riscv((8, 1), (10, 10)), riscv((8, 1), (10, 11)), REFUSED),
    ("RISC-V, unaligned accesses", riscv((6, 0)), riscv((6, 1)), LINKED),
    ("RISC-V, f and zfinx", riscv((5, "rv64i2p1_f2p2_zicsr2p0")), riscv((5, "rv64i2p1_zfinx1p0_zicsr2p0")), REFUSED),
    ("RISC-V, m and a", riscv((5, "rv64i2p1_m2p0")), riscv((5, "rv64i2p1_a2p1")), LINKED),
    ("RISC-V, no instruction set", riscv((5, "what")), riscv((5, "rv64i2p1")), UNKNOWN),
    ("RISC-V, unknown tag below 64", riscv((18, 1)), riscv(), UNKNOWN),
    ("RISC-V, unknown tag above 64", riscv((64, 1)), riscv(), LINKED),
    ("x86-64, shadow stack in one", x86((0xC0000002, 3)), x86(), DROPPED),
    ("x86-64, shadow stack in both", x86((0xC0000002, 3)), x86((0xC0000002, 3)), LINKED),
    ("x86-64, shadow stack in a library", x86((0xC0000002, 3)), x86(kind=3), LINKED),
    ("x86-64, instruction sets", x86((0xC0008002, 1)), x86((0xC0008002, 9)), LINKED),
    ("x86-64, unknown property", x86((0xC0000009, 1)), x86(), UNKNOWN),
    ("x86-64, classes", x86(), x86(wide=False), REFUSED),
    ("i386, tracking in one", x86((0xC0000002, 1), machine=3, wide=False), x86(machine=3, wide=False), DROPPED),
    ("AArch64, BTI in one", BTI, PLAIN_ARM64, DROPPED),
    ("AArch64, BTI as property and attribute", BTI, build("aeabi_feature_and_bits", 1, (0, 1)), LINKED),
    ("AArch64, schemas", signed(2, 1), signed(2, 3), REFUSED),
    ("AArch64, one schema", signed(2, 1), build("aeabi_pauthabi", 0, (1, 2), (2, 1)), LINKED),
    ("AArch64, a schema and none", signed(2, 1), PLAIN_ARM64, UNKNOWN),
    ("AArch64, unknown subsection that is needed", build("aeabi_new", 0, (1, 1)), PLAIN_ARM64, UNKNOWN),
    ("AArch64, unknown private subsection", build("vendor", 1, (1, 1)), PLAIN_ARM64, LINKED),
    ("AArch64, flags", PLAIN_ARM64._replace(flags=1), PLAIN_ARM64, UNKNOWN),
    ("BPF", Made(247, 0, 64), Made(247, 0, 64), UNKNOWN),
    ("a machine of no target", Made(83, 0), Made(83, 0), UNKNOWN),
    ("two machines of no target", Made(83, 0), Made(84, 0), REFUSED),
    ("extensions of GNU and none", x86()._replace(os_abi=3), x86(), LINKED),
    ("extensions of GNU and FreeBSD", x86()._replace(os_abi=3), x86()._replace(os_abi=9), UNKNOWN),
    ("extensions of GNU twice", x86()._replace(os_abi=3), x86()._replace(os_abi=3), LINKED),
    ("Arm, FDPIC and not", arm()._replace(os_abi=65), arm(), UNKNOWN),
    ("versions of an ABI", x86()._replace(abi_version=1), x86(), UNKNOWN),
    ("a program", x86(kind=2), x86(), REFUSED),
    ("a core file", x86(kind=4), x86(), REFUSED),
]  # fmt: skip


def together(folder: Path, one: Made, other: Made) -> Any:
    return compared(read_object(write(folder / "a.o", one)), read_object(write(folder / "b.o", other)))


@pytest.mark.parametrize(
    ("one", "other", "answer"), [row[1:] for row in PAIRS], ids=[row[0] for row in PAIRS]
)
def test_pairs(tmp_path: Path, one: Made, other: Made, answer: Answer) -> None:
    found = together(tmp_path, one, other)
    assert found.answer is answer, found.findings
    assert together(tmp_path, other, one).answer is answer
    assert {"machine", "class", "byte order"} <= set(found.compared)
    alike = not {"machine", "class", "byte order"} & {each.why.partition(":")[0] for each in found.findings}
    assert ("EI_OSABI" in found.compared) == (alike and one.machine in tables.RULES)


def test_no_file_of_a_machine_without_rules_may_be_linked(tmp_path: Path) -> None:
    for machine in (*MACHINES, 83, 2, 18):
        made = Made(machine, 0, 64)
        if together(tmp_path, made, made).answer is Answer.LINKED:
            assert machine in tables.RULES or machine_of(read_object(tmp_path / "a.o")).ruled


def test_every_value_without_words_is_unknown() -> None:
    """A value that a text does not define is never one that may be linked."""
    for rules in tables.RULES.values():
        for field in rules.fields:
            if isinstance(field.rule, Same) and field.words:
                named = {*field.rule.free, *field.rule.open, *field.rule.vague}
                named |= {value for pair in (*field.rule.pairs, *field.rule.never) for value in pair}
                assert named <= field.words.keys() | {"none"}, field.name


def test_no_bit_is_both_ruled_and_ignored() -> None:
    for machine, rules in tables.RULES.items():
        masks = {field.place.mask for field in rules.fields if isinstance(field.place, Flags)}
        overlap = flag_bits(rules) & rules.other_flags
        assert not overlap or machine == 40, (machine, masks)


def command(*arguments: object) -> int:
    with pytest.raises(SystemExit) as ended:
        main(["object", *map(str, arguments)])
    assert isinstance(ended.value.code, int)
    return ended.value.code


TARGETS = [
    (arm((28, 1)), "arm-aapcs-vfp"),
    (arm(), "arm-aapcs"),
    (arm((28, 3)), "arm-aapcs or arm-aapcs-vfp"),
    (Made(40, 0x05000400, kind=3), "arm-aapcs-vfp"),
    (Made(40, 0x05000200, kind=3), "arm-aapcs"),
    (Made(40, 0x05000000), "arm-aapcs or arm-aapcs-vfp"),
    (power64(0, descriptors=True), "powerpc64-elfv1"),
    (power64(1), "powerpc64-elfv1"),
    (power64(2), "big-endian ELFv2, which is no target"),
    (Made(21, 2, 64), "powerpc64le-elfv2"),
    (Made(21, 0, 64), "ELFv1 or ELFv2, little-endian: the file does not say which"),
    (mips(0x80000007, wide=True), "mips64el-n64"),
    (mips(0x80000027), "mips64el-n32"),
    (mips(0x70001007), "mipsel-o32"),
    (mips(0x80000007, wide=True)._replace(big=True), "mips64-n64"),
    (mips(0x70001007)._replace(big=True), "mips-o32"),
    (x86(wide=False), "x86_64-x32"),
    (Made(83, 0), "none that is known"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("made", "target"), TARGETS, ids=[f"{at}-{row[1]}" for at, row in enumerate(TARGETS)]
)
def test_targets(tmp_path: Path, made: Made, target: str) -> None:
    found = read_object(write(tmp_path / "a.o", made))
    assert next(fact.value for fact in facts(found) if fact.name == "target") == target


def test_the_static_base_needs_a_register(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command(write(tmp_path / "a.o", arm((15, 2)))) == 1
    assert "r9 is none" in capsys.readouterr().out
    assert command(write(tmp_path / "a.o", arm((14, 1), (15, 2)))) == 0


STATUSES = [
    (x86(), x86(), 0, "they may be linked together"),
    (x86((0xC0000002, 1)), x86(), 0, "the output loses a feature"),
    (Made(83, 0), Made(83, 0), 3, "not known whether they may be linked together"),
    (arm((18, 2)), arm((18, 4)), 1, "they are incompatible, though a linker may only warn"),
    (arm((23, 3)), arm((23, 3), (28, 1)), 1, "they may not be linked together"),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other", "status", "words"), STATUSES, ids=[row[3] for row in STATUSES])
def test_the_command_on_two_files(
    tmp_path: Path, one: Made, other: Made, status: int, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    files = write(tmp_path / "a.o", one), write(tmp_path / "b.o", other)
    assert command(*files) == status
    told = capsys.readouterr().out
    assert words in told
    assert "compared: machine, class, byte order" in told


def test_a_file_of_an_unknown_machine(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command(write(tmp_path / "a.o", Made(83, 0))) == 3
    assert "nothing is known of what files of this machine say" in capsys.readouterr().out


def test_an_archive_in_groups(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    soft, hard = (
        write(tmp_path / name, made).read_bytes()
        for name, made in (("s", arm((23, 3))), ("h", arm((23, 3), (28, 1))))
    )
    library = tmp_path / "lib.a"
    library.write_bytes(archive(("a.o", soft), ("b.o", hard), ("c.o", soft)))
    assert [group.members for group in read_input(library).groups] == [("a.o", "c.o"), ("b.o",)]
    assert command(library, tmp_path / "h", "--format", "json") == 1
    told = json.loads(capfdbinary.readouterr().out)
    assert [item["members"] for item in told["files"][:2]] == [["a.o", "c.o"], ["b.o"]]
    assert "lib.a(a.o) with" in told["findings"][0]["why"]
    library.write_bytes(archive(("b.o", hard)))
    assert command(library, tmp_path / "h") == 0
    library.write_bytes(archive(("b.o", hard), ("b.bc", b"BC\xc0\xde")))
    assert command(library, tmp_path / "h") == 3


def member(name: str, data: bytes) -> bytes:
    return f"{name:16}{0:<12}{0:<6}{0:<6}{644:<8}{len(data):<10}`\n".encode() + data + b"\n" * (len(data) % 2)


def test_names_of_members(tmp_path: Path) -> None:
    data = write(tmp_path / "x.o", x86()).read_bytes()
    library = tmp_path / "lib.a"
    long = b"a_name_of_more_than_16.o/\nx.o/\n"
    library.write_bytes(
        b"!<arch>\n"
        + member("/", b"\0\0\0\0")
        + member("//", long)
        + member("/0", data)
        + member("#1/4", b"b.o\0" + data)
    )
    assert read_input(library).groups[0].members == ("a_name_of_more_than_16.o", "b.o")
    table = (
        f"{'//':16}{0:<12}{0:<6}{0:<6}{644:<8}{len(long):<10}`\n".encode() + long + b"\n" * (len(long) % 2)
    )
    library.write_bytes(
        b"!<thin>\n" + table + f"{'/26':16}{0:<12}{0:<6}{0:<6}{644:<8}{len(data):<10}`\n".encode()
    )
    assert read_input(library).groups[0].members == ("x.o",)
    tmp_path.joinpath("x.o").unlink()
    assert command(library) == 2


DAMAGED = [
    b"!<arch>\n",
    b"!<arch>\nshort",
    b"!<arch>\n" + b" " * 60,
    b"!<arch>\n" + member("a.o", b"x" * 8)[:-4],
    b"!<arch>\n" + member("/7", b"x"),
    b"!<arch>\n" + member("#1/9", b"x"),
    b"!<arch>\n" + member("a.o", b"\x7fELF"),
    b"!<thin>\n" + member("none.o", b""),
]


@pytest.mark.parametrize("data", DAMAGED, ids=map(str, range(len(DAMAGED))))
def test_a_damaged_archive_is_a_usage_error(
    tmp_path: Path, data: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "lib.a"
    path.write_bytes(data)
    assert command(path) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_a_thin_archive_of_what_is_no_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A device or a pipe is not read, from which bytes could come without end."""
    path = tmp_path / "lib.a"
    path.write_bytes(b"!<thin>\n" + member("/dev/null", b""))
    assert command(path) == 2
    assert "/dev/null is not a file" in capsys.readouterr().err


SECTIONS = [
    (40, ".ARM.attributes", b"B"),
    (40, ".ARM.attributes", b"A\xff\xff\xff\xffaeabi\0"),
    (40, ".ARM.attributes", b"A\x04\0\0\0"),
    (40, ".ARM.attributes", attributes("aeabi", (6, 1), (6, 2))),
    (40, ".ARM.attributes", attributes("aeabi", (5, "x"))[:-1]),
    (40, ".ARM.attributes", attributes("aeabi", (6, 1 << 80))),
    (183, ".ARM.attributes", b"A\x0b\0\0\0aeabi_\0"),
    (62, ".note.gnu.property", b"\4\0\0\0\xff\0\0\0\5\0\0\0GNU\0"),
    (62, ".note.gnu.property", b"\4\0\0\0\x08\0\0\0\5\0\0\0GNU\0\2\0\0\xc0\xff\0\0\0"),
    (8, ".MIPS.abiflags", b"short"),
    (62, ".note.gnu.property", bytes((1 << 20) + 1)),
]


@pytest.mark.parametrize(("machine", "name", "data"), SECTIONS, ids=map(str, range(len(SECTIONS))))
def test_a_damaged_section_is_a_usage_error(
    tmp_path: Path, machine: int, name: str, data: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command(write(tmp_path / "a.o", Made(machine, 0, sections=((name, data),)))) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
