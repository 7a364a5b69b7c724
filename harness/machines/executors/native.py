"""The host itself, where its processor runs the machine's programs."""

from __future__ import annotations

import platform
import struct
import sys
from functools import cache
from pathlib import Path

import msgspec

from abiprobe.harness.base import child
from abiprobe.harness.base.removal import temporary
from abiprobe.harness.machines.executors.executor import Absent
from abiprobe.harness.machines.runtime.machine import machine as find_machine

_TIMEOUT = 10.0
_XMM_BYTES = 16
_FLAGS = {32: "avx", 64: "avx512bw"}
"""The flag of the processor for vector registers of so many bytes."""
_I386_EXIT = bytes.fromhex("31db b801000000 cd80")
"""`exit(0)`: xor %ebx, %ebx; mov $1, %eax; int $0x80."""


class Native(msgspec.Struct, frozen=True):
    """Runs images that the host's own processor runs."""

    machine: str
    name: str = "native"

    def run(self, image: Path, script: bytes, *, timeout: float, memory: int | None = None) -> child.Exit:
        """Run `image` on `script`; `timeout` in seconds, `memory` (address space) in bytes."""
        return child.run((str(image.resolve()),), stdin=script, timeout=timeout, memory=memory)


def native(machine: str, vectors: int = 0) -> Native | Absent:
    """The host as an executor of `machine`; raises `KeyError` for an unknown one.

    Vector registers of more than 16 bytes (`vectors`) are x86's.
    """
    host = platform.machine()
    if sys.platform != "linux" or host not in find_machine(machine).hosts:
        return Absent("native", f"this is {sys.platform} on {host}")
    if machine == "i386" and host == "x86_64" and not _kernel_runs_i386():
        return Absent("native", "the kernel runs no 32-bit programs")
    if vectors > _XMM_BYTES and (lacking := _FLAGS[vectors]) not in _processor_flags():
        return Absent("native", f"this processor has no {lacking}")
    return Native(machine)


@cache
def _processor_flags() -> frozenset[str]:
    """Return the features of the processor that Linux lets programs use."""
    try:
        text = Path("/proc/cpuinfo").read_text("utf-8")
    except OSError:
        return frozenset()
    flags = next((line for line in text.splitlines() if line.startswith("flags")), "")
    return frozenset(flags.partition(":")[2].split())


@cache
def _kernel_runs_i386() -> bool:
    """Return whether the smallest 32-bit program runs: kernels may be built, or told at boot, to refuse them."""
    with temporary() as folder:
        program = Path(folder, "exit")
        program.write_bytes(_smallest_image(_I386_EXIT))
        program.chmod(0o700)
        try:
            return child.run((str(program),), timeout=_TIMEOUT).ok
        except OSError:
            return False


def _smallest_image(code: bytes) -> bytes:
    """A static i386 ELF image of one segment that does `code`."""
    header, segment, base = 52, 32, 0x400000
    start = header + segment
    identity = b"\x7fELF\x01\x01\x01".ljust(16, b"\0")
    about = struct.pack("<HHIIIIIHHHHHH", 2, 3, 1, base + start, header, 0, 0, header, segment, 1, 0, 0, 0)
    load = struct.pack("<8I", 1, 0, base, base, start + len(code), start + len(code), 5, 4096)
    return identity + about + load + code
