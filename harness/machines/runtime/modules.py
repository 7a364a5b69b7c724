"""Linking units of WebAssembly with the runtime, and with the code that their types of functions need."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from abiprobe.harness.base import child
from abiprobe.harness.machines.readers.wasm import MAGIC, NOTHING, Listed, bare_table, defined, listed
from abiprobe.harness.machines.runtime.entries import entries, typed_tables
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
    """Link units with the runtime into the module `output`; `tables` are the names of the tables of callers and callees.

    A file with a table alone, beside a unit in another language than C, knows no types of functions, which the linker holds
    against those of the unit: the table is written anew.
    """
    callers, callees = tables
    try:
        bare = bare_tables(units, tables)
        functions = table_of(units, callers) if callers not in bare else tuple(bare[callers].values())
    except ValueError as error:
        return child.Exit(
            1, None, timed_out=False, truncated=False, stdout=b"", stderr=str(error).encode(), cpu_seconds=0.0
        )
    source, built = output.with_suffix(".entries.s"), output.with_suffix(".entries.o")
    text = entries(functions, callers, callees, WASM32) + typed_tables(bare)
    source.write_text(text, "utf-8")
    done = child.run(
        (*compiler, "-c", str(source), "-o", str(built)), timeout=_TIMEOUT, scratch=output.parent
    )
    if not done.ok:
        return done
    kept = [path for path in units if not any(is_bare(path, table) for table in bare)]
    words = (*linker, *_OPTIONS, "-o", str(output), *map(str, (*runtime, built, *kept)))
    return child.run(words, timeout=_TIMEOUT, scratch=output.parent)


def is_bare(unit: Path, table: str) -> bool:
    """Return whether an object file has a table and nothing else."""
    return bare_table(unit.read_bytes(), table) is not None


def bare_tables(units: Sequence[Path], tables: Sequence[str]) -> dict[str, dict[str, Listed]]:
    """The tables that have files of their own, each with its functions by name, a digit for none; raises `ValueError` for damage."""
    known = {name: one for path in units for name, one in defined(path.read_bytes()).items()}
    found = {}
    for table in dict.fromkeys(tables):
        for path in units:
            names = bare_table(path.read_bytes(), table)
            if names is not None:
                found[table] = {
                    name or str(number): known.get(name, NOTHING) for number, name in enumerate(names)
                }
    return found


def table_of(units: Sequence[Path], table: str) -> tuple[Listed, ...]:
    """The functions in the table of that name, which one of the units defines; raises `ValueError` where none can be read."""
    troubles = []
    for path in units:
        try:
            return listed(path.read_bytes(), table)
        except ValueError as error:
            troubles.append(f"{path.name}: {error}")
    raise ValueError("; ".join(troubles))
