"""Golden vectors of the IPU and the DPU as questions to a model, and its answers in the vectors' own words.

One vector a line. `document` says how the ABI document stands to a fact: it `agrees`, is `silent` or `ambiguous`
(and the models read it as the compiler does), or is in `conflict` with it. `evidence.level` says how sure the fact is:
`test` (a test of the public compiler states it), `binary` (read from what the compiler produced), `source` (follows from
the compiler's tables), `standin` (computed by compilers with the same rules).
"""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any

import msgspec

from abiprobe.harness.input import Declarations, read
from abiprobe.harness.input.front_end import front_end
from abiprobe.oracles.lang import Prototype, Record
from abiprobe.oracles.model import AbiModel
from abiprobe.oracles.place import Assignment, Extension, Layout, Passed, Passing, Piece, Register
from laboratory.golden import Fact, table
from laboratory.golden.frames import told

BASES = {"ipu-colossus32": "colossus-ipu", "upmem-dpu": "upmem-dpu"}
PRELUDE = "#include <stddef.h>\nenum E { ONE, TWO };\nstruct S { int a, b; };\n"
VECTOR_TYPES = "#include <ipudef.h>\n"
CALLED_WITH = re.compile(r"(.*\)) called with \((.*)\)")
PROMOTED = {"char": "int", "short": "int", "fmt": ""}


def vectors() -> list[dict[str, Any]]:
    """All of them."""
    lines = table("golden", "ipu-dpu.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]


def facts(base: str) -> tuple[Fact, ...]:
    """What the vectors say of a target and its modes, in the dialect of the compiler."""
    found = (vector for vector in vectors() if BASES[vector["abi"]] == base)
    return tuple(fact(vector) for vector in found)


def fact(vector: dict[str, Any]) -> Fact:
    """A vector as a fact; what it asks is read at once, by the models that are right."""
    name = f"{target(vector)}@compiler"
    if vector["kind"] == "convention":
        return Fact(vector["id"], name, lambda found, model: told(found, model, vector) == vector["value"])
    asked(vector["id"])
    return Fact(vector["id"], name, lambda _, model: holds(model, vector))


@cache
def asked(name: str) -> Record | Prototype:
    """The question of the vector of this id, which is none about a convention."""
    (vector,) = (one for one in vectors() if one["id"] == name)
    return prototype(vector) if vector["kind"] == "call" else record(vector)


def target(vector: dict[str, Any]) -> str:
    """The target that a vector is about."""
    return BASES[vector["abi"]] + ("-supervisor" if vector.get("mode") == "supervisor" else "")


def declared(vector: dict[str, Any], text: str) -> Declarations:
    """What `text` declares, read as for the target of a vector."""
    base = target(vector)
    prelude = PRELUDE + (VECTOR_TYPES if base.startswith("colossus") else "")
    as_if = front_end(base)
    return read(prelude + text, filename="golden.h", triple=as_if.triple, options=as_if.options)


def record(vector: dict[str, Any]) -> Record:
    """The record of a layout vector, or one with a member of the type that a type vector is about."""
    if vector["kind"] == "layout":
        keyword, rest = vector["decl"].split(" ", 1)
        return declared(vector, f"{keyword} R {rest};").records[-1]
    name = {"enum": "enum E", "half (__fp16)": "half"}.get(vector["type"], vector["type"])
    return declared(vector, f"struct R {{ {name} m; }};").records[-1]


def prototype(vector: dict[str, Any]) -> Prototype:
    """The function of a call vector, with the unnamed arguments of the call."""
    text = vector["prototype"]
    called = CALLED_WITH.fullmatch(text)
    if called is None:
        return declared(vector, text + ";").functions[-1]
    words = called[2].split(",")[vector["variadic_from"] :]
    unnamed = ",".join(PROMOTED.get(word, word) for word in words) or "void"
    function, given = declared(vector, f"{called[1]}; void given({unnamed});").functions
    return msgspec.structs.replace(function, unnamed=tuple(param.type for param in given.params))


def layout_seen(answer: Layout) -> dict[str, Any]:
    """A layout as a vector writes it; offsets of arrays and nested records are those of their first leaves."""
    starts: dict[str, dict[str, Any]] = {}
    for member in answer.members:
        name = re.split(r"[.\[]", member.path)[0]
        width = {"bit_width": member.bit_width} if member.bit_field else {}
        starts.setdefault(name, {"name": name, "bit_offset": member.bit_offset, **width})
    return {"size": answer.size, "align": answer.align, "fields": list(starts.values())}


def layout_wanted(vector: dict[str, Any], answer: dict[str, Any]) -> dict[str, Any]:
    """What a vector says of a layout; it may leave the width of a bit-field out."""
    widths = {field["name"]: field.get("bit_width") for field in answer["fields"]}
    fields = [
        {**({"bit_width": widths[field["name"]]} if widths.get(field["name"]) else {}), **field}
        for field in vector["fields"]
    ]
    return {"size": vector["size"], "align": vector["align"], "fields": fields}


def call_seen(answer: Assignment) -> dict[str, Any]:
    """The places of a call as a vector writes them."""
    result = None
    if answer.result is not None and answer.result.passing is Passing.INDIRECT:
        pieces = answer.hidden[0].pieces
        result = {"loc": places(pieces), "passed": "hidden-pointer"}
    elif answer.result is not None:
        result = passed(answer.result)
    return {"args": [passed(param) for param in answer.params], "ret": result}


def call_wanted(vector: dict[str, Any]) -> dict[str, Any]:
    """What a vector says of a call, without the spelling of types."""
    plain = [{key: value for key, value in item.items() if key != "type"} for item in vector["args"]]
    ret = vector["ret"] and {key: value for key, value in vector["ret"].items() if key != "type"}
    return {"args": plain, "ret": ret or None}


def passed(value: Passed) -> dict[str, Any]:
    """One argument or result."""
    found: dict[str, Any] = {"loc": places(value.pieces)}
    if value.passing is Passing.INDIRECT:
        found["passed"] = "pointer-to-callers-copy"
    for piece in value.pieces:
        if piece.extension in {Extension.SIGN, Extension.ZERO}:
            found["extended_to_word"] = piece.extension.value
    return found


def places(pieces: tuple[Piece, ...]) -> list[dict[str, Any]]:
    """The pieces of a value."""
    return [
        {"reg": piece.place.name, "bytes": [piece.start, piece.end]}
        if isinstance(piece.place, Register)
        else {"stack": piece.place.offset, "bytes": [piece.start, piece.end]}
        for piece in pieces
    ]


def holds(model: AbiModel, vector: dict[str, Any]) -> bool:
    """Whether a model says of a type, layout or call what a vector says."""
    if vector["kind"] == "call":
        function = asked(vector["id"])
        assert isinstance(function, Prototype)
        answer = model.assign(function)
        return isinstance(answer, Assignment) and call_seen(answer) == call_wanted(vector)
    question = asked(vector["id"])
    assert isinstance(question, Record)
    layout = model.layout(question)
    if not isinstance(layout, Layout):
        return False
    if vector["kind"] == "layout":
        seen = layout_seen(layout)
        return seen == layout_wanted(vector, seen)
    signed = vector.get("signed", model.types.is_signed(question.members[0].type))
    return (layout.size, layout.align) == (vector["size"], vector["align"]) and signed == (
        model.types.is_signed(question.members[0].type)
    )
