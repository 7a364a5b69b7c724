"""Constants from an object file, a PTX text or assembly, by symbol, whatever its format."""

from __future__ import annotations

from pathlib import Path

from abiprobe.harness.machines.readers import assembly, coff, elf, macho, ptx, wasm
from abiprobe.harness.machines.readers.unread import UnreadError

OTHERS = {
    b"\x01\xdf": "XCOFF",
    b"\x01\xf7": "XCOFF",
    b"\x03\xf0": "GOFF",
    b"\x03\x02\x23\x07": "SPIR-V",
    b"BC\xc0\xde": "LLVM bitcode",
    b"DXBC": "DXIL",
    b"\xfe\xed\xfa\xce": "big-endian Mach-O",
    b"\xfe\xed\xfa\xcf": "big-endian Mach-O",
}
"""Formats that compilers write and nothing here reads, by how their files begin."""


def is_big_endian(path: Path) -> bool:
    """Return whether the numbers in an object file have their most significant byte first; only in ELF they may."""
    with path.open("rb") as file:
        head = file.read(elf.EI_DATA + 1)
    return head.startswith(elf.MAGIC) and elf.is_big_endian(head)


def constants(path: Path) -> dict[str, bytes]:
    """The initial contents of every data symbol defined in an ELF, COFF, Mach-O or WebAssembly object file, a PTX text or assembly.

    Only ELF and WebAssembly record how large an object is; from the others an object comes with the padding behind it.
    Raises `ValueError` when the file is none of these, or cannot be read, and `UnreadError` when it is of one of `OTHERS`.
    """
    data = path.read_bytes()
    for magic, name in OTHERS.items():
        if data.startswith(magic):
            raise UnreadError(f"object files in the format {name} are not read")
    try:
        if data.startswith(elf.MAGIC):
            return elf.constants(data)
        if data[:4] in macho.MAGICS:
            return macho.constants(data)
        if coff.is_coff(data):
            return coff.constants(data)
        if data.startswith(wasm.MAGIC):
            return wasm.constants(data)
        if ptx.is_ptx(data):
            return ptx.constants(data)
        if assembly.is_assembly(data):
            return assembly.constants(data)
    except ValueError as error:
        raise ValueError(f"{path.name} is not an object file that can be read: {error}") from error
    raise ValueError(
        f"{path.name} is not an ELF, COFF, Mach-O or WebAssembly object file, and no PTX or assembly"
    )
