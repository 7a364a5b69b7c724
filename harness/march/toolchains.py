"""Toolchains that accept or refuse an ISA string and an ABI.

A pair is answered in two steps. The string is put to the tool's own parser (`abiprobe.harness.march.batch_driver`).
Of an accepted string an ABI asks no more than XLEN, FLEN, the base and whether floats live in integer
registers: one accepted string of each such class is compiled for each ABI, by a real run of the driver. That this loses nothing is not assumed: `differential` puts a sample of whole pairs to the driver too.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path

import msgspec

from abiprobe.harness.base import child
from abiprobe.harness.base.problem import Problem
from abiprobe.harness.base.removal import temporary
from abiprobe.harness.march.batch_driver import Expanded, directives, expansions
from abiprobe.harness.subjects.compile import error_line
from abiprobe.harness.subjects.find import discover, named_program, parse_subject
from abiprobe.harness.subjects.subject import Subject
from abiprobe.oracles.abis.riscv.isa import Isa
from abiprobe.oracles.registry import find_target

SECONDS = 60.0
IGNORED = "ignoring target-abi"
TARGETS = ("riscv64-lp64d", "riscv32-ilp32d")
CLANGS = frozenset({"clang", "zig"})
"""The families whose programs are clang."""
ISA_SPEC = "-misa-spec=20191213"
"""The option by which gcc tells the assembler of an edition; its own default may lack versions that this edition has."""
PLAIN = re.compile(r"riscv\d+-[\w-]+-gcc(-\d+)?")
"""The name of a gcc for RISC-V alone, as a program has it."""
OTHER_GCC = "riscv64-unknown-elf-gcc"
"""A second gcc for RISC-V, beside one for Linux."""


class AbiClass(msgspec.Struct, frozen=True, order=True):
    """The features of an instruction set that decide which ABIs it carries; widths in bits.

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
    """A toolchain by the name of its compiler (`clang-22`, `gcc-12`, `gcc:PROGRAM`), of the family `clang` or `gcc`."""

    name: str
    family: str

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
        """Return the words of a real run that compiles for a pair; empty if it accepts it and does as it was told."""
        with temporary() as folder:
            source = Path(folder, "empty.c")
            source.write_text("void f(void) {}\n", "utf-8")
            options = (f"-march={march}", f"-mabi={abi}", "-c", str(source), "-o", f"{folder}/empty.o")
            done = child.run((*self.compiler(march), *options), timeout=SECONDS, scratch=Path(folder))
        said = done.stderr.decode("utf-8", "replace")
        if done.ok:
            return error_line(done.stderr) if IGNORED in said else ""
        return error_line(done.stderr) or done.signal or "failed without a word"


class Clang(Judge):
    """clang, whose integrated assembler has the parser of its driver."""

    family = "clang"

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

    family = "gcc"

    def __init__(self, name: str, command: tuple[str, ...]) -> None:
        self.name = name
        self._gcc = command
        self._as = (assembler(command),)

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


def assembler(gcc: tuple[str, ...]) -> str:
    """The assembler that a gcc starts."""
    done = child.run((*gcc, "-print-prog-name=as"), timeout=SECONDS)
    return done.stdout.decode("utf-8", "replace").strip() or "as"


def installed() -> tuple[Judge, ...]:
    """Every clang and RISC-V gcc that is here, by the names that `abiprobe list toolchains` gives."""
    subjects = discover(tuple(map(find_target, TARGETS)))
    known = [found for subject in subjects if (found := judge(subject)) is not None]
    other = judge(parse_subject(f"gcc:{OTHER_GCC}"))
    return (*known, *(() if other is None else (other,)))


def named(names: Sequence[str]) -> tuple[Judge, ...]:
    """The toolchains of these names, each once; raises `Problem` for one that is none of RISC-V or not here."""
    found = {name: judge(parse_subject(f"gcc:{name}" if PLAIN.fullmatch(name) else name)) for name in names}
    absent = [name for name, one in found.items() if one is None]
    if absent:
        here = ", ".join(one.name for one in installed())
        raise Problem(f"no such RISC-V toolchain: {', '.join(absent)}", f"here are {here or 'none'}")
    return tuple(one for one in found.values() if one is not None)


def judge(subject: Subject) -> Judge | None:
    """A subject as a toolchain for RISC-V; `None` if it is not installed, or of a family that is not asked."""
    if subject.family.name not in CLANGS | {"gcc"} or subject.triple:
        return None
    _, colon, program = subject.name.partition(":")
    found = named_program(program) if colon else subject.family.find(subject.name, TARGETS[0])
    if found is None:
        return None
    command = (*found, *subject.options)
    return (Gcc if subject.family.name == "gcc" else Clang)(subject.spelling, command)
