"""Constants from an object file, a PTX text or assembly, by symbol, whatever its format."""

from __future__ import annotations

from pathlib import Path

from abiprobe.harness.readers import assembly, coff, elf, macho, ptx


def constants(path: Path) -> dict[str, bytes]:
    """The initial contents of every data symbol defined in an ELF, COFF or Mach-O object file, a PTX text or assembly.

    Only ELF records how large an object is; from the others an object comes with the padding behind it.
    Raises `ValueError` when the file is none of these, or cannot be read.
    """
    data = path.read_bytes()
    try:
        if data.startswith(elf.MAGIC):
            return elf.constants(data)
        if data[:4] in macho.MAGICS:
            return macho.constants(data)
        if coff.is_coff(data):
            return coff.constants(data)
        if ptx.is_ptx(data):
            return ptx.constants(data)
        if assembly.is_assembly(data):
            return assembly.constants(data)
    except ValueError as error:
        raise ValueError(f"{path.name} is not an object file that can be read: {error}") from error
    raise ValueError(f"{path.name} is not an ELF, COFF or Mach-O object file, and no PTX or assembly")
