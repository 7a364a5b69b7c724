"""Programs linked at the edges of what each code model reaches: does the link succeed where the text says so?"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
from elftools.elf.elffile import ELFFile
from elftools.elf.relocation import RelocationSection

from abiprobe.harness.base import child
from abiprobe.harness.base.removal import temporary
from abiprobe.harness.march.toolchains import SECONDS, Judge
from abiprobe.harness.subjects.families.zig import program
from abiprobe.oracles.abis.riscv.isa import CodeModel, reaches
from abiprobe.oracles.abis.riscv.isa.code_model import HIGHEST, LOWEST

SOURCE = """extern char far_object;
char *_start(void) { return &far_object; }
__attribute__((section(".far"))) char far_object = 1;
"""
HOMES = {32: (0x10000,), 64: (0x10000, 0x4000_0000_0000)}
"""Addresses of the code, in bytes."""
HIGH_RELOCATIONS = {CodeModel.MEDLOW: (26,), CodeModel.MEDANY: (23,)}
"""R_RISCV_HI20 and R_RISCV_PCREL_HI20: they stand at the `lui` and the `auipc`."""
TEXT_RANGE = 0x1000


class Linked(msgspec.Struct, frozen=True):
    """One link: code at `pc`, an object at `address`; whether the text lets it reach, whether the linker did."""

    judge: str
    linker: str
    model: CodeModel
    xlen: int
    pc: int
    address: int
    reachable: bool
    linked: bool
    words: str

    @property
    def agrees(self) -> bool:
        """Return whether the linker did as the text says."""
        return self.reachable == self.linked


def linkers() -> dict[str, tuple[str, ...]]:
    """The linkers that are here, by name."""
    found: dict[str, tuple[str, ...]] = {}
    zig = program()
    if zig:
        found["zig ld.lld"] = (zig, "ld.lld")
    for name in ("ld.lld", "riscv64-linux-gnu-ld", "riscv64-unknown-elf-ld"):
        path = shutil.which(name)
        if path:
            found[name] = (path,)
    return found


def edges(model: CodeModel, xlen: int, pc: int) -> list[int]:
    """Addresses at and one byte beyond both ends of the reach, in `[0, 2**xlen)`, away from the code itself."""
    origin = pc if model is CodeModel.MEDANY else 0
    wanted = [origin + offset for offset in (HIGHEST, HIGHEST + 1, LOWEST, LOWEST - 1)]
    around = {address & ((1 << xlen) - 1) for address in wanted}
    return sorted(each for each in around if abs(each - pc) > TEXT_RANGE)


def probe_models(judge: Judge, tools: dict[str, tuple[str, ...]]) -> Iterator[Linked]:
    """Every code model and width, at every edge, with every linker."""
    for model in CodeModel:
        for xlen, homes in HOMES.items():
            with temporary() as folder:
                output = Path(folder, "far.o")
                if compile_far(judge, model, xlen, output):
                    for home in homes:
                        pc = home + high_offset(output, model)
                        for address in edges(model, xlen, pc):
                            for name, linker in tools.items():
                                words = link(linker, xlen, output, home, address)
                                reach = reaches(model, xlen, pc, address)
                                yield Linked(
                                    judge.name, name, model, xlen, pc, address, reach, not words, words
                                )


def compile_far(judge: Judge, model: CodeModel, xlen: int, output: Path) -> bool:
    """Compile the program, without relaxation, which would replace the code model's instructions."""
    march, abi = f"rv{xlen}i", "ilp32" if xlen == 32 else "lp64"
    source = output.with_suffix(".c")
    source.write_text(SOURCE, "utf-8")
    options = (f"-march={march}", f"-mabi={abi}", f"-mcmodel={model.value}", "-mno-relax", "-O1", "-fno-pic")
    words = (*judge.compiler(march), *options, "-ffreestanding", "-c", str(source), "-o", str(output))
    return child.run(words, timeout=SECONDS, scratch=output.parent).ok


def high_offset(path: Path, model: CodeModel) -> int:
    """Return the offset in bytes of the instruction with the upper immediate in the code."""
    with path.open("rb") as file:
        section = ELFFile(file).get_section_by_name(".rela.text")
        assert isinstance(section, RelocationSection), path
        return next(
            int(each["r_offset"])
            for each in section.iter_relocations()
            if each["r_info_type"] in HIGH_RELOCATIONS[model]
        )


def link(linker: Sequence[str], xlen: int, unit: Path, home: int, address: int) -> str:
    """Link with the code at `home` and the object at `address`; the linker's words if it refuses."""
    script = unit.with_suffix(".ld")
    script.write_text(
        f"SECTIONS {{ .text {home:#x} : {{ *(.text*) }} .far {address:#x} : {{ *(.far) }} "
        "/DISCARD/ : { *(.comment) *(.note*) *(.eh_frame) *(.llvm*) *(.sdata*) *(.sbss*) *(.data) *(.bss) } }\n",
        "utf-8",
    )
    emulation = f"elf{xlen}lriscv"
    words = (
        *linker,
        "-m",
        emulation,
        "--no-relax",
        "-static",
        "-T",
        str(script),
        str(unit),
        "-o",
        str(unit) + ".out",
    )
    done = child.run(words, timeout=SECONDS, scratch=unit.parent)
    said = done.stderr.decode("utf-8", "replace")
    messages = [
        line for line in said.splitlines() if "out of range" in line or "truncated" in line or "error" in line
    ]
    return "" if done.ok else (messages or [said.strip() or "failed without a word"])[0][:300]
