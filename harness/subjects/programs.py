"""The files that decide what a compiler makes: its program, the programs it starts, the libraries they load.

A compiler is known by the contents of these files. That is only possible for a program that says itself what it starts:
gcc and clang do (`-###`), tcc starts nothing. Behind a script, ccache or another wrapper may be anything, so such a
program is not `sure`: nothing that it answers may be remembered.
"""

from __future__ import annotations

import hashlib
import os
import re
import shlex
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path

import msgspec

from abiprobe.harness.base import child
from abiprobe.harness.base.cache import Stamp, content_digest, stamp
from abiprobe.harness.base.removal import temporary
from abiprobe.harness.subjects import toolkit
from abiprobe.harness.subjects.debian import tree
from abiprobe.harness.subjects.wholeness import loaded

SECONDS = 10.0
ELF = b"\x7fELF"
LIBRARY = re.compile(r"(?:=> |^\s*)(/\S+) \(0x", re.MULTILINE)
LEVEL = re.compile(r"-O\w*")
TEMPORARY = re.compile(r"\S*/(?:cc|unit-)\w{6}\.\w+")
COLLECTED = "COLLECT_GCC="
CALLING = "Calling "
"""The word that pcc writes before a command."""
DATES = ("-D__DATE__=", "-D__TIME__=")
SMALL = re.compile(r"(?:[\w.+]+-)*[tp]cc")
"""The names of compilers that do not say who they are, but are no drivers of others: tcc and pcc."""
TCCS = ("i386-tcc", "x86_64-tcc")
"""Programs that tcc starts for the other width."""
READS_MORE = ("-include", "-imacros", "@")
"""Options that read files which may name further files."""


class Pieces(msgspec.Struct, frozen=True):
    """The files of a program: a digest of all that it consists of, and whether these are all."""

    digest: str
    files: tuple[tuple[str, Stamp | None], ...]
    sure: bool

    @property
    def unchanged(self) -> bool:
        """Return whether no file was replaced or written since."""
        return all(stamp(path) == mark for path, mark in self.files)


_KNOWN: dict[tuple[str, ...], Pieces] = {}
"""In this process, which stamps bring up to date."""


def of_compiler(command: Sequence[str]) -> Pieces:
    """The pieces of a compiler as they are now; `command` is its program and options."""
    words = tuple(word for word in command if not LEVEL.fullmatch(word))
    manifest = tree.manifest_of(words[0])
    if manifest is not None:
        return _current(("packages", *words), lambda: _packaged(manifest, words))
    return _current(("compiler", *words), lambda: _compiler(words))


def own_digest(program: Sequence[str]) -> str:
    """A digest of a program by the contents of its own file, or of the packages that it was unpacked from, and the words behind it."""
    path = shutil.which(program[0]) or program[0]
    try:
        contents = content_digest(str(tree.manifest_of(path) or path))
    except OSError:
        contents = path
    return hashlib.sha256(repr((contents, *program[1:])).encode()).hexdigest()[:32]


def of_language(program: str, folders: Sequence[Path], digest: str, *, alone: bool) -> Pieces:
    """The pieces of a compiler of another language, and of the folders that say how it is asked, with their digest.

    It is known by its file and libraries if it starts no other program, and is no link to a program that chooses one.
    """
    path = shutil.which(program) or program
    itself = alone and is_elf(path) and Path(path).resolve().name == Path(path).name
    files = sorted(str(file) for folder in folders for file in folder.iterdir() if file.is_file())
    key = ("language", path, *map(str, folders), digest)
    return _current(key, lambda: _described((path, *files), (), sure=itself))


def of_tools(*programs: str) -> Pieces:
    """The pieces of programs that start no others, such as linkers and emulators, and of libraries."""
    paths = tuple(path for program in programs if (path := shutil.which(program) or program))
    return _current(("tools", *paths), lambda: _described(paths, (), sure=all(map(is_elf, paths))))


def _current(key: tuple[str, ...], make: Callable[[], Pieces]) -> Pieces:
    known = _KNOWN.get(key)
    if known is None or not known.sure or not known.unchanged:
        known = _KNOWN[key] = make()
    return known


def _compiler(words: tuple[str, ...]) -> Pieces:
    if Path(words[0]).name == toolkit.NVCC:
        return _toolkit(words)
    program, plan = words[0], asked_plan(words)
    started = [path for line in plan.started if (path := shutil.which(line[0]))]
    if SMALL.fullmatch(Path(program).resolve().name):
        itself = True
        if program.endswith("tcc"):
            started += [path for name in TCCS if (path := shutil.which(name))]
    else:
        itself = is_driver(program, plan)
    reads_more = any(word.startswith(READS_MORE) for word in words)
    sure = itself and not reads_more and all(map(is_elf, (program, *started)))
    return _described((program, *started, *named_files(words[1:])), plan.started, sure=sure)


def _toolkit(words: tuple[str, ...]) -> Pieces:
    """Nvcc is known by its toolkit, the compiler of the host that it preprocesses with, and the script that it may be behind."""
    program, plan = shutil.which(words[0]) or words[0], toolkit.toolkit(words)
    if plan is None:
        return _described((program,), (), sure=False)
    host = of_compiler((shutil.which(plan.host) or plan.host, "-x", "c++"))
    reads_more = any(word.startswith(READS_MORE) for word in words)
    sure = host.sure and not reads_more and all(map(is_elf, plan.files[:2]))
    own = _described((program, *plan.files, *named_files(words[1:])), (plan.said,), sure=sure)
    digest = hashlib.sha256(f"{own.digest}{host.digest}".encode()).hexdigest()[:16]
    return Pieces(digest, (*own.files, *host.files), own.sure)


def _packaged(manifest: Path, words: tuple[str, ...]) -> Pieces:
    """A compiler that was unpacked from packages is known by these, and by the files that its options name.

    Whether it is as it was unpacked is looked at again when a program or library of it is another.
    """
    marks = loaded(manifest.parent)
    plain = not any(word.startswith(READS_MORE) for word in words)
    named = _described(named_files(words[1:]), (), sure=plain)
    digest = tree.digest(manifest)
    if named.files:
        digest = hashlib.sha256(f"{digest}{named.digest}".encode()).hexdigest()[:16]
    return Pieces(digest, ((str(manifest), stamp(str(manifest))), *marks, *named.files), named.sure)


def named_files(options: Sequence[str]) -> list[str]:
    """The files that options name, such as a plug-in (`-fplugin=FILE`) or a specification (`-specs=FILE`)."""
    found = (word.partition("=")[2] or word.removeprefix("@") for word in options)
    return [path for path in found if Path(path).is_file()]


def _described(paths: Iterable[str], lines: Sequence[Sequence[str]], *, sure: bool) -> Pieces:
    files = tuple(dict.fromkeys(file for path in paths for file in (path, *libraries(path, stamp(path)))))
    # Before the contents are read: what is written meanwhile shows as a change.
    marks = tuple((path, stamp(path)) for path in files)
    found = hashlib.sha256(repr(lines).encode())
    for path in files:
        with suppress(OSError):
            found.update(content_digest(path).encode())
    return Pieces(found.hexdigest()[:16], marks, sure)


class Plan(msgspec.Struct, frozen=True):
    """The plan of a driver: the name that it goes by, and the commands that it would start."""

    driver: str
    started: tuple[tuple[str, ...], ...]


def asked_plan(words: Sequence[str]) -> Plan:
    """Return a compiler's answer to `-###`, without the names of temporary files; empty if it does not know the option."""
    with temporary() as folder:
        Path(folder, "unit.c").write_text("int v;\n", "utf-8")
        command = (*words, "-###", "-c", "unit.c", "-o", "unit.o")
        try:
            done = child.run(command, timeout=SECONDS, cwd=Path(folder), scratch=Path(folder))
        except OSError:
            return Plan("", ())
        said = done.stderr.decode("utf-8", "replace").replace(os.path.realpath(folder), "")
    collected = re.search(rf"^{COLLECTED}(.*)$", said, re.MULTILINE)
    return Plan(collected[1] if collected else "", tuple(_commands(said)))


def _commands(said: str) -> Iterator[tuple[str, ...]]:
    """The commands in what a driver prints: indented by gcc and clang, introduced by pcc."""
    for line in said.splitlines():
        if not line.startswith((' "', " /", " as ", CALLING)):
            continue
        with suppress(ValueError):
            words = shlex.split(line.removeprefix(CALLING))
            yield tuple(
                word for word in words if not TEMPORARY.fullmatch(word) and not word.startswith(DATES)
            )


def is_driver(program: str, plan: Plan) -> bool:
    """Return whether the answer came from the program itself, and not from another compiler that it started.

    gcc says what it was called as; clang starts itself as `clang -cc1`.
    """
    names = [plan.driver] if plan.driver else [line[0] for line in plan.started if "-cc1" in line[1:2]]
    return bool(names) and all(os.path.realpath(name) == os.path.realpath(program) for name in names)


def is_elf(path: str) -> bool:
    """Return whether a file is a program or library of the machine, and no script."""
    try:
        with Path(path).open("rb") as file:
            return file.read(len(ELF)) == ELF
    except OSError:
        return False


@cache
def libraries(program: str, _mark: Stamp | None) -> tuple[str, ...]:
    """The shared libraries that a program loads, none for a script; `_mark` is its stamp."""
    ldd = shutil.which("ldd")
    if ldd is None or not is_elf(program):
        return ()
    try:
        done = child.run((ldd, program), timeout=SECONDS)
    except OSError:
        return ()
    return tuple(LIBRARY.findall(done.stdout.decode("utf-8", "replace"))) if done.ok else ()
