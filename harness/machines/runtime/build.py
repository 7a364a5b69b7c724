"""Building the runtime once per machine, by a trusted toolchain, and linking units with it."""

from __future__ import annotations

import hashlib
import importlib.util
import platform
import shutil
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from abiprobe.harness.base import child
from abiprobe.harness.base.cache import content_digest, entry, recall, remember, replace
from abiprobe.harness.base.problem import Problem
from abiprobe.harness.base.removal import temporary
from abiprobe.harness.base.scratch import cached_with_home, own
from abiprobe.harness.machines.runtime.description import OLDEST_CLANG
from abiprobe.harness.machines.runtime.modules import is_module, link_module

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from abiprobe.harness.machines.runtime.description import Machine

TABLE = "abi_functions"
"""The name that a unit gives its table of functions, unless it is told otherwise."""
_TIMEOUT = 60.0
_NEWEST_CLANG = 40
_COMPILE = (
    "-O1",
    "-ffreestanding",
    "-fno-pic",
    "-fno-stack-protector",
    "-fno-asynchronous-unwind-tables",
    "-nostdinc",
)


@dataclass(frozen=True)
class Trusted:
    """The toolchain that builds the runtime and links every image: command prefixes, target options included."""

    cc: tuple[str, ...]
    ld: tuple[str, ...]


def find_trusted(machine: Machine) -> Trusted:
    """The first trusted compiler and linker found for `machine`; raises `Problem` when one is missing."""
    cc, ld = next(trusted_compilers(machine), None), next(_linkers(machine), None)
    if cc is None or ld is None:
        missing = "compiler" if cc is None else "linker"
        raise Problem(
            f"no trusted {missing} for {machine.full_name}",
            "pip install ziglang, or install clang and lld"
            if machine.triple
            else f"install {machine.gcc[0]}",
        )
    return Trusted(cc, ld)


def trusted_compilers(machine: Machine) -> Iterator[tuple[str, ...]]:
    """The compilers that may build the runtime for `machine`, with its options, the first choice first."""
    zig = _zig() if machine.triple else None
    if zig is not None:
        yield (zig, "clang", f"--target={machine.triple}", *machine.flags)
    for clang in _found((*_versions("clang", machine.oldest_clang), "clang") if machine.triple else ()):
        yield (clang, f"--target={machine.triple}", *machine.flags)
    for gcc in _found((*machine.gcc, *_host(machine, "gcc"))):
        yield (gcc, *machine.flags)


def _linkers(machine: Machine) -> Iterator[tuple[str, ...]]:
    # zig's lld before the distribution's, which takes twice as long to start; GNU ld last, though it is the
    # quickest: it refuses objects whose RISC-V extensions are newer than itself, and units come from any compiler.
    zig = _zig()
    if zig is not None and machine.lld:
        yield _lld(machine, zig, "wasm-ld" if machine.signatures else "ld.lld")
    for lld in _found(_lld_names(machine)):
        yield _lld(machine, lld)
    for ld in _found((*machine.ld, *_host(machine, "ld"))):
        yield (ld, "-m", machine.emulation)


def linker_names(machine: Machine) -> tuple[str, ...]:
    """The names of linkers for `machine` without those of the host: lld in versions that know it, then GNU ld."""
    return (*_lld_names(machine), *machine.ld)


def _lld_names(machine: Machine) -> tuple[str, ...]:
    if not machine.lld:
        return ()
    # Without a version in its name it may be one that does not know the machine yet.
    name = "wasm-ld" if machine.signatures else "ld.lld"
    plain = (name,) if machine.oldest_lld == OLDEST_CLANG else ()
    return (*plain, *_versions(name, machine.oldest_lld))


def _lld(machine: Machine, *command: str) -> tuple[str, ...]:
    # Every undefined symbol is to be named, not the first twenty; threads cost more than such a link.
    return (*command, "-m", machine.emulation, "--error-limit=0", "--threads=1")


def _zig() -> str | None:
    spec = importlib.util.find_spec("ziglang")
    for place in (spec.submodule_search_locations if spec is not None else None) or ():
        for name in ("zig", "zig.exe"):
            path = Path(place, name)
            if path.exists():
                return str(path)
    return None


def _versions(name: str, oldest: int) -> Iterator[str]:
    return (f"{name}-{version}" for version in range(_NEWEST_CLANG, oldest - 1, -1))


def _found(names: Sequence[str]) -> Iterator[str]:
    return (path for path in map(shutil.which, names) if path is not None)


def _host(machine: Machine, name: str) -> tuple[str, ...]:
    return (name,) if platform.machine() in machine.hosts else ()


def runtime_objects(machine: Machine, trusted: Trusted) -> tuple[Path, ...]:
    """The runtime's object files for `machine`, built by `trusted` unless they are kept.

    They lie in a folder of this process, where nothing that happens to the cache meanwhile changes them. Several processes
    may ask at once. Raises `Problem` with the compiler's words when it does not build them.
    """
    sources = {name: _source(name) for name in (machine.assembly, "driver.c")}
    options = (
        *_COMPILE,
        f"-DSTATE_BYTES={machine.state_bytes}",
        f"-DSP_OFFSET={machine.registers[machine.sp].offset}",
        f"-DRETURN_ADDRESS_BYTES={machine.return_address}",
        *((f"-DSHADOW_OFFSET={machine.shadow}",) if machine.shadow else ()),
        *(("-DWIDE_WORD",) if machine.wide_word else ()),
        *(("-DSIGNATURES",) if machine.signatures else ()),
        *(("-DSIGNALS",) if machine.signals else ()),
    )
    name = f"{machine.full_name}-{_digest(sources, trusted, options)}"

    def make(folder: Path) -> None:
        for source, text in sources.items():
            _compile(folder / source, text, (*trusted.cc, *options))

    return kept_files(name, tuple(f"{Path(source).stem}.o" for source in sources), make)


@cached_with_home
def small_object(machine: Machine, trusted: Trusted, name: str, text: str) -> Path:
    """The object file that the trusted compiler makes of a unit of C; `name` says what it is."""
    digest = _digest({name: text}, trusted, _COMPILE)

    def make(folder: Path) -> None:
        _compile(folder / f"{name}.c", text, (*trusted.cc, *_COMPILE))

    return kept_files(f"{machine.full_name}-{digest}", (f"{name}.o",), make)[0]


def kept_files(name: str, files: Sequence[str], make: Callable[[Path], None]) -> tuple[Path, ...]:
    """Files in a folder of this process, as they are kept under `name`, or as `make` makes them in a folder."""
    entries = [entry("runtime", f"{name}-{file}") for file in files]
    contents = [recall(path) for path in entries]
    if None in contents:
        with temporary(parent=own("built")) as scratch:
            make(Path(scratch))
            contents = [Path(scratch, file).read_bytes() for file in files]
        for path, data in zip(entries, contents, strict=True):
            remember(path, data or b"")
    home = own(f"runtime-{name}")
    for file, data in zip(files, contents, strict=True):
        replace(home / file, data or b"")
    return tuple(home / file for file in files)


def link(
    unit_objects: Sequence[Path],
    runtime: Sequence[Path],
    output: Path,
    trusted: Trusted,
    callers: str = TABLE,
    callees: str = TABLE,
) -> child.Exit:
    """Link units with the runtime into the image `output`; what is undefined is in the linker's words.

    `callers` and `callees` are the tables of functions, which units define, that the driver is to use.

    One segment holds everything (`-N`), so that the image can check an address with one comparison; nothing is
    relaxed, because the runtime keeps an anchor in the register that relaxation would use.
    """
    if is_module(unit_objects[0]):
        done = link_module(unit_objects, runtime, output, trusted.cc, trusted.ld, (callers, callees))
        return present(runtime, done)
    argv = (
        *trusted.ld,
        "-static",
        "-N",
        "--no-relax",
        "-o",
        str(output),
        *(() if callers == TABLE else (f"--defsym={TABLE}={callers}",)),
        f"--defsym=abi_callees={callees}",
        *map(str, (*runtime, *unit_objects)),
    )
    return present(runtime, child.run(argv, timeout=_TIMEOUT, scratch=output.parent))


def link_apart(unit_objects: Sequence[Path], output: Path, trusted: Trusted) -> child.Exit:
    """Link units with each other alone, into one object file, which fails for none that the machine can link."""
    argv = (*trusted.ld, "-r", "-o", str(output), *map(str, unit_objects))
    return child.run(argv, timeout=_TIMEOUT, scratch=output.parent)


def present(runtime: Sequence[Path], done: child.Exit) -> child.Exit:
    """Return how a link ended; raises `Problem` if it failed because somebody removed the runtime meanwhile."""
    gone = next((path for path in runtime if not done.ok and not path.is_file()), None)
    if gone is not None:
        raise Problem(
            f"{gone} was removed while abiprobe used it", "start again, and leave that folder alone"
        )
    return done


def _source(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text("utf-8")


def _digest(sources: dict[str, str], trusted: Trusted, options: tuple[str, ...]) -> str:
    """Return a digest of all that the objects depend on, the compiler by the contents of its program."""
    parts = (*sources.values(), *trusted.cc, *options, content_digest(trusted.cc[0]))
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


def _compile(source: Path, text: str, command: tuple[str, ...]) -> None:
    source.write_text(text, "utf-8")
    argv = (*command, "-c", str(source), "-o", str(source.with_suffix(".o")))
    done = child.run(argv, timeout=_TIMEOUT, scratch=source.parent)
    if not done.ok:
        words = done.stderr.decode(errors="replace").strip()
        raise Problem(f"{command[0]} does not build the runtime ({source.name})", words)
