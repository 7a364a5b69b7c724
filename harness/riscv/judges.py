"""Toolchains that accept or refuse an ISA string and an ABI.

A pair is answered in two steps. The string is put to the tool's own parser (`abiprobe.harness.riscv.asking`).
Of an accepted string an ABI asks no more than XLEN, FLEN, the base and whether floats live in integer
registers: one accepted string of each such class is compiled for each ABI, by a real run of the driver. That this loses nothing is not assumed: `differential` puts a sample of whole pairs to the driver too.
"""

from __future__ import annotations

import shutil
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path

import msgspec

from abiprobe.harness import child
from abiprobe.harness.compile import spoken
from abiprobe.harness.riscv.asking import Expanded, directives, expansions
from abiprobe.harness.toolchains.zig import program
from abiprobe.oracles.riscv.isa import Isa

SECONDS = 60.0
IGNORED = "ignoring target-abi"
CLANGS = ("clang-22", "clang-19", "clang-16", "clang-14")
ISA_SPEC = "-misa-spec=20191213"
"""What gcc tells the assembler, whose own default may lack versions that this edition has."""
GCCS = ("riscv64-linux-gnu-", "riscv64-unknown-elf-")


class AbiClass(msgspec.Struct, frozen=True, order=True):
    """What of an instruction set decides which ABIs it carries; widths in bits.

    `own` has the floating-point letters that the tool itself expands the string to, where it says so: gcc 12 does
    not imply D by Q.
    """

    xlen: int
    base: str
    flen: int
    float_in_integer: bool
    own: str

    @classmethod
    def of(cls, march: Isa, own: str) -> AbiClass:
        """The class of an instruction set that a tool takes to have the floating-point letters `own`."""
        return cls(march.xlen, march.base, march.flen, "zfinx" in march.extensions, own)


class Judge(ABC):
    """A toolchain by the name of its compiler."""

    name: str

    @abstractmethod
    def marches(self, marches: Sequence[str]) -> dict[str, str]:
        """The complaint about each ISA string; empty for none. Raises `ToolError`."""

    @abstractmethod
    def floats(self, marches: Sequence[str]) -> dict[str, str]:
        """The letters among F, D and Q in the tool's own expansion of each accepted string, as far as it tells."""

    @abstractmethod
    def compiler(self, march: str) -> tuple[str, ...]:
        """The command that compiles for `march`."""

    def whole(self, march: str, abi: str) -> str:
        """What a real run says when it compiles for a pair; empty when it accepts it and does as it was told."""
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder, "empty.c")
            source.write_text("void f(void) {}\n", "utf-8")
            options = (f"-march={march}", f"-mabi={abi}", "-c", str(source), "-o", f"{folder}/empty.o")
            done = child.run((*self.compiler(march), *options), timeout=SECONDS)
        said = done.stderr.decode("utf-8", "replace")
        if done.ok:
            return spoken(done.stderr) if IGNORED in said else ""
        return spoken(done.stderr) or done.signal or "failed without a word"


class Clang(Judge):
    """clang, whose integrated assembler has the parser of its driver."""

    def __init__(self, name: str, command: tuple[str, ...]) -> None:
        self.name = name
        self._command = command

    def marches(self, marches: Sequence[str]) -> dict[str, str]:
        answers: dict[str, str] = {}
        for xlen in ("32", "64"):
            asked = [march for march in marches if (march[2:4] == "32") == (xlen == "32")]
            answers |= directives((*self._command, f"--target=riscv{xlen}", f"-march=rv{xlen}i", "-c"), asked)
        return answers

    def floats(self, marches: Sequence[str]) -> dict[str, str]:
        return dict.fromkeys(marches, "")

    def compiler(self, march: str) -> tuple[str, ...]:
        return (*self._command, f"--target=riscv{'32' if march[2:4] == '32' else '64'}")


class Gcc(Judge):
    """gcc: its driver expands the string, and the assembler must take the expansion."""

    def __init__(self, name: str, prefix: str) -> None:
        self.name = name
        self._gcc = (f"{prefix}gcc",)
        self._as = (f"{prefix}as",)

    def marches(self, marches: Sequence[str]) -> dict[str, str]:
        expanded = expansions(self._gcc, marches)
        handed = sorted({answer.arch for answer in expanded.values() if not answer.words})
        assembled: dict[str, str] = {}
        for xlen, abi in (("32", "ilp32"), ("64", "lp64")):
            asked = [arch for arch in handed if arch[2:4] == xlen]
            assembled |= directives((*self._as, ISA_SPEC, f"-march=rv{xlen}i", f"-mabi={abi}"), asked)
        return {march: self._words(expanded[march], assembled) for march in marches}

    def floats(self, marches: Sequence[str]) -> dict[str, str]:
        expanded = expansions(self._gcc, marches)
        letters = {march: expanded[march].arch.partition("_")[0][len("rv64") :] for march in marches}
        return {march: "".join(each for each in "fdq" if each in letters[march]) for march in marches}

    @staticmethod
    def _words(answer: Expanded, assembled: dict[str, str]) -> str:
        said = assembled.get(answer.arch, "")
        return answer.words or (f"as: {said}" if said else "")

    def compiler(self, march: str) -> tuple[str, ...]:  # noqa: ARG002 - one program builds for both widths
        return self._gcc


def installed(names: Sequence[str] = ()) -> tuple[Judge, ...]:
    """The toolchains that are here, or those of them that are named."""
    found: list[Judge] = [Clang(name, (name,)) for name in CLANGS if shutil.which(name)]
    zig = program()
    if zig:
        found.append(Clang("zig", (zig, "clang")))
    found += [Gcc(f"{prefix}gcc", prefix) for prefix in GCCS if shutil.which(f"{prefix}gcc")]
    return tuple(judge for judge in found if not names or judge.name in names)
