"""A question as zig's test of the C ABI: main.zig has the function in question, cfuncs.c calls it as the text has it."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from abiprobe.harness.triage.exports.in_rust import printer
from abiprobe.harness.triage.exports.layouts import Layouts
from abiprobe.harness.triage.exports.program import Program, ProgramValue
from abiprobe.harness.triage.exports.templates import filled
from abiprobe.oracles.language.lang import Array, Kind, Prototype, Record, Scalar
from abiprobe.oracles.model import Target

BYTE = Scalar(Kind.UCHAR)


class ZigValue(msgspec.Struct, frozen=True):
    """A value as main.zig has it: the objects that it is passed from and stored in."""

    label: str
    type: str
    kept: str
    is_bool: bool


def call(target: Target, function: Prototype, about: Sequence[str], of: Program) -> dict[str, str]:
    """Both files for a call."""
    made = printer("zig-lang", target, function)
    values = [zig_value(made.type(one.type), one) for one in of.everything]
    result = values[-1] if of.result is not None else None
    used = [one.type for one in of.everything]
    own = {
        "about": "\n".join(f"// {line}" for line in about),
        "records": made.definitions(used).strip(),
        "params": values[:-1] if result else values,
        "result": result,
        "values": values,
    }
    raw = msgspec.structs.replace(
        of,
        values=tuple(map(as_bytes, of.values)),
        result=as_bytes(of.result) if of.result is not None else None,
    )
    return {
        "main.zig": filled("main.zig.j2", **own),
        "cfuncs.c": filled("cfuncs.c.j2", p=raw, about=own["about"]),
    }


def zig_value(c_type: str, one: ProgramValue) -> ZigValue:
    """A value of the function in question in zig."""
    return ZigValue(one.label, c_type, "c_longlong" if one.narrow else c_type, c_type == "bool")


def as_bytes(one: ProgramValue) -> ProgramValue:
    """A value whose objects are bytes, so that nothing depends on the layout that a compiler of C gives them."""
    return msgspec.structs.replace(one, type=Array(BYTE, one.given.size))


def layout(target: Target, record: Record, about: Sequence[str], of: Layouts) -> dict[str, str]:
    """A test in main.zig."""
    made = printer("zig-lang", target, record)
    text = filled(
        "layout.zig.j2",
        about="\n".join(f"// {line}" for line in about),
        records=made.definitions((record,)).strip(),
        type=made.record_name(record, ""),
        of=of,
        offsets=[one for one in of.offsets if one.path.isidentifier()],
    )
    return {"main.zig": text}
