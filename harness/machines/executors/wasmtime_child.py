"""The process that runs one module: `wasmtime_child.py MODULE`, script on stdin, records on stdout.

It serves the module's imports, and ends with the module's own status. After a trap it writes a record of that itself, and goes
on with the next operation in a new instance of the module, whose memory is as it was in the beginning. What the module is
compiled to is kept beside it. It imports nothing of abiprobe, so that it starts quickly and from any folder.
"""

from __future__ import annotations

import importlib
import os
import struct
import sys
from pathlib import Path
from typing import Any

# By name, because this folder has a module that is called the same.
wasmtime: Any = importlib.import_module("wasmtime")

TRAPPED = 4
"""The number of a record of a trap on the wire (`script.py`)."""
LARGEST = 1 << 26
"""Bytes of memory that a module may have, which keeps the engine from reserving all that 32 bits address."""
WORD = 4


class LeftError(Exception):
    """The driver has left a function that it had entered."""


class Script:
    """The operations, of which no more than one is given at a time."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.start = self.at = self.end = 0

    def take(self, length: int) -> bytes:
        """The next bytes, of the operation that is being read or, where that is over, of the next one."""
        if self.at == self.end < len(self.data):
            (size,) = struct.unpack_from("<I", self.data, self.end)
            self.start, self.end = self.end, self.end + WORD + size
        part = self.data[self.at : min(self.at + length, self.end)]
        self.at += len(part)
        return part

    def skip(self) -> int:
        """Leave the rest of the operation, and tell its number."""
        self.at = self.end
        (index,) = struct.unpack_from("<I", self.data, self.start + 2 * WORD)
        return int(index)


class Program:
    """A module on its way through its script."""

    def __init__(self, engine: Any, module: Any, script: Script) -> None:
        self.script = script
        self.store = wasmtime.Store(engine)
        linker = wasmtime.Linker(engine)
        word = wasmtime.ValType.i32()
        for name, taken, given, function in (
            ("read", 2, 1, self.read),
            ("write", 2, 1, self.write),
            ("exit", 1, 0, os._exit),
            ("leave", 0, 0, self.leave),
            ("guarded", 0, 0, self.guarded),
        ):
            kind = wasmtime.FuncType([word] * taken, [word] * given)
            linker.define_func("abiprobe", name, kind, function)
        exports = linker.instantiate(self.store, module).exports(self.store)
        self.memory, self.main, self.entry = (exports[name] for name in ("memory", "abi_main", "abi_entry"))

    def read(self, to: int, length: int) -> int:
        """Put the next bytes of the script into memory."""
        data = self.script.take(length)
        self.memory.write(self.store, data, to)
        return len(data)

    def write(self, start: int, length: int) -> int:
        """Write bytes of a record."""
        return os.write(1, self.memory.read(self.store, start, start + length))

    def leave(self) -> None:
        """Return from `guarded`, through all that was called in it."""
        raise LeftError

    def guarded(self) -> None:
        """Call what the driver wants to be called."""
        try:
            self.entry(self.store)
        except LeftError:
            return


def started() -> Any:
    """An engine that compiles quickly, and takes little room."""
    config = wasmtime.Config()
    config.cranelift_opt_level = "none"
    config.parallel_compilation = False
    config.memory_reservation = LARGEST
    config.memory_guard_size = 1 << 16
    return wasmtime.Engine(config)


def compiled(engine: Any, path: Path) -> Any:
    """The module, as it was compiled before if it was."""
    kept = path.with_suffix(".compiled")
    if kept.exists():
        return wasmtime.Module.deserialize(engine, kept.read_bytes())
    module = wasmtime.Module(engine, path.read_bytes())
    kept.write_bytes(module.serialize())
    return module


def why(error: Exception) -> str:
    """The cause of a trap in a few words."""
    return str(error).strip().splitlines()[-1].strip()


def main(image: str) -> None:
    """Run a module to the end of its script, which ends the process."""
    engine, script = started(), Script(sys.stdin.buffer.read())
    module = compiled(engine, Path(image))
    while True:
        program = Program(engine, module, script)
        try:
            program.main(program.store)
        except (wasmtime.WasmtimeError, wasmtime.Trap) as error:
            index, words = script.skip(), why(error).encode()
            os.write(1, struct.pack("<3I", 2 * WORD + len(words), TRAPPED, index) + words)


if __name__ == "__main__":
    main(sys.argv[1])
