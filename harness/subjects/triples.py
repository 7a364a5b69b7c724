"""A remark about the comparison for a subject that builds for another triple, printed before it is asked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from abiprobe.harness.base.removal import temporary
from abiprobe.harness.machines.readers.objects import constants, is_big_endian
from abiprobe.harness.subjects.compile import Limits, compile_unit
from abiprobe.harness.subjects.find import build, parse_subject
from abiprobe.results.verdicts.record import Outcome

UNIT = "const unsigned long long abi_layout[] = { 1 };\n"
LITTLE = "sizes, alignments, offsets and bit-fields"
BIG = (
    "sizes, alignments, offsets and the order and widths of bit-fields; "
    "not which bits of a byte those take, as the machine is big-endian"
)


def remarks(subjects: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """A line for each of the subjects of a target that has a triple of its own."""
    for target, spellings in subjects.items():
        for spelling in spellings:
            if parse_subject(spelling).triple:
                yield f"{spelling} for {target}: {remark(spelling, target)}"


def remark(spelling: str, target: str) -> str:
    """Return a remark on which of the layouts that a subject makes for its triple are compared, or why none is."""
    built = build(parse_subject(spelling), target, "O0")
    if built is None:
        return "nothing is compared: it is not installed"
    with temporary() as folder:
        output = Path(folder, "unit.o")
        done = compile_unit(built, UNIT, output, Limits(), 1)
        if done.outcome is not Outcome.OBSERVED:
            return f"nothing is compared: {done.words}"
        try:
            constants(output)
        except ValueError as error:
            return f"nothing is compared: {error}"
        compared = BIG if is_big_endian(output) else LITTLE
    return f"layouts only, against the model of {target.partition('@')[0]}: {compared}"
