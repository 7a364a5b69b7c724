"""Thousands of ISA strings put to one process.

A spawn for each string is out of the question (47 ms for clang), so each tool is asked where it parses many:

* clang and GNU as read one directive `.attribute arch, "STRING"` a line and complain by line number. It is
  the parser behind `-march` in both (in clang with experimental extensions let in).
* gcc's driver expands `-march` by the spec function `riscv_expand_arch`. A spec file may call it once for each
  string; with `-###` nothing is run, complaints name their string, and expansions are printed in order.

Every file a tool writes lies in a folder of our own and never at a device: a failing tool removes its output.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from abiprobe.harness.base import child
from abiprobe.harness.base.removal import temporary

CHUNK = 10_000
"""Strings put to one process."""
SECONDS = 120.0
_ASKABLE = re.compile(r"[A-Za-z0-9_]+")
_LINE = re.compile(r"^[^\n]*?\.s:(\d+)(?::\d+)?: (?:fatal )?error: (.*)$", re.MULTILINE | re.IGNORECASE)
_DRIVER = re.compile(r"^[^\n]*error: .-march=(\w+).: (.*)$", re.MULTILINE)
_EXPANDED = re.compile(r'"-march=(\w+)"')
FIRST = "rv64i"
"""Asked before all others: a refused string is printed as the expansion of the one before it."""


class ToolError(Exception):
    """A tool did not answer as it does when it works; the message has its words."""


class Expanded(msgspec.Struct, frozen=True):
    """gcc's answer: its complaint, or empty words and the string that it hands to the assembler."""

    words: str
    arch: str


def directives(assembler: Sequence[str], marches: Sequence[str]) -> dict[str, str]:
    """Map each ISA string to an assembler's message; empty words are no complaint. Raises `ToolError`. Raises `ToolError`."""
    answers: dict[str, str] = {}
    for chunk in _chunks(marches):
        text = "".join(f'.attribute arch, "{march}"\n' for march in chunk)
        with temporary() as folder:
            source = Path(folder, "arch.s")
            source.write_text(text, "utf-8")
            done = child.run(
                (*assembler, str(source), "-o", f"{folder}/arch.o"), timeout=SECONDS, scratch=Path(folder)
            )
        said = done.stderr.decode("utf-8", "replace")
        complaints: dict[int, str] = {}
        for line, words in _LINE.findall(said):
            complaints.setdefault(int(line), words)
        if done.stopped or done.signal or (not done.ok and not complaints):
            raise ToolError(f"{assembler[0]}: {said[:300] or done.signal}")
        answers.update({march: complaints.get(line, "") for line, march in enumerate(chunk, 1)})
    return answers


def expansions(gcc: Sequence[str], marches: Sequence[str]) -> dict[str, Expanded]:
    """Map each ISA string to its expansion by gcc's driver. Raises `ToolError`. Raises `ToolError`."""
    answers: dict[str, Expanded] = {}
    for chunk in _chunks(marches):
        asked = (FIRST, *chunk)
        calls = " ".join(f"%:riscv_expand_arch({march})" for march in asked)
        with temporary() as folder:
            specs, source = Path(folder, "arch.specs"), Path(folder, "empty.c")
            specs.write_text(f"*cc1:\n{calls}\n\n", "utf-8")
            source.write_text("", "utf-8")
            words = (*gcc, "-###", f"-specs={specs}", "-S", str(source), "-o", f"{folder}/empty.s")
            done = child.run(words, timeout=SECONDS, scratch=Path(folder))
        said = done.stderr.decode("utf-8", "replace")
        complaints = dict(reversed(_DRIVER.findall(said)))
        expanded = _EXPANDED.findall(said)
        if done.stopped or done.signal or len(expanded) < len(asked):
            raise ToolError(f"{gcc[0]}: {said[:300] or done.signal}")
        for march, arch in zip(asked, expanded, strict=False):
            why = complaints.get(march, "")
            answers[march] = Expanded(why, "" if why else arch)
    return answers


def _chunks(marches: Sequence[str]) -> Iterator[Sequence[str]]:
    for march in marches:
        if not _ASKABLE.fullmatch(march):
            raise ValueError(f"{march!r} cannot be put in a directive")
    for start in range(0, len(marches), CHUNK):
        yield marches[start : start + CHUNK]
