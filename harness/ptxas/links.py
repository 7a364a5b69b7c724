"""Pairs: a caller that sees one signature linked with a callee that has another; what the linker says, and what is true."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from abiprobe.harness.base import child
from abiprobe.harness.base.removal import temporary
from abiprobe.harness.observers.device.assembler import probes, reading
from abiprobe.harness.observers.device.assembler.assemble import Assembler, message
from abiprobe.harness.observers.device.assembler.cubin import Cubin
from abiprobe.harness.observers.device.sass.decode import UndecodedError
from abiprobe.harness.observers.device.sass.follow import follow
from abiprobe.harness.subjects.cuda_tools import Tool, find_tool
from abiprobe.oracles.abis.ptx.parameter import Signature, parse_parameter
from abiprobe.oracles.abis.ptx.sass.places import assign
from abiprobe.oracles.abis.ptx.sass.prototypes import prototype_string
from abiprobe.results.verdicts.record import Outcome

SECONDS = 30.0

LINKED = (
    ("(f32)", "(b32)"),
    ("(r:b32)", "(b32)"),
    ("(.align 4 .b8[8])", "(.align 8 .b8[8])"),
    ("(.align 4 .b8[8])", "(.align 4 .b8[12])"),
    ("(b32, .align 4 .b8[8])", "(b32, .align 8 .b8[8])"),
    ("(b32, .align 4 .b8[8], b32)", "(b32, .align 4 .b8[8], b32)"),
    ("(.align 4 .b8[4])", "(b32)"),
    ("(b32, .align 1 .b8[5], b64)", "(b32, .align 8 .b8[5], b64)"),
)
"""Pairs for the linker: the signature that a caller sees, and the one that is defined."""


class Pair(msgspec.Struct, frozen=True):
    """A function as its caller declares it, and as it is defined."""

    caller: Signature
    callee: Signature


class Linked(msgspec.Struct, frozen=True):
    """The result of a pair: whether it should link, whether it did, and which argument is passed elsewhere than it is read.

    `moved` says for each such argument where the caller puts it and where the callee looks; that and a successful link is a silent break.
    """

    pair: Pair
    expected: bool
    linked: bool
    words: str
    moved: tuple[str, ...] = ()
    aligned: bool = True

    @property
    def silent_break(self) -> bool:
        """Return whether the linker accepts a pair that does not fit."""
        return self.linked and bool(self.moved)


def link(assembler: Assembler, linker: Tool, pairs: Sequence[Pair], folder: Path) -> Iterator[Linked]:
    """Assemble both sides of each pair, link them, and compare what the two sides of the call do."""
    for pair in pairs:
        head = probes.header(assembler.arch)
        objects = []
        for name, text in (
            ("caller", probes.caller("c", "f", pair.caller)),
            ("callee", probes.callee("f", pair.callee)),
        ):
            assembled = assembler.assemble(head + text, folder)
            if assembled.outcome is not Outcome.OBSERVED:
                break
            path = folder / f"{name}.cubin"
            path.write_bytes(assembled.image)
            objects.append(path)
        if len(objects) == 2:
            yield linked(assembler, linker, pair, objects, folder)


def linked(assembler: Assembler, linker: Tool, pair: Pair, objects: Sequence[Path], folder: Path) -> Linked:
    """The answer about two objects."""
    output = folder / "linked.cubin"
    output.unlink(missing_ok=True)
    command = (linker.path, f"-arch={assembler.arch}", "-r", *map(str, objects), "-o", str(output))
    done = child.run(command, timeout=SECONDS)
    expected = prototype_string(pair.caller.params, pair.caller.result) == prototype_string(
        pair.callee.params, pair.callee.result
    )
    alignments = [[param.align for param in side.params] for side in (pair.caller, pair.callee)]
    return Linked(
        pair,
        expected,
        done.ok and output.exists(),
        "" if done.ok else message(done, folder),
        moved(pair, objects),
        alignments[0] == alignments[1],
    )


def moved(pair: Pair, objects: Sequence[Path]) -> tuple[str, ...]:
    """The arguments that the caller's code puts elsewhere than the callee's code looks for them."""
    found = []
    try:
        there = follow(Cubin(objects[0].read_bytes()).code("c") or b"")
        here = follow(Cubin(objects[1].read_bytes()).code("f") or b"")
        puts = assign(pair.caller.params, pair.caller.result)
        for index, (param, slot) in enumerate(
            zip(pair.callee.params, probes.slots(pair.callee.params), strict=True)
        ):
            if index >= len(pair.caller.params):
                break
            looks = reading.stored(here, slot, min(param.size, pair.caller.params[index].size))
            own = probes.slots(pair.caller.params)[index]
            passed = reading.passed(there, puts.params[index], len(looks))
            places = tuple(reading.place_at_entry(puts.params[index], byte) for byte in range(len(looks)))
            if passed == reading.loaded(own, len(looks)) and looks and looks != places:
                there_at, here_at = (reading.spelled(at[0]).removesuffix(" byte 0") for at in (places, looks))
                found.append(f"argument {index} is passed in {there_at} and read from {here_at}")
    except UndecodedError as error:
        found.append(f"its arguments cannot be followed: {error}")
    return tuple(found)


def fixed(tool: Tool) -> tuple[Linked, ...]:
    """The fixed pairs, linked; none without nvlink."""
    linker = find_tool("nvlink")
    if linker is None:
        return ()
    with temporary() as folder:
        asked = [Pair(signature(caller), signature(callee)) for caller, callee in LINKED]
        return tuple(link(Assembler(tool), linker, asked, Path(folder)))


def signature(text: str) -> Signature:
    """A signature without a result in short notation."""
    return Signature(tuple(parse_parameter(part) for part in text.strip("()").split(", ")))
