"""Relocations in debug sections: the names and the effects that pyelftools has, another reading of the same documents."""

from __future__ import annotations

import re
from io import BytesIO
from pathlib import Path

import pytest
from elftools.elf import enums
from elftools.elf.elffile import ELFFile
from elftools.elf.relocation import RelocationHandler, RelocationSection

from abiprobe.harness.base import child
from abiprobe.harness.machines.readers.relocate import relocated
from abiprobe.harness.machines.readers.relocations import RELOCATIONS, RelocationKind
from abiprobe.harness.machines.readers.unread import UnreadError
from abiprobe.harness.subjects.families import zig

NAMES = {
    "EM_X86_64": enums.ENUM_RELOC_TYPE_x64,
    "EM_386": enums.ENUM_RELOC_TYPE_i386,
    "EM_AARCH64": enums.ENUM_RELOC_TYPE_AARCH64,
    "EM_ARM": enums.ENUM_RELOC_TYPE_ARM,
    "EM_MIPS": enums.ENUM_RELOC_TYPE_MIPS,
    "EM_PPC": enums.ENUM_RELOC_TYPE_PPC,
    "EM_PPC64": enums.ENUM_RELOC_TYPE_PPC64,
    "EM_S390": enums.ENUM_RELOC_TYPE_S390X,
    "EM_LOONGARCH": enums.ENUM_RELOC_TYPE_LOONGARCH,
}
APPLIED = (
    "x86_64-linux-gnu",
    "i386-linux-gnu",
    "aarch64-linux-gnu",
    "arm-linux-gnueabi",
    "mips-linux-gnu",
    "mipsel-linux-gnu",
    "powerpc64le-linux-gnu",
    "s390x-linux-gnu",
    "loongarch64-linux-gnu",
)


@pytest.mark.parametrize("machine", NAMES)
def test_names_and_numbers_are_those_of_pyelftools(machine: str) -> None:
    # Of AArch64 it has 256 for none, which the document has withdrawn.
    for number, relocation in RELOCATIONS[machine].items():
        assert number == 0 or NAMES[machine].get(relocation.name, number) == number


@pytest.mark.parametrize("machine", RELOCATIONS, ids=str)
def test_a_relocation_that_changes_something_has_a_size(machine: str | int) -> None:
    for number, relocation in RELOCATIONS[machine].items():
        assert (relocation.change is RelocationKind.NOTHING) == (number == 0) == (relocation.size == 0)
        wide = re.search(r"(8|16|24|32|64)S?$", relocation.name)
        assert wide is None or relocation.size * 8 == int(wide[1])


def compiled(folder: Path, triple: str) -> ELFFile:
    program = zig.program()
    if program is None:
        pytest.skip("zig is not installed")
    source, output = folder / "unit.c", folder / "unit.o"
    source.write_text("struct S { char a; long b; } one; union U { struct S s[3]; float f; } two;\n")
    done = child.run(
        (program, "clang", f"--target={triple}", "-w", "-g", "-c", str(source), "-o", str(output)), timeout=60
    )
    assert done.ok, done.stderr
    return ELFFile(BytesIO(output.read_bytes()))


@pytest.mark.parametrize("triple", APPLIED)
def test_sections_come_out_as_with_pyelftools(tmp_path: Path, triple: str) -> None:
    elf = compiled(tmp_path, triple)
    handler = RelocationHandler(elf)
    seen = 0
    for section in elf.iter_sections():
        table = handler.find_relocations_for_section(section)
        if section.name.startswith(".debug_") and isinstance(table, RelocationSection):
            stream = BytesIO(section.data())
            handler.apply_section_relocations(stream, table)
            assert relocated(elf, section) == stream.getvalue()
            seen += 1
    assert seen > 1


def test_a_relocation_that_is_not_known_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    elf = compiled(tmp_path, "aarch64-linux-gnu")
    monkeypatch.setitem(RELOCATIONS, "EM_AARCH64", {})
    with pytest.raises(UnreadError, match="relocation 258 of EM_AARCH64 in debug information is not known"):
        relocated(elf, elf.get_section_by_name(".debug_info"))
