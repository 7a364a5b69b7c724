"""Reading an assembled image: code by function, prototype strings, and what it says about kernel parameters."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from functools import cached_property
from io import BytesIO

import msgspec
from elftools.common.exceptions import ELFError
from elftools.elf.elffile import ELFFile

CUDA_MACHINE = 190
TEXT, INFO, CONSTANTS, PROTOTYPES = ".text.", ".nv.info.", ".nv.constant0.", ".nv.prototype"
PARAMETER, PARAMETER_2, BANK, BANK_SIZE = 0x17, 0x45, 0x0A, 0x19
SIZED_FORMAT = 4
_SYMBOL = struct.Struct("<IBBHQQ")


class KernelParameter(msgspec.Struct, frozen=True):
    """One parameter of a kernel as the image has it: ordinal, offset and size in bytes."""

    ordinal: int
    offset: int
    size: int


class KernelRecord(msgspec.Struct, frozen=True):
    """The four witnesses of a kernel's parameters: the table, base and size of the bank, the size by itself, and the section."""

    params: tuple[KernelParameter, ...]
    bank_base: int
    bank_size: int
    size: int
    section_bytes: int


class Cubin:
    """An image; raises `ValueError` for a file that is none."""

    def __init__(self, data: bytes) -> None:
        try:
            elf = ELFFile(BytesIO(data))
            if elf["e_machine"] not in {CUDA_MACHINE, "EM_CUDA"}:
                raise ValueError(f"machine {elf['e_machine']}, not CUDA")
            self.sections = {section.name: section.data() for section in elf.iter_sections() if section.name}
        except (ELFError, struct.error) as error:
            raise ValueError(str(error)) from error

    def code(self, name: str) -> bytes | None:
        """The machine code of a function."""
        return self.sections.get(TEXT + name)

    @property
    def functions(self) -> tuple[str, ...]:
        """The functions that have code."""
        return tuple(name.removeprefix(TEXT) for name in self.sections if name.startswith(TEXT))

    @cached_property
    def prototypes(self) -> dict[str, str]:
        """The prototype string of each global function, defined or called."""
        table = self.sections.get(PROTOTYPES, b"")
        strings, symbols = self.sections[".strtab"], self.sections[".symtab"]
        found = {}
        for index, offset in struct.iter_unpack("<II", table):
            name = _SYMBOL.unpack_from(symbols, index * _SYMBOL.size)[0]
            found[text_at(strings, name)] = text_at(strings, offset)
        return found

    def kernel(self, name: str) -> KernelRecord | None:
        """Return the image's record of a kernel's parameters, `None` if it has no such kernel."""
        records = list(attributes(self.sections.get(INFO + name, b"")))
        if CONSTANTS + name not in self.sections and not records:
            return None
        params = []
        base = size = total = 0
        for attribute, payload in records:
            if attribute == PARAMETER:
                _, ordinal, offset, packed = struct.unpack("<IHHI", payload)
                params.append(KernelParameter(ordinal, offset, packed >> 18))
            elif attribute == PARAMETER_2:
                _, ordinal, offset, bytes_, _ = struct.unpack("<IHHHH", payload)
                params.append(KernelParameter(ordinal, offset, bytes_))
            elif attribute == BANK:
                _, base, size = struct.unpack("<IHH", payload)
            elif attribute == BANK_SIZE:
                (total,) = struct.unpack("<H", payload)
        ordered = tuple(sorted(params, key=lambda param: param.ordinal))
        return KernelRecord(ordered, base, size, total, len(self.sections.get(CONSTANTS + name, b"")))


def attributes(data: bytes) -> Iterator[tuple[int, bytes]]:
    """The records of an information section: attribute and payload."""
    at = 0
    while at + 4 <= len(data):
        form, attribute = data[at], data[at + 1]
        (value,) = struct.unpack_from("<H", data, at + 2)
        if form == SIZED_FORMAT:
            yield attribute, data[at + 4 : at + 4 + value]
            at += 4 + value
        else:
            yield attribute, data[at + 2 : at + 4]
            at += 4


def text_at(strings: bytes, offset: int) -> str:
    """The string at an offset of a string table."""
    return strings[offset : strings.index(b"\0", offset)].decode("utf-8", "replace")
