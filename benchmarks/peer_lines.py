"""The lines of `peers.py`: what other testers of calls and layouts do with a file, and what abiprobe does with a batch."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, Protocol

import msgspec

from abiprobe.generators.pool import PoolSort, stream
from abiprobe.harness.observers.batch import Job, run_job
from abiprobe.harness.subjects.find import at_level
from abiprobe.oracles.language.question import Sort
from abiprobe.oracles.registry import find_target
from abiprobe.results.journal.journal import Pairs
from abiprobe.results.verdicts.record import Judgement

GCC, CLANG, X86, RISCV = "gcc-12", "clang-22", "x86_64-sysv", "riscv64-lp64d"
COMMANDS = {
    (X86, GCC): ("x86_64-linux-gnu-gcc-12",),
    (X86, CLANG): ("clang-22",),
    (RISCV, GCC): ("riscv64-linux-gnu-gcc-12", "-static"),
}
RUNNERS = {X86: (), RISCV: ("qemu-riscv64",)}
BATCH = 250


class Done(msgspec.Struct, frozen=True):
    """One file or batch: how many cases it had, and how many programs or verdicts showed something."""

    cases: int
    shown: int


class Line(Protocol):
    """A line of the table: its title, the units of a turn, and the work on one, which any process can do."""

    @property
    def title(self) -> str: ...
    def units(self, folder: Path, turn: int) -> Iterable[Any]: ...
    def work(self, unit: Any) -> Done: ...


class Quest(msgspec.Struct, frozen=True):
    """Quest: `size` functions in one file and their callers in another, one compiler for both."""

    program: str
    target: str
    subject: str
    size: int

    @property
    def title(self) -> str:
        return f"Quest, {self.size} a file | {self.target} | {self.subject}"

    def units(self, folder: Path, turn: int) -> Iterable[tuple[Path, int]]:
        files = max(4, 400 // self.size)
        return [(folder, turn * files + number) for number in range(1, files + 1)]

    def work(self, unit: tuple[Path, int]) -> Done:
        folder, seed = unit
        stem = folder / str(seed)
        tool(self.program, "-2", "-test", "ansi", "-n", str(self.size), "-seed", str(seed), "-o", str(stem))
        image = made(COMMANDS[self.target, self.subject], stem, f"{stem}-main.c", f"{stem}-callee.c")
        return Done(self.size, tool(*RUNNERS[self.target], image).returncode != 0)


class StructLayout(msgspec.Struct, frozen=True):
    """struct-layout-1 on x86-64: a struct is laid out, passed and returned between two compilers.

    Each turn takes a third of its files.
    """

    folder: Path
    second: str

    @property
    def title(self) -> str:
        return f"struct-layout-1 | {X86} | {', '.join(dict.fromkeys((GCC, self.second)))}"

    def units(self, folder: Path, turn: int) -> Iterable[Path]:
        tool(self.folder / "generate", "-s", str(self.folder), "-d", str(folder))
        return sorted(folder.glob("*_main.c"))[turn % 3 :: 3]

    def work(self, unit: Path) -> Done:
        name = unit.name.removesuffix("_main.c")
        flags, objects = ("-c", "-DSKIP_DECIMAL_FLOAT", f"-I{self.folder}"), list[Path]()
        for part, subject in (("main", GCC), ("x", GCC), ("y", self.second)):
            source = unit.with_name(f"{name}_{part}.c")
            objects.append(made((*COMMANDS[X86, subject], *flags), source.with_suffix(".o"), source))
        image = made(COMMANDS[X86, GCC], unit.with_name(name), *objects)
        lines = unit.with_name(f"{name}_test.h").read_text("utf-8").splitlines()
        return Done(sum(line.startswith(("T(", "U(")) for line in lines), tool(image).returncode != 0)


class AbiTest(msgspec.Struct, frozen=True):
    """LLVM's ABITest on x86-64: calls within and between gcc and clang, or what each says of layouts."""

    folder: Path
    layouts: bool

    @property
    def title(self) -> str:
        return f"ABITest, {'layouts' if self.layouts else 'calls'} | {X86} | {GCC}, {CLANG}"

    def units(self, folder: Path, turn: int) -> Iterable[tuple[Path, int]]:
        return [(folder, turn * 4 + number) for number in range(1, 5)]

    def work(self, unit: tuple[Path, int]) -> Done:
        folder, seed = unit
        a, b, driver = (folder / f"{seed}.{part}.c" for part in "abd")
        words = (
            "--no-unsigned --no-vector --no-complex --no-bool --max-record-depth 2 --mode random --count 100"
        )
        program: tuple[str | Path, ...] = (
            sys.executable,
            "-W",
            "ignore",
            self.folder / "ABITestGen.py",
            *words.split(),
        )
        sort = ("--max-args", "0", "--test-layout") if self.layouts else ("-T", b, "-D", driver)
        tool(*program, "--seed", str(seed), "-o", a, *sort)
        halves = (a,) if self.layouts else (a, b)
        objects = {(half, cc): compiled(half, cc) for half in halves for cc in (GCC, CLANG)}
        rest = () if self.layouts else (compiled(driver, GCC),)
        mixes: list[tuple[str, ...]] = [(cc,) for cc in (GCC, CLANG)]
        if not self.layouts:
            mixes = [(callee, caller) for callee in (GCC, CLANG) for caller in (GCC, CLANG)]
        told = set[bytes]()
        for mix in mixes:
            parts = [objects[half, cc] for half, cc in zip(halves, mix, strict=True)]
            told.add(tool(made(COMMANDS[X86, GCC], folder / f"{seed}-{'-'.join(mix)}", *parts, *rest)).stdout)
        return Done(100, len(told) - 1)


class Abiprobe(msgspec.Struct, frozen=True):
    """Ours: batches of drawn records or prototypes; of two compilers, the pairs too."""

    target: str
    subjects: tuple[str, ...]
    kind: PoolSort
    features: frozenset[str]

    @property
    def title(self) -> str:
        return f"abiprobe, {self.kind.value} | {self.target} | {', '.join(self.subjects)}"

    def units(self, folder: Path, turn: int) -> Iterator[Job]:
        del folder
        source = stream(seed=turn, kind=self.kind, features=self.features)
        subjects = tuple(at_level((subject, "O0")) for subject in self.subjects)
        pairs = Pairs.ALL if len(subjects) > 1 and self.kind is Sort.PROTOTYPES else Pairs.NONE
        for number in range(4):
            batch = tuple(islice(source, BATCH))
            yield Job(find_target(self.target), number, self.kind, batch, subjects, pairs=pairs)

    def work(self, unit: Job) -> Done:
        verdicts = [verdict for done in run_job(unit) for verdict in done.verdicts]
        return Done(len(unit.questions), sum(one.verdict is Judgement.DEVIATES for one in verdicts))


def tool(*command: str | Path) -> subprocess.CompletedProcess[bytes]:
    """The answer of a program; one that hangs ends the measurement."""
    return subprocess.run(command, capture_output=True, check=False, timeout=600)


def made(cc: tuple[str, ...], out: Path, *inputs: str | Path) -> Path:
    """The output of a compiler for the inputs; those of a peer are expected to compile."""
    answer = tool(*cc, "-w", "-O0", "-o", out, *inputs)
    assert answer.returncode == 0, answer.stderr.decode(errors="replace")
    return out


def compiled(source: Path, cc: str) -> Path:
    """The object file of one source file of ABITest, which calls `atoi` without declaring it."""
    flags = ("-std=gnu99", "-c", "-include", "stdlib.h")
    return made((*COMMANDS[X86, cc], *flags), source.with_suffix(f".{cc}.o"), source)
