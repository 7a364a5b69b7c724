"""Compilation of a file in its project, from `compile_commands.json`: header folders, macros and language standard.

The format is that of clang's JSON Compilation Database. A header is in no such file; like clangd, it is read as the
source whose name or folder is nearest to its own.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from abiprobe.harness.base.problem import Problem

FOLDERS = ("-I", "-isystem", "-idirafter", "-iquote")
"""Options whose word is a folder, relative to that of the command."""
FILES = ("-include", "-imacros")
WORDS = ("-D", "-U")


class Command(msgspec.Struct, frozen=True):
    """An entry: the `file` and the words of its compilation are relative to `directory`."""

    directory: str
    file: str
    arguments: tuple[str, ...] = ()
    command: str = ""

    @property
    def path(self) -> Path:
        """The file that is compiled."""
        return Path(os.path.normpath(Path(self.directory, self.file)))

    @property
    def words(self) -> tuple[str, ...]:
        """The compiler and its options."""
        return self.arguments or tuple(shlex.split(self.command))


def read_commands(path: Path) -> tuple[Command, ...]:
    """The entries of a compilation database, or of the one in a folder; raises `Problem` for any other file."""
    if path.is_dir():
        path /= "compile_commands.json"
    try:
        found = msgspec.json.decode(path.read_bytes(), type=tuple[Command, ...])
    except OSError as error:
        raise Problem(
            f"{path} cannot be read ({error.strerror})",
            "cmake writes one with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON",
        ) from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Problem(f"{path} is not a compilation database: {error}") from error
    if not found:
        raise Problem(f"{path} has no commands")
    return found


def options_for(file: str, commands: Sequence[Command]) -> tuple[str, ...]:
    """The options that say how a file, or the source nearest to it, reads."""
    path = Path(file).absolute()
    nearest = max(commands, key=lambda one: nearness(path, one.path))
    try:
        return tuple(reading_options(nearest))
    except ValueError as error:
        raise Problem(f"the command for {nearest.path} cannot be read: {error}") from error


def nearness(path: Path, source: Path) -> tuple[bool, bool, int]:
    """Return a sort key by how near a source is to a file: the file itself, one of its name, one in folders that both share."""
    shared = os.path.commonpath((path.parent, source.parent))
    return path == source, path.stem == source.stem, len(Path(shared).parts)


def reading_options(command: Command) -> Iterator[str]:
    """Yield what a command says about headers, macros and language, with paths that are absolute."""
    words = iter(command.words[1:])
    for word in words:
        if word.startswith("-std="):
            yield word
            continue
        option = next((one for one in (*FOLDERS, *FILES, *WORDS) if word.startswith(one)), "")
        if not option:
            continue
        value = word.removeprefix(option) or next(words, "")
        yield from (option, value if option in WORDS else str(Path(command.directory, value)))
