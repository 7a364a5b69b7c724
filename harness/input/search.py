"""Search for the headers that a user's file includes: clang's own, and the C library's of the target, not the host's.

The libclang wheel comes without either. clang's own (`immintrin.h`, `stdatomic.h`) are those of an installed clang or of
the `ziglang` wheel. A C library is looked for where cross compilers have it, then in `ziglang`.
"""

from __future__ import annotations

import importlib.util
import platform
import re
import shutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

import msgspec

from abiprobe.harness.base import child
from abiprobe.harness.base.problem import Problem

CLANG_FOLDERS: Final = ("/usr/lib/llvm-*/lib/clang/*", "/usr/lib/clang/*", "/usr/lib64/clang/*")
"""Where distributions install what clang calls its resource directory."""

HOST: Final = ("/usr/include", "/usr/local/include")
GLIBC_MINOR: Final = "-D__GLIBC_MINOR__=40"
"""The headers of glibc in `ziglang` are those of every release and ask for one."""

ZIG_MACHINES: Final = {"i386": "x86", "i686": "x86", "x86_64": "x86", "riscv32": "riscv", "riscv64": "riscv"}
"""The machines that `ziglang` calls otherwise; others have the name that a triple has."""

SECONDS = 10.0


class Search(msgspec.Struct, frozen=True):
    """The options that make libclang search the right folders, and what to do about a header that is in none.

    `library` says whether a C library is among them, `library_of_cxx` whether one of C++ is.
    """

    options: tuple[str, ...] = ()
    hint: str = ""
    library: bool = True
    library_of_cxx: bool = True

    def advice(self, header: str) -> str:
        """The hint about a header that is not found; those of C++'s own library have no suffix."""
        if "." in header or self.library_of_cxx:
            return self.hint
        return f"{self.hint}; its C++ library is not installed (libstdc++-...-dev-...-cross)"


@cache
def search(triple: str, sysroot: str, version: int) -> Search:
    """The search for `triple` by a libclang of major `version`; an empty `sysroot` is found.

    Raises `Problem` for a `sysroot` without headers.
    """
    resources = resource_folder(version)
    own = ("-isystem", f"{resources}/include") if resources else ()
    if not sysroot and is_native(triple):
        hint = "give its folder with -I" if resources else NO_RESOURCES
        return Search(own, hint)
    folders = of_sysroot(sysroot, triple) if sysroot else cross_folders(triple)
    hint = f"only the headers of {triple} are read, not the host's; give more folders with -I or -idirafter"
    if not folders:
        hint = (
            f"no C library for {triple} is installed; install its cross compiler's (libc6-dev-...-cross) "
            "or pip install ziglang, or give --sysroot DIR"
        )
    full = hint if resources else f"{hint}; {NO_RESOURCES}"
    cxx = library_of_cxx(triple, sysroot)
    return Search((*cxx, *own, "-nostdlibinc", *folders), full, bool(folders), bool(cxx))


NO_RESOURCES = "clang's own headers are missing too: install any clang, or pip install ziglang"


def is_native(triple: str) -> bool:
    """Return whether the host's C library is also that of `triple`, or of the host of a device."""
    machine, _, system = triple.partition("-")
    if machine.startswith("nvptx"):
        return True
    if "linux-gnu" not in system:
        return False
    # Headers of glibc for x86-64 serve i386 once its list of stubs is there.
    thirty_two = machine == "i386" and any(
        Path(folder, "gnu/stubs-32.h").exists() for folder in (HOST[0], f"{HOST[0]}/x86_64-linux-gnu")
    )
    return machine == platform.machine() or (thirty_two and platform.machine() == "x86_64")


def resource_folder(version: int) -> str:
    """Clang's resource directory of the release closest to `version`, an older one first; empty if there is none."""
    found = {
        str(folder): int(folder.name.partition(".")[0])
        for pattern in CLANG_FOLDERS
        for folder in Path("/").glob(pattern.lstrip("/"))
        if re.match(r"\d", folder.name) and (folder / "include/stddef.h").exists()
    }
    if found:
        # A newer libclang still has what older headers call; the reverse does not hold.
        return min(found, key=lambda name: (found[name] > version, abs(found[name] - version), name))
    zig = zig_library()
    return str(zig) if zig is not None and (zig / "include/stddef.h").exists() else ""


def zig_library() -> Path | None:
    """The folder of headers and sources in the `ziglang` wheel."""
    spec = importlib.util.find_spec("ziglang")
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(next(iter(spec.submodule_search_locations))) / "lib"


def of_sysroot(sysroot: str, triple: str) -> tuple[str, ...]:
    """The folders of headers below a user's `sysroot`; raises `Problem` where there is none."""
    places = (f"usr/include/{triple}", "usr/local/include", "usr/include", f"include/{triple}", "include")
    found = [str(path) for place in places if (path := Path(sysroot) / place).is_dir()]
    if not found:
        raise Problem(f"--sysroot {sysroot} has neither usr/include nor include")
    return system(found)


def cross_folders(triple: str) -> tuple[str, ...]:
    """The C library of another machine, as options: from its cross compiler, else from `ziglang`."""
    own = Path(f"/usr/{triple}/include")
    if (own / "stdio.h").exists():
        return system([str(own)])
    for program in cross_compilers(triple):
        found = [folder for folder in searched(program) if not is_hosts(folder)]
        # The folder with stddef.h and without stdio.h is gcc's own.
        libraries = [
            folder
            for folder in found
            if Path(folder, "stdio.h").exists() or not Path(folder, "stddef.h").exists()
        ]
        if any(Path(folder, "stdio.h").exists() for folder in libraries):
            return system(libraries)
    return zig_folders(triple)


def library_of_cxx(triple: str, sysroot: str) -> tuple[str, ...]:
    """The newest libstdc++ of another machine, as options that count for C++ alone: that of a `sysroot`, else of its cross compiler."""
    above = Path(sysroot, "usr/include/c++") if sysroot else Path(f"/usr/{triple}/include/c++")
    newest = max(
        (one for one in above.glob("[0-9]*") if (one / "cstddef").exists()),
        key=lambda one: int(one.name.partition(".")[0]),
        default=None,
    )
    if newest is None:
        return ()
    of_machine = newest / triple if not sysroot else Path(sysroot, "usr/include", triple, "c++", newest.name)
    return tuple(word for folder in (newest, of_machine) for word in ("-cxx-isystem", str(folder)))


def cross_compilers(triple: str) -> Iterator[str]:
    """The gcc for `triple` on PATH, the unnumbered one first."""
    for name in (f"{triple}-gcc", *(f"{triple}-gcc-{number}" for number in range(20, 8, -1))):
        program = shutil.which(name)
        if program:
            yield program


def searched(program: str) -> list[str]:
    """The folders in which a compiler searches headers."""
    try:
        done = child.run((program, "-E", "-v", "-x", "c", "/dev/null"), timeout=SECONDS)
    except OSError:
        return []
    said = done.stderr.decode("utf-8", "replace")
    listed = said.partition("#include <...> search starts here:")[2].partition("End of search list")[0]
    return [str(Path(line.strip()).resolve()) for line in listed.splitlines() if line.strip()]


def is_hosts(folder: str) -> bool:
    """Return whether a folder holds headers of the machine that we run on."""
    return folder in {*HOST, f"{HOST[0]}/{platform.machine()}-linux-gnu"}


def hosts(header: str, triple: str) -> str:
    """The folder of the host that has a header of this name where `triple` does not search it; empty if there is none."""
    if is_native(triple):
        return ""
    folders = (*HOST, f"{HOST[0]}/{platform.machine()}-linux-gnu")
    return next((folder for folder in folders if Path(folder, header).exists()), "")


def zig_folders(triple: str) -> tuple[str, ...]:
    """The headers of glibc and Linux in the `ziglang` wheel, as options; none where it has no such machine."""
    zig = zig_library()
    machine, _, system_name = triple.partition("-")
    if zig is None or "linux-gnu" not in system_name:
        return ()
    name = ZIG_MACHINES.get(machine, machine)
    places = (f"{name}-linux-gnu", "generic-glibc", f"{name}-linux-any", "any-linux-any")
    found = [str(path) for place in places if (path := zig / "libc/include" / place).is_dir()]
    return (GLIBC_MINOR, *system(found)) if len(found) == len(places) else ()


def system(folders: list[str]) -> tuple[str, ...]:
    """Options that search `folders` after clang's own headers."""
    return tuple(word for folder in folders for word in ("-idirafter", folder))
