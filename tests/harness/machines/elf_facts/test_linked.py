"""Objects from compilers: what is said of each pair, and what the linkers say of it."""

from __future__ import annotations

import re
import shutil
import struct
import subprocess
from pathlib import Path

import pytest

from abiprobe.harness.machines.elf_facts.files import compare_inputs, read_input, read_object
from abiprobe.harness.machines.elf_facts.machines import compared
from abiprobe.oracles.linking.field import Answer

from .linked import ARM, DIES, DOUBLE, PAIRS, SILENT, Pair, Side

LLD = "ld.lld-22"


def needs(*commands: str) -> None:
    for command in commands:
        program = command.split()[0]
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed")


def built(folder: Path, name: str, side: Side) -> Path:
    assembly = side.source.startswith(".")
    source, output = folder / f"{name}.{'s' if assembly else 'c'}", folder / f"{name}.o"
    end = f'\n.text\n.globl {name}\n{name}:\n nop\n.section .note.GNU-stack, "", %progbits\n'
    source.write_text(side.source + end if assembly else side.source.replace("NAME", name))
    subprocess.run([*side.command.split(), "-w", "-c", str(source), "-o", str(output)], check=True)
    if side.flags is not None:
        data = bytearray(output.read_bytes())
        struct.pack_into("<I" if data[5] == 1 else ">I", data, 36 if data[4] == 1 else 48, side.flags)
        output.write_bytes(data)
    return output


def said(linker: str, folder: Path, files: tuple[Path, Path]) -> tuple[int, str]:
    """The status and the words of a linker, without its name and our folder."""
    words = [*linker.split(), "-e", "0", "-o", str(folder / "NAME"), *map(str, files)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    return done.returncode, re.sub(r"\b[ab]\.o", "NAME.o", done.stderr.replace(f"{folder}/", ""))


def check(linker: str, folder: Path, files: tuple[Path, Path], expected: str) -> None:
    status, told = said(linker, folder, files)
    if expected == DIES:
        assert status < 0
    elif expected == SILENT:
        assert (status, told) == (0, "")
    else:
        assert expected.removeprefix("warning: ") in told
        assert (status == 0) == expected.startswith("warning: ")


@pytest.mark.parametrize("pair", PAIRS, ids=[pair.name for pair in PAIRS])
def test_pairs_and_the_words_of_linkers(tmp_path: Path, pair: Pair) -> None:
    needs(pair.one.command, pair.other.command, *filter(None, (pair.ld,)), LLD)
    files = built(tmp_path, "a", pair.one), built(tmp_path, "b", pair.other)
    found = compared(*map(read_object, files))
    assert found.answer is pair.answer, found.findings
    if pair.ld is not None and pair.ld_says is not None:
        check(pair.ld, tmp_path, files, pair.ld_says)
    if pair.lld_says is not None:
        check(LLD, tmp_path, files, pair.lld_says)


@pytest.mark.parametrize("options", ["rcs", "rcsT"])
def test_archives_of_ar(tmp_path: Path, options: str) -> None:
    """Archives, the second one thin, with a table of symbols and a name of more than 15 characters."""
    soft, hard = (Side(f"{ARM} -mfloat-abi={each}", DOUBLE) for each in ("softfp", "hard"))
    needs("ar", ARM)
    files = [built(tmp_path, name, soft) for name in ("a", "a_name_of_eighteen")]
    library = tmp_path / "lib.a"
    subprocess.run(["ar", options, str(library), *(each.name for each in files)], check=True, cwd=tmp_path)
    found = read_input(library)
    assert [group.members for group in found.groups] == [("a.o", "a_name_of_eighteen.o")]
    assert compare_inputs(found, read_input(files[0])).answer is Answer.LINKED
    assert compare_inputs(read_input(built(tmp_path, "b", hard)), found).answer is Answer.REFUSED


def severity(says: str | None) -> Answer | None:
    """What the words of a linker amount to."""
    if says is None or says == DIES:
        return None
    if says == SILENT:
        return Answer.LINKED
    return Answer.WARNED if says.startswith("warning: ") else Answer.REFUSED


def test_a_linker_that_disagrees_has_a_reason() -> None:
    """Only a warning for a refusal, silence for either, and any word on what may be linked need one."""
    for pair in PAIRS:
        said = {severity(pair.ld_says), severity(pair.lld_says)} - {None}
        agree = {
            Answer.LINKED: {Answer.LINKED},
            Answer.DROPPED: {Answer.LINKED},
            Answer.UNKNOWN: set(),
            Answer.WARNED: {Answer.WARNED, Answer.REFUSED},
            Answer.REFUSED: {Answer.REFUSED},
        }[pair.answer]
        assert (said <= agree) != bool(pair.why), pair.name


def test_the_table_has_every_answer() -> None:
    assert len(PAIRS) >= 40
    assert {pair.answer for pair in PAIRS} == set(Answer)
