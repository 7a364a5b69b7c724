"""Packages unpacked into a folder of the cache, and the programs in it started by the loader that comes with them.

A later suite has a later C library, so its programs cannot be loaded by this machine's own. Each is therefore started by
a starter in `bin`, a line of shell that calls the loader in the tree with the libraries in the tree. Unlike `chroot` this
needs neither root nor user namespaces, every path means what it means outside, and a start is faster.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Sequence
from pathlib import Path

import msgspec

from abiprobe.harness.base import child
from abiprobe.harness.base.cache import cache_dir, obstacle, stamp
from abiprobe.harness.base.problem import Problem
from abiprobe.harness.base.progress import counted
from abiprobe.harness.base.removal import remove_tree, temporary
from abiprobe.harness.subjects import releases
from abiprobe.harness.subjects.debian.apt import Apt, Archive
from abiprobe.harness.subjects.debian.names import REQUIRED, SNAPSHOT, RequestedPackage
from abiprobe.harness.subjects.installing import expect_room
from abiprobe.harness.subjects.wholeness import contents, is_as_sealed, is_whole, seal
from abiprobe.harness.subjects.wholeness import digest as file_digest

MANIFEST = "packages.json"
ELF_SUFFIX = ".elf"
"""The suffix of the program itself where a starter has its name."""
UNPACKING_SECONDS = 600.0
STARTING_SECONDS = 120.0
"""An emulated Python compiles its modules in that time."""
NOT_NEEDED = tuple(f"usr/share/{name}" for name in ("doc", "man", "info", "locale", "lintian", "bug", "gdb"))
STARTER = """\
#!/bin/sh
root=${{0%/*}}/{up}
exec {emulator}"$root/{loader}" --inhibit-cache --library-path "{libraries}" --argv0 "$root/{name}" "$root/{program}" {own}"$@"
"""


class Manifest(msgspec.Struct, frozen=True):
    """The origin of an unpacked tree: the package that was asked for, its version, and the file and digest of each."""

    package: str
    version: str
    archives: tuple[tuple[str, str], ...]


def program(name: str) -> tuple[str, ...] | None:
    """The starter of a compiler that is installed by its program's name and as it was unpacked, `None` for any other."""
    home = releases.folder() / name
    mark = stamp(str(home / MANIFEST)) if os.sep not in name else None
    return (str(home / "bin" / name),) if mark is not None and is_whole(home, mark) else None


def manifest_of(command: str) -> Path | None:
    """The manifest behind a starter; `None` for a program that is none."""
    home = Path(command).absolute().parent.parent
    path = home / MANIFEST
    return path if home.parent == releases.folder().absolute() and path.is_file() else None


def manifest(name: str) -> Manifest | None:
    """Return the origin of an installed compiler."""
    path = releases.folder() / name / MANIFEST
    return msgspec.json.decode(path.read_bytes(), type=Manifest) if path.is_file() else None


def install(wanted: RequestedPackage, archives: Sequence[Archive], apt: Apt) -> Path:
    """Fetch and unpack a compiler or a library in one step; raises `Problem` where it cannot be had or does not start here."""
    home = releases.folder() / wanted.name
    paths = apt.fetch(wanted.package, archives)
    verify(archives, paths)
    with temporary(f".{wanted.name}-", releases.folder()) as scratch:
        made = Path(scratch, wanted.name)
        unpack(paths, made)
        if wanted.program:
            add_starters(wanted, made)
            require_start(wanted, made)
        version = next(version_in(one.file) for one in archives if one.file.startswith(f"{wanted.package}_"))
        described = Manifest(wanted.package, version, tuple((one.file, one.sha256) for one in archives))
        (made / MANIFEST).write_bytes(msgspec.json.encode(described))
        remove_tree(home)
        made.rename(home)
    if not seal(home):
        raise Problem(obstacle(cache_dir()) or f"cannot write to {releases.folder()}", "set ABIPROBE_CACHE")
    return home


def version_in(file: str) -> str:
    """The version in the name of a package's file, in which a colon is escaped."""
    return file.split("_")[1].replace("%3a", ":")


def verify(archives: Sequence[Archive], paths: Sequence[Path]) -> None:
    """Raise `Problem` where a fetched package is not what the index says."""
    for archive, path in zip(archives, paths, strict=True):
        if file_digest(path) != archive.sha256:
            raise Problem(f"{archive.file} is not what the index of Debian's packages says", "try again")


def unpack(paths: Sequence[Path], made: Path) -> None:
    """Unpack packages over each other, without what no compiler reads."""
    made.mkdir()
    for path in counted(paths, "unpacking packages", len(paths)):
        done = child.run(("dpkg-deb", "--extract", str(path), str(made)), timeout=UNPACKING_SECONDS)
        if not done.ok:
            expect_room(releases.folder(), done.stderr)
            said = done.stderr.decode("utf-8", "replace").strip().partition("\n")[0]
            raise Problem(f"{path.name} cannot be unpacked: {said}", "try again")
    for name in NOT_NEEDED:
        remove_tree(made / name)


def add_starters(wanted: RequestedPackage, made: Path) -> None:
    """Write the starters of a compiler and of the programs that it starts."""
    found = made / wanted.program
    if not found.is_file():
        raise Problem(f"Debian's {wanted.package} has no {wanted.program}")
    real = found.resolve()
    (made / "bin").mkdir(exist_ok=True)
    if not wanted.tools:
        # clang starts itself again for a second job, such as the preprocessed source of a crash.
        place, real = real, real.rename(real.with_name(real.name + ELF_SUFFIX))
        write_starter(made, place, real, wanted.program, "", wanted.emulator)
    write_starter(made, made / "bin" / wanted.name, real, wanted.program, wanted.own, wanted.emulator)
    triple = triple_of(wanted, real, made)
    for tool in wanted.tools:
        own_folder = made.glob(f"usr/lib/{SNAPSHOT}/libexec/gcc/{triple}/*/{tool}")
        places = (
            *made.glob(f"usr/lib*/gcc*/{triple}/*/{tool}"),
            *own_folder,
            made / "usr" / "bin" / f"{triple}-{tool}",
        )
        path = next(filter(Path.is_file, places), None)
        if path is None and tool in REQUIRED:
            raise Problem(f"Debian's {wanted.package} comes without {tool}")
        if path is not None:
            write_starter(made, made / "bin" / tool, path.resolve(), str(path.relative_to(made)), "")


def triple_of(wanted: RequestedPackage, real: Path, made: Path) -> str:
    """The triple of a gcc: part of the name of its program, or in a snapshot the folder in which its tools are."""
    if wanted.name != SNAPSHOT:
        return re.split(r"-(?:gcc|g\+\+)-", real.name)[0]
    return next((one.parents[1].name for one in made.glob(f"usr/lib/{SNAPSHOT}/libexec/gcc/*/*/cc1")), "")


def write_starter(made: Path, path: Path, real: Path, called: str, own: str, emulator: str = "") -> None:
    """Write the starter at `path` of the program `real`, which is told that it was called as `called` and may need an emulator."""
    interpreter = interpreter_of(real)
    loader = next((one for one in sorted(made.rglob(Path(interpreter).name)) if not one.is_symlink()), None)
    if loader is None:
        raise Problem(f"Debian's packages have no {interpreter}, by which {path.name} is loaded")
    folders = (made / "usr" / "lib" / loader.parent.name, made / "lib" / loader.parent.name)
    text = STARTER.format(
        up="/".join([".."] * (len(path.resolve().relative_to(made.resolve()).parts) - 1)),
        loader=loader.relative_to(made),
        libraries=":".join(f"$root/{one.relative_to(made)}" for one in folders if one.is_dir()),
        name=called,
        program=real.relative_to(made.resolve()),
        own=own,
        emulator=f"{emulator} " if emulator else "",
    )
    path.write_text(text, "utf-8")
    path.chmod(0o755)


def interpreter_of(path: Path) -> str:
    """The loader that an ELF program asks for; raises `Problem` for a program that asks for none."""
    # Takes long to load, and is needed for an installation only.
    from elftools.common.exceptions import ELFError
    from elftools.elf.elffile import ELFFile
    from elftools.elf.segments import InterpSegment

    try:
        with path.open("rb") as file:
            for segment in ELFFile(file).iter_segments("PT_INTERP"):
                assert isinstance(segment, InterpSegment)
                return segment.get_interp_name()
    except ELFError:
        pass
    raise Problem(
        f"{path.name.removesuffix(ELF_SUFFIX)} in Debian's packages is not a program of this machine"
    )


def require_start(wanted: RequestedPackage, made: Path) -> None:
    """Raise `Problem` unless the compiler starts on this machine."""
    done = child.run((str(made / "bin" / wanted.name), *wanted.tried), timeout=STARTING_SECONDS)
    if not done.ok:
        said = done.stderr.decode("utf-8", "replace").strip().partition("\n")[0]
        raise Problem(
            f"{wanted.name} of Debian's packages does not start here: {said or done.signal or 'it says nothing'}"
        )


def digest(path: Path) -> str:
    """The digest of a subject: that of its packages; of one that is not as it was unpacked, of its files, too."""
    archives = msgspec.json.decode(path.read_bytes(), type=Manifest).archives
    words = msgspec.json.encode(sorted(archives))
    changed = b"" if is_as_sealed(path.parent) else contents(path.parent).encode()
    return hashlib.sha256(words + changed).hexdigest()[:16]
