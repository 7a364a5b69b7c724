"""Calls of the functions of a vector library: what goes into them, and how far each lane is from the scalar function."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import msgspec

from abiprobe.harness.base import child
from abiprobe.harness.base.problem import Problem
from abiprobe.harness.base.removal import temporary
from abiprobe.harness.machines.runtime.build import find_trusted
from abiprobe.harness.machines.runtime.script import Patch
from abiprobe.harness.machines.runtime.x86 import X86_64, X86_64_AVX512
from abiprobe.harness.observers.lanes.cases import Filled
from abiprobe.harness.observers.lanes.comparing import result_lanes
from abiprobe.harness.observers.lanes.floats import distance, packed, rounded, unpacked
from abiprobe.oracles.abis.vfabi.dialect import REGISTER
from abiprobe.oracles.abis.vfabi.libmvec import prototypes
from abiprobe.oracles.abis.vfabi.variant import Spread, Variant, VariantPlaces
from abiprobe.oracles.engine.records import round_up
from abiprobe.oracles.language.lang import Kind, Pointer, Prototype, Scalar
from abiprobe.oracles.text.place import Register, StackSlot

SCALARS = "libm.so.6"
TOLERANCE = 4
"""The greatest error that libmvec promises, in units of the last place."""
TIMEOUT = 60.0


class Checked(msgspec.Struct, frozen=True):
    """The result for a symbol: `worst` is the greatest distance of a lane in units of the last place.

    `failed` says what went wrong, and is empty where nothing did; `skipped` that no processor here runs it.
    """

    symbol: str
    lanes: int = 0
    worst: int = 0
    failed: str = ""
    skipped: bool = False


class LibraryCall(msgspec.Struct, frozen=True):
    """One call: the variant, its places, each lane's numbers, and where each output lies in the buffer."""

    function: Prototype
    variant: Variant
    places: VariantPlaces
    values: tuple[tuple[float, ...], ...]
    request: dict[str, Any]

    @property
    def kind(self) -> Kind:
        """`float` or `double`."""
        first = self.function.params[0].type
        assert isinstance(first, Scalar), "libmvec's functions begin with a number"
        return first.kind


def library_call(function: Prototype, variant: Variant) -> LibraryCall:
    """A call with numbers from the domain of the function, everything that the model does not name being noise."""
    places = variant.places
    assert isinstance(places, VariantPlaces), "gcc's dialect places everything"
    lanes = variant.name.lanes
    first = function.params[0].type
    assert isinstance(first, Scalar), "libmvec's functions begin with a number"
    numbers = [param for param in function.params if isinstance(param.type, Scalar)]
    values = tuple(
        tuple(rounded(first.kind, number(function.name, lane, index)) for index in range(len(numbers)))
        for lane in range(lanes)
    )
    call = Filled(X86_64_AVX512, places, variant.symbol)
    patches: list[Patch] = []
    buffer = 0
    for index, (param, place) in enumerate(zip(function.params, places.params, strict=True)):
        assert isinstance(place, Spread), "all of libmvec's parameters are vectors"
        if isinstance(param.type, Pointer):
            patches += list(addresses(place, buffer))
            buffer += 8 * lanes
        else:
            call.spread(place, [packed(first.kind, lane[index]) for lane in values])
    request = {
        "symbol": variant.symbol,
        "function": function.name,
        "width": REGISTER[variant.name.isa],
        "state": call.block.hex(),
        "stack": bytes(call.stack).ljust(round_up(len(call.stack), 64), b"\xa5").hex(),
        "patches": [[patch.where, patch.offset] for patch in patches],
        "buffer": buffer,
        "values": values,
        "outputs": len(function.params) - len(numbers),
        "kind": first.kind.value,
    }
    return LibraryCall(function, variant, places, values, request)


def addresses(place: Spread, start: int) -> Iterator[Patch]:
    """An address for each lane, 8 bytes of the buffer apart."""
    for part in place.parts:
        for lane in range(part.first, part.last):
            offset = 8 * (lane - part.first)
            where = part.place
            at = Register(where.name) if isinstance(where, Register) else StackSlot(where.offset)
            yield Patch(X86_64_AVX512.where(at) + offset, start + 8 * lane)


def number(function: str, lane: int, index: int) -> float:
    """An argument in the domain of every function but acosh, which begins at 1."""
    value = 0.05 + 0.9 * (((lane * 7 + index * 3 + len(function)) * 0.6180339887) % 1.0)
    return value + 1.0 if function.startswith("acosh") else value


def answers_of(path: Path, requests: Sequence[dict[str, Any]]) -> tuple[list[dict[str, Any]], str]:
    """The answers of the child, and how it ended when it answered too few."""
    with temporary() as folder:
        question = {
            "vector": str(path),
            "scalar": SCALARS,
            "stub": str(stub(Path(folder))),
            "declarations": "\n".join(declared(function) for function in prototypes()),
            "return_address": X86_64.return_address,
            "calls": list(requests),
        }
        program = str(resources.files(__package__).joinpath("library_child.py"))
        done = child.run((sys.executable, program), stdin=json.dumps(question).encode(), timeout=TIMEOUT)
    answers = [json.loads(line) for line in done.stdout.decode().splitlines() if line.endswith("}")]
    words = done.stderr.decode(errors="replace").strip().splitlines()
    return answers, done.signal or (words[-1] if words else f"exit status {done.returncode}")


def declared(function: Prototype) -> str:
    """The scalar function for cffi."""
    first = function.params[0].type
    assert isinstance(first, Scalar), "libmvec's functions begin with a number"
    kind = first.kind.value
    params = ", ".join(f"{kind} *" if isinstance(p.type, Pointer) else kind for p in function.params)
    return f"{'void' if function.result is None else kind} {function.name}({params});"


def stub(folder: Path) -> Path:
    """The assembly that enters a library's function, as a shared library."""
    trusted = find_trusted(X86_64)
    source, unit, output = folder / "library.S", folder / "library.o", folder / "library.so"
    source.write_text(_stub_text(), "utf-8")
    for words in (
        (*trusted.cc, "-c", str(source), "-o", str(unit)),
        (*trusted.ld, "-shared", "-o", str(output), str(unit)),
    ):
        done = child.run(words, timeout=TIMEOUT)
        if not done.ok:
            raise Problem(
                f"{words[0]} does not build library.S", done.stderr.decode(errors="replace").strip()
            )
    return output


@cache
def _stub_text() -> str:
    return resources.files(__package__).joinpath("library.S").read_text("utf-8")


def compare(one: LibraryCall, answer: dict[str, Any]) -> Checked:
    """The greatest distance between a lane and the scalar function."""
    lanes, kind = one.variant.name.lanes, one.kind
    size = 4 if kind is Kind.FLOAT else 8
    buffer = bytes.fromhex(answer["buffer"])
    result = one.places.result
    if result is not None:
        names = [part.place.name for part in result.parts if isinstance(part.place, Register)]
        state = bytes.fromhex(answer["state"])
        registers = {name: X86_64_AVX512.read(state, name) for name in names}
        got = [[unpacked(kind, data)] for data in result_lanes(one.places, registers, b"", lanes)]
    else:
        outputs = one.request["outputs"]
        got = [
            [unpacked(kind, buffer[8 * (lanes * index + lane) :][:size]) for index in range(outputs)]
            for lane in range(lanes)
        ]
    worst = max(
        distance(kind, mine, theirs)
        for own, others in zip(got, answer["scalar"], strict=True)
        for mine, theirs in zip(own, others, strict=True)
    )
    failed = f"{worst} units of the last place from the scalar function" if worst > TOLERANCE else ""
    return Checked(one.variant.symbol, lanes, worst, failed)
