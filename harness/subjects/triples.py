"""A remark about the comparison for a subject that builds for another triple, printed before it is asked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from abiprobe.harness.base.removal import temporary
from abiprobe.harness.machines.readers.objects import constants, is_big_endian
from abiprobe.harness.subjects.compile import Limits, compile_unit
from abiprobe.harness.subjects.find import build
from abiprobe.harness.subjects.subject import Subject
from abiprobe.oracles.model import Target
from abiprobe.results.verdicts.record import Outcome

UNIT = "const unsigned long long abi_layout[] = { 1 };\n"
LITTLE = "sizes, alignments, offsets and bit-fields"
BIG = (
    "sizes, alignments, offsets and the order and widths of bit-fields; "
    "not which bits of a byte those take, as the machine is big-endian"
)


def remarks(subjects: Mapping[Target, Sequence[Subject]]) -> Iterator[str]:
    """A line for each of the subjects of a target that has a triple of its own."""
    for target, here in subjects.items():
        for subject in here:
            if subject.triple:
                yield f"{subject.spelling} for {target}: {remark(subject, target)}"


def remark(subject: Subject, target: Target) -> str:
    """Return a remark on which of the layouts that a subject makes for its triple are compared, or why none is."""
    built = build(subject, target, "O0")
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
    return f"layouts only, against the model of {target.name}: {compared}"
