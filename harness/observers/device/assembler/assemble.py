"""Running ptxas: one text, one relocatable image, or why there is none; a text that breaks it is bisected."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

import msgspec

from abiprobe.harness.base import child
from abiprobe.harness.subjects.compile import Limits, failure_text
from abiprobe.harness.subjects.crashes import is_crash
from abiprobe.harness.subjects.cuda_tools import Tool
from abiprobe.results.verdicts.record import Outcome

P = TypeVar("P")
MEBI = 1 << 20
"""ptxas needs 22 MiB and 0.14 MiB a function; its address space is larger."""
LIMITS = Limits(base_seconds=20.0, probe_seconds=0.1, memory=4096 * MEBI)
WORDS = 300
NEWEST = re.compile(r"Unsupported \.version .*current version is '(\d+\.\d+)'")
UNKNOWN_ARCH = "is not defined for option 'gpu-name'"
"""How ptxas says that it does not know an architecture."""
VERSION = re.compile(r"\.version\s+\d+\.\d+")
FAULT = re.compile(rb"line (\d+); error")


class Assembled(msgspec.Struct, frozen=True):
    """The result of ptxas for a text: the image, or how it ended and its message; warnings come with an image, too.

    `lines` are those in which it found errors, counted from 1.
    """

    outcome: Outcome
    image: bytes = b""
    words: str = ""
    signal: str = ""
    cpu_seconds: float = 0.0
    lines: tuple[int, ...] = ()


class Assembler(msgspec.Struct, frozen=True):
    """ptxas with its options: an architecture (`sm_75`), a level (`O1`), relocatable code or a whole program."""

    tool: Tool
    arch: str = "sm_75"
    level: str = "O1"
    relocatable: bool = True
    more: tuple[str, ...] = ()
    limits: Limits = LIMITS

    @property
    def options(self) -> tuple[str, ...]:
        """The options on its command line."""
        return (*(("-c",) if self.relocatable else ()), f"-{self.level}", f"-arch={self.arch}", *self.more)

    def assemble(self, text: str, folder: Path, functions: int = 1) -> Assembled:
        """Assemble `text`, which has so many functions, in a scratch folder.

        A text of a version newer than ptxas is tried again as one of the newest that it knows: compilers write the newest
        version that they know, and rarely need it.
        """
        first = self.once(text, folder, functions)
        newest = NEWEST.search(first.words)
        if first.outcome is not Outcome.REFUSED or newest is None:
            return first
        return self.once(VERSION.sub(f".version {newest[1]}", text, count=1), folder, functions)

    def once(self, text: str, folder: Path, functions: int) -> Assembled:
        """Assemble `text` as it is."""
        source, output = folder / "unit.ptx", folder / "unit.cubin"
        source.write_text(text, "utf-8")
        output.unlink(missing_ok=True)
        command = (self.tool.path, *self.options, str(source), "-o", str(output))
        done = child.run(command, timeout=self.limits.seconds(functions), memory=self.limits.memory)
        if done.ok and output.exists():
            words = done.stderr.decode("utf-8", "replace").replace(f"{folder}/", "").strip()
            return Assembled(
                Outcome.OBSERVED, output.read_bytes(), words[:WORDS], cpu_seconds=done.cpu_seconds
            )
        outcome = (
            Outcome.TIMED_OUT
            if done.timed_out
            else Outcome.CRASHED
            if done.ok or is_crash(done)
            else Outcome.REFUSED
        )
        lines = tuple(dict.fromkeys(map(int, FAULT.findall(done.stderr))))
        return Assembled(
            outcome, b"", message(done, folder), done.signal or "", cpu_seconds=done.cpu_seconds, lines=lines
        )


def message(done: child.Exit, folder: Path) -> str:
    """Return ptxas's errors one after the other, without the scratch folder."""
    lines = [
        line.replace(f"{folder}/", "").strip()
        for line in done.stderr.decode("utf-8", "replace").splitlines()
        if "error" in line or "fatal" in line or "warning" in line
    ]
    messages = [line for line in lines if "aborted due to errors" not in line]
    return "; ".join(messages)[:WORDS] or failure_text(done, folder)


def halves(items: Sequence[P]) -> tuple[Sequence[P], Sequence[P]]:
    """The first half, and the second."""
    middle = len(items) // 2
    return items[:middle], items[middle:]


def bisected(
    assembler: Assembler,
    items: Sequence[P],
    text: Callable[[Sequence[P]], str],
    folder: Path,
    split: Callable[[Sequence[P]], tuple[Sequence[P], Sequence[P]]] = halves,
) -> Iterator[tuple[Sequence[P], Assembled]]:
    """Assemble all items as one text; when that fails, each part, down to the items that fail alone."""
    if not items:
        return
    assembled = assembler.assemble(text(items), folder, len(items))
    if assembled.outcome is Outcome.OBSERVED or len(items) == 1:
        yield items, assembled
        return
    for part in split(items):
        yield from bisected(assembler, part, text, folder, split)
