"""The runtime as a shared library, which a process that makes its functions itself can load."""

from __future__ import annotations

import hashlib
from importlib import resources
from pathlib import Path

from abiprobe.harness.base import child
from abiprobe.harness.base.cache import content_digest
from abiprobe.harness.base.problem import Problem
from abiprobe.harness.base.scratch import cached_with_home
from abiprobe.harness.machines.runtime.build import kept_files
from abiprobe.harness.machines.workbench import Bench

_TIMEOUT = 60.0
_OPTIONS = (
    "-O1",
    "-ffreestanding",
    "-fPIC",
    "-fno-stack-protector",
    "-nostdinc",
    "-DIN_LIBRARY",
)
EXPORTED = ("abi_in", "abi_out", "abi_functions", "abi_target", "abi_main")


@cached_with_home
def shared_runtime(bench: Bench) -> Path:
    """The library for the machine of a bench, built unless it is kept; raises `Problem` where it cannot be built."""
    machine = bench.machine
    runtime = resources.files("abiprobe.harness.machines.runtime")
    sources = {name: runtime.joinpath(name).read_text("utf-8") for name in (machine.assembly, "driver.c")}
    sources["table.c"] = resources.files(__package__).joinpath("table.c").read_text("utf-8")
    options = (
        *_OPTIONS,
        f"-DSTATE_BYTES={machine.state_bytes}",
        f"-DSP_OFFSET={machine.registers[machine.sp].offset}",
        f"-DRETURN_ADDRESS_BYTES={machine.return_address}",
    )
    tools = bench.trusted.cc, bench.trusted.ld
    programs = (content_digest(tool[0]) for tool in tools)
    words = "\0".join((*sources.values(), *options, *programs, *(word for tool in tools for word in tool)))
    name = f"library-{machine.full_name}-{hashlib.sha256(words.encode()).hexdigest()[:16]}"
    (library,) = kept_files(
        name,
        ("runtime.so",),
        lambda folder: _build(folder, sources, (*bench.trusted.cc, *options), bench.trusted.ld),
    )
    return library


def _build(folder: Path, sources: dict[str, str], compiler: tuple[str, ...], linker: tuple[str, ...]) -> None:
    objects = []
    for name, text in sources.items():
        source = folder / name
        source.write_text(text, "utf-8")
        objects.append(str(source.with_suffix(".o")))
        _run((*compiler, "-c", str(source), "-o", objects[-1]), folder)
    exports = folder / "exports"
    exports.write_text(f"{{ global: {' '.join(f'{name};' for name in EXPORTED)} local: *; }};\n", "utf-8")
    aliases = ("--defsym=abi_callees=abi_functions", "--defsym=__executable_start=0")
    # No register is free in which code of i386 could have an address: the loader writes them into it.
    script = (f"--version-script={exports}", "-Bsymbolic", "-z", "notext", *aliases)
    _run((*linker, "-shared", *script, "-o", str(folder / "runtime.so"), *objects), folder)


def _run(argv: tuple[str, ...], folder: Path) -> None:
    done = child.run(argv, timeout=_TIMEOUT, scratch=folder)
    if not done.ok:
        words = done.stderr.decode(errors="replace").strip()
        raise Problem("the runtime cannot be built as a library", words)
