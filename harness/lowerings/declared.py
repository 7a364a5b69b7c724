"""A user's own prototypes, as each place reads them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.input import ReadOptions, Skipped
from abiprobe.harness.input.declared import declared_for_triple, declared_in_file
from abiprobe.harness.input.front_end import front_end
from abiprobe.harness.lowerings.place import Place
from abiprobe.oracles.language.lang import Prototype

SUFFIXES = frozenset({".c", ".h", ".i"})


class OwnFunctions(msgspec.Struct, frozen=True):
    """The functions that files declare at a place, and what is left out of them."""

    functions: tuple[Prototype, ...]
    skipped: tuple[Skipped, ...]


def is_file(word: str) -> bool:
    """Return whether a word of the command line is a file and no place: standard input, one that is there, or a name of C."""
    return word == "-" or Path(word).suffix in SUFFIXES or Path(word).is_file()


def functions_at(files: Sequence[str], place: Place, how: ReadOptions) -> OwnFunctions:
    """The functions that files declare at a place; raises `Problem` for a file that is no C, and where there are none."""
    found = [read_at(file, place, how) for file in files]
    functions = tuple(dict.fromkeys(one for item in found for one in item.functions))
    skipped = tuple(one for item in found for one in item.skipped)
    if not functions:
        why = f"{skipped[0].where}: {skipped[0].reason}" if skipped else "declare one, or use --included"
        raise Problem(f"{', '.join(files)} declares no function for {place.name}", why)
    return OwnFunctions(functions, skipped)


def read_at(file: str, place: Place, how: ReadOptions) -> OwnFunctions:
    """The same of one file."""
    target = place.target
    if target is not None and front_end(target).triple:
        declared = declared_in_file(file, target, how)
        return OwnFunctions(declared.functions, declared.skipped)
    found = declared_for_triple(file, place.name, how)
    return OwnFunctions(tuple(found.functions), tuple(found.skipped))
