"""MinGW's assembly as the ELF assembler takes it, and the same code in both formats."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from abiprobe.harness.machines.readers.elf import constants, functions
from abiprobe.harness.subjects.families.gcc import TO_ELF
from abiprobe.harness.subjects.families.mingw_to_elf import translated
from abiprobe.harness.subjects.find import build, identity, parse_subject, program_of, without_our_programs
from abiprobe.oracles.registry import find_target

GCC = "x86_64-w64-mingw32-gcc-12"
GCC_32 = "i686-w64-mingw32-gcc-12"
WINDOWS = "x86_64-windows-gnu"
TRANSLATIONS = [
    ("\t.def\tf;\t.scl\t2;\t.type\t32;\t.endef\n", "\t.type\tf, @function\n"),
    ("\t.seh_proc\tf\nf:\n\t.seh_endprologue\n\tret\n", "f:\n\tret\n"),
    ('\t.section .rdata,"dr"\n', "\t.section .rodata\n"),
    (
        '\t.section\t.rdata$.refptr.x, "dr"\n\t.globl\t.refptr.x\n\t.linkonce\tdiscard\n',
        '\t.section\t.rdata$.refptr.x,"a"\n',
    ),
    (
        '\t.section\t.debug_info,"dr"\n\t.secrel32\t.L0\n',
        '\t.section\t.debug_info,"",@progbits\n\t.long\t.L0\n',
    ),
    ('\t.section .mine,"w"\n', '\t.section .mine,"aw"\n'),
    ("\t.comm\tx, 400, 5\n", "\t.comm\tx, 400, 32\n"),
    (".lcomm z,40,32\n", "\t.local z\n\t.comm z,40,32\n"),
    ("a:\n\t.long\t1\n\t.long\t2\n", "a:\n\t.long\t1\n\t.long\t2\n\t.size\ta, .-a\n"),
    ("f:\n\tret\n", "f:\n\tret\n"),
    ("\t.globl\tf@8\n\tcall\t@g_1@12\n", "\t.globl\tf\n\tcall\tg_1\n"),
]
UNIT = """
extern int elsewhere;
const unsigned char bytes[] = {1, 2, 3};
static int counted[10];
int *local(void) { return counted; }
int far(void) { return elsewhere; }
"""


@pytest.mark.parametrize(("coff", "elf"), TRANSLATIONS)
def test_directives(coff: str, elf: str) -> None:
    assert translated(coff) == elf


def mingw(program: str = GCC) -> str:
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed")
    return program


@pytest.mark.parametrize("options", [(), ("-O2",), ("-g",)])
def test_an_object_file_in_the_elf_format(options: tuple[str, ...], tmp_path: Path) -> None:
    unit, output = tmp_path / "unit.c", tmp_path / "unit.o"
    unit.write_text(UNIT, "utf-8")
    command = (*TO_ELF, mingw(), *options, "-c", str(unit), "-o", str(output))
    subprocess.run(command, check=True)
    data = output.read_bytes()
    assert constants(data)["bytes"] == b"\1\2\3"
    assert functions(data) == {"local", "far"}


POPPING = """
__attribute__((stdcall)) int popped(int a) { return a; }
__attribute__((fastcall)) int calls(int a, int b) { return popped(a) + b; }
"""


def test_names_of_32_bits_tell_nothing_of_arguments(tmp_path: Path) -> None:
    unit, output = tmp_path / "unit.c", tmp_path / "unit.o"
    unit.write_text(POPPING, "utf-8")
    options = ("-m32", "-fno-leading-underscore")
    subprocess.run((*TO_ELF, mingw(GCC_32), *options, "-c", str(unit), "-o", str(output)), check=True)
    assert functions(output.read_bytes()) == {"popped", "calls"}


def test_a_mistake_is_the_compilers_own(tmp_path: Path) -> None:
    unit = tmp_path / "unit.c"
    unit.write_text("int f(", "utf-8")
    done = subprocess.run(
        (*TO_ELF, mingw(), "-c", str(unit), "-o", str(tmp_path / "unit.o")), check=False, capture_output=True
    )
    assert done.returncode == 1
    assert b"error" in done.stderr
    assert not (tmp_path / "unit.o").exists()


def test_the_compiler_is_known_by_its_own_files() -> None:
    mingw()
    made = build(parse_subject("gcc-12"), find_target(WINDOWS), "O0")
    assert made is not None
    own = without_our_programs(made.command)
    assert Path(program_of(own)[0]).name == GCC
    assert identity(made.command).sure
