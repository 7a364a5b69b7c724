"""Images to launch: hand-written partners linked with compiled objects by nvlink."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Sequence

import msgspec

from abiprobe.harness.base import child
from abiprobe.harness.observers.attempt import Attempt, Failed
from abiprobe.harness.observers.device.assembled import AssembledUnit, cut_down
from abiprobe.harness.observers.device.assembler.assemble import Assembler, halves
from abiprobe.harness.observers.device.assembler.cubin import PROTOTYPES
from abiprobe.harness.observers.device.pairs import SECONDS, link_outcome
from abiprobe.harness.subjects.cuda_tools import Tool
from abiprobe.results.verdicts.record import Outcome

SECTIONS, COUNTS, ENTRY_NAME, ENTRY_OFFSET, ENTRY_SIZE = 0x28, 0x3A, 0x00, 0x18, 0x20
"""Where an ELF file of 64 bits has the table of sections with its size, and an entry of it the name, the offset and the size."""


class ImageLinker(msgspec.Struct, frozen=True):
    """nvlink, the ptxas that assembles partners, and the attempt that pays."""

    tool: Tool
    assembler: Assembler
    attempt: Attempt

    def images(
        self,
        numbers: Sequence[int],
        objects: Sequence[AssembledUnit],
        partner: Callable[[Sequence[int]], str],
        *,
        raw: bool,
    ) -> Iterator[tuple[Sequence[int], bytes | Failed]]:
        """Yield images with objects and their partner, by the numbers in each; what is refused together is linked in halves.

        A `raw` partner is declared otherwise than what it is linked with, which is no concern of the linker's then.
        """
        found = self.image(numbers, objects, partner(numbers), raw=raw)
        if isinstance(found, bytes) or len(numbers) == 1:
            yield numbers, found
            return
        for half in halves(numbers):
            yield from self.images(half, objects, partner, raw=raw)

    def image(
        self, numbers: Sequence[int], objects: Sequence[AssembledUnit], partner: str, *, raw: bool
    ) -> bytes | Failed:
        """One image."""
        own = self.assembled(partner, len(numbers))
        if isinstance(own, Failed):
            return own
        parts = [own]
        for one in objects:
            part = one.data if one.numbers == frozenset(numbers) else self.smaller(one, numbers)
            if isinstance(part, Failed):
                return part
            parts.append(without_prototypes(part) if raw else part)
        folder = self.attempt.folder
        paths = [folder / f"launched{index}.cubin" for index in range(len(parts))]
        for path, data in zip(paths, parts, strict=True):
            path.write_bytes(data)
        output = folder / "launched.cubin"
        output.unlink(missing_ok=True)
        command = (self.tool.path, f"-arch={self.assembler.arch}", *map(str, paths), "-o", str(output))
        done = child.run(command, timeout=SECONDS)
        self.attempt.link_seconds += done.cpu_seconds
        said = link_outcome(done, folder)
        if said.ok and output.exists():
            return output.read_bytes()
        refused = said.outcome is Outcome.OBSERVED
        return Failed(Outcome.REFUSED if refused else said.outcome, said.words or "nvlink wrote no image")

    def smaller(self, one: AssembledUnit, numbers: Sequence[int]) -> bytes | Failed:
        """The object with no more than these numbers."""
        return self.assembled(cut_down(one.text, numbers), len(numbers))

    def assembled(self, text: str, functions: int) -> bytes | Failed:
        """The object of a text."""
        found = self.assembler.assemble(text, self.attempt.folder, functions)
        self.attempt.link_seconds += found.cpu_seconds
        if found.outcome is Outcome.OBSERVED:
            return found.image
        return Failed(found.outcome, f"ptxas: {found.signal or found.words}")


def without_prototypes(data: bytes) -> bytes:
    """An object whose prototype strings are no longer there to be compared."""
    changed = bytearray(data)
    (table,) = struct.unpack_from("<Q", data, SECTIONS)
    size, count, names = struct.unpack_from("<HHH", data, COUNTS)
    (strings,) = struct.unpack_from("<Q", data, table + names * size + ENTRY_OFFSET)
    for entry in range(table, table + count * size, size):
        (name,) = struct.unpack_from("<I", data, entry + ENTRY_NAME)
        if data.startswith(PROTOTYPES.encode() + b"\0", strings + name):
            struct.pack_into("<Q", changed, entry + ENTRY_SIZE, 0)
    return bytes(changed)
