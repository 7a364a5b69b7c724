"""Linking units of WebAssembly with the runtime, and with the code that their types of functions need."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from abiprobe.harness.base import child
from abiprobe.harness.machines.readers.wasm import MAGIC, Listed, listed
from abiprobe.harness.machines.runtime.entries import entries
from abiprobe.harness.machines.runtime.wasm import WASM32

if TYPE_CHECKING:
    from collections.abc import Sequence

_TIMEOUT = 60.0
_OPTIONS = ("--no-entry", "--export=abi_main")


def is_module(unit: Path) -> bool:
    """Return whether an object file is WebAssembly."""
    with unit.open("rb") as file:
        return file.read(len(MAGIC)) == MAGIC


def link_module(
    units: Sequence[Path],
    runtime: Sequence[Path],
    output: Path,
    compiler: Sequence[str],
    linker: Sequence[str],
    tables: tuple[str, str],
) -> child.Exit:
    """Link units with the runtime into the module `output`; `tables` are the names of the tables of callers and callees."""
    callers, callees = tables
    try:
        functions = table_of(units, callers)
    except ValueError as error:
        return child.Exit(
            1, None, timed_out=False, truncated=False, stdout=b"", stderr=str(error).encode(), cpu_seconds=0.0
        )
    source, built = output.with_suffix(".entries.s"), output.with_suffix(".entries.o")
    source.write_text(entries(functions, callers, callees, WASM32), "utf-8")
    done = child.run(
        (*compiler, "-c", str(source), "-o", str(built)), timeout=_TIMEOUT, scratch=output.parent
    )
    if not done.ok:
        return done
    words = (*linker, *_OPTIONS, "-o", str(output), *map(str, (*runtime, built, *units)))
    return child.run(words, timeout=_TIMEOUT, scratch=output.parent)


def table_of(units: Sequence[Path], table: str) -> tuple[Listed, ...]:
    """The functions in the table of that name, which one of the units defines; raises `ValueError` where none can be read."""
    troubles = []
    for path in units:
        try:
            return listed(path.read_bytes(), table)
        except ValueError as error:
            troubles.append(f"{path.name}: {error}")
    raise ValueError("; ".join(troubles))
