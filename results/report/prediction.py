"""The answers of a model about declarations, as JSON values (schema 2 of `abiprobe predict`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias, assert_never

from abiprobe.oracles.engine.cxx_call import CxxAnswer, CxxCall
from abiprobe.oracles.language.classes import Class
from abiprobe.oracles.language.cxx_calls import CxxPrototype, call_title
from abiprobe.oracles.language.lang import Prototype, Record, Type, spelling
from abiprobe.oracles.model import AbiModel
from abiprobe.oracles.text.class_layout import BasePlace, ClassLayout
from abiprobe.oracles.text.clause import literal_reading
from abiprobe.oracles.text.place import (
    Assignment,
    Hidden,
    Layout,
    MemberPlace,
    ParamVariable,
    Passed,
    Piece,
    Register,
    StackSlot,
    Unspecified,
    Unsupported,
)
from abiprobe.results.report.frame import frame_json
from abiprobe.results.report.pieces import above, with_types
from abiprobe.results.report.supplement import supplement_json

SCHEMA = 2


PredictedClasses: TypeAlias = Sequence[tuple[Class, ClassLayout | Unspecified | Unsupported]]
"""C++ classes with what a model says of each."""
PredictedCxxCalls: TypeAlias = Sequence[tuple[CxxPrototype, CxxAnswer]]
"""Functions of C++ with what a model says of a call of each."""


def prediction(
    target: str,
    model: AbiModel,
    records: Sequence[Record],
    functions: Sequence[Prototype],
    classes: PredictedClasses = (),
    cxx_calls: PredictedCxxCalls = (),
) -> dict[str, object]:
    """The layout of every record and class and the places of every call, each decision with its clause.

    Sizes, alignments, `bytes` and `stack` are in bytes, `bit_offset`, `bit_width` and `bits` in bits.
    """
    return {
        "schema": SCHEMA,
        "target": target,
        "records": {spelling(record): record_json(model.layout(record)) for record in records},
        "functions": {
            function.name: function_json(function, model.assign(function)) | supplement_json(model, function)
            for function in functions
        },
        **({"classes": {asked.tag: class_json(answer) for asked, answer in classes}} if classes else {}),
        **(
            {"cxx_functions": {call_title(asked): cxx_call_json(answer) for asked, answer in cxx_calls}}
            if cxx_calls
            else {}
        ),
        **(frame_json(target) if functions else {}),
    }


def record_json(answer: Layout | Unspecified | Unsupported) -> dict[str, object]:
    """A layout: size, alignment and the place of each scalar leaf."""
    match answer:
        case Layout(size, align, members):
            return {"size": size, "align": align, "members": [member_json(place) for place in members]}
        case _:
            return no_answer(answer)


def member_json(place: MemberPlace) -> dict[str, object]:
    """One leaf and where it lies in the record."""
    return {
        "path": place.path,
        "bit_offset": place.bit_offset,
        "bit_width": place.bit_width,
        "clause": place.clause,
    }


def class_json(answer: ClassLayout | Unspecified | Unsupported) -> dict[str, object]:
    """A class: its sizes and alignments, what it is, and the places of its bases and members."""
    if not isinstance(answer, ClassLayout):
        return no_answer(answer)
    return {
        "size": answer.size,
        "align": answer.align,
        "data_size": answer.data_size,
        "non_virtual_size": answer.non_virtual_size,
        "non_virtual_align": answer.non_virtual_align,
        "pod": answer.pod,
        "empty": answer.empty,
        "nearly_empty": answer.nearly_empty,
        "virtual_pointer": answer.virtual_pointer,
        "virtual_pointers": [{"path": list(one.path), "offset": one.offset} for one in answer.pointers],
        "bases": [base_json(base) for base in answer.bases],
        "members": [member_json(place) for place in answer.members],
        "clauses": {
            "size": answer.clause,
            "align": answer.align_clause,
            "data_size": answer.data_clause,
            "non_virtual_size": answer.non_virtual_clause,
        },
    }


def base_json(base: BasePlace) -> dict[str, object]:
    """A base subobject: the classes on the way to it, its offset and size in bytes."""
    return {
        "path": list(base.path),
        "offset": base.offset,
        "size": base.size,
        "virtual": base.virtual,
        "primary": base.primary,
        "empty": base.empty,
        "clause": base.clause,
    }


def function_json(function: Prototype, answer: Assignment | Unspecified | Unsupported) -> dict[str, object]:
    """An assignment: parameters, result and hidden arguments in their places."""
    if not isinstance(answer, Assignment):
        return no_answer(answer)
    result = answer.result
    return {
        "params": [
            {"name": passed.name, **passed_json(passed, c_type)}
            for passed, c_type in with_types(answer, function)
        ],
        "result": None if result is None else passed_json(result, function.result),
        "hidden": [
            {
                "role": hidden.role,
                "pieces": [piece_json(piece, hidden, None) for piece in hidden.pieces],
                **({} if hidden.bounds is None else {"bounds": list(hidden.bounds)}),
            }
            for hidden in answer.hidden
        ],
        "stack_bytes": answer.stack_bytes,
        "variants": [],
    }


def cxx_call_json(answer: CxxAnswer) -> dict[str, object]:
    """A call of C++: the places of its values, the object among them, and the number of objects that the caller destroys."""
    if not isinstance(answer, CxxCall):
        return no_answer(answer)
    destroyed = {"destroyed": answer.destroyed, "destroyed_in_callee": answer.destroyed_in_callee}
    return function_json(answer.prototype, answer.assignment) | destroyed


def passed_json(passed: Passed, c_type: Type | None) -> dict[str, object]:
    """Return how a parameter or result travels, and the place of each of its pieces."""
    return {
        "type": passed.type,
        "passing": passed.passing.value,
        "pieces": [piece_json(piece, passed, c_type) for piece in passed.pieces],
        **({} if passed.param is None else {"param": param_json(passed.param)}),
    }


def param_json(param: ParamVariable) -> dict[str, object]:
    """A declaration of PTX, and for a kernel's parameter its offset (by architecture where they differ)."""
    body: dict[str, object] = {
        "index": param.index,
        "align": param.align,
        "size": param.size,
        "declaration": param.declaration,
        "clause": param.clause,
    }
    if param.offset is not None:
        body["offset"] = param.offset
    if param.offsets:
        body["offsets"] = dict(param.offsets)
    return body


def piece_json(piece: Piece, passed: Passed | Hidden, c_type: Type | None) -> dict[str, object]:
    """The bytes of a value (or, of an indirect one, of its address) that one place holds from byte `at` on, or the bits."""
    body: dict[str, object] = {"bytes": [piece.start, piece.end]}
    if piece.bit is not None and piece.bits is not None:
        body = {"bits": [piece.bit, piece.bit + piece.bits]}
    match piece.place:
        case Register(name):
            body["reg"] = name
        case StackSlot(offset):
            body["stack"] = offset
        case _:
            assert_never(piece.place)
    body["at"] = piece.at
    if piece.form is not None:
        body["form"] = piece.form.value
    if piece.group:
        body["group"] = piece.group
    if piece.lane:
        body["lane"] = piece.lane
    extended = above(piece, passed, c_type)
    if extended is not None:
        body["extension"] = extended.extension.value
    body["clause"] = piece.clause
    return body


def no_answer(answer: Unspecified | Unsupported) -> dict[str, object]:
    """Return the reason why there is no layout or assignment."""
    match answer:
        case Unspecified(clause, why):
            literal = literal_reading(clause)
            return {
                "unspecified": {"clause": clause, "why": why, **({"literal": literal} if literal else {})}
            }
        case Unsupported(why):
            return {"unsupported": why}
        case _:
            assert_never(answer)
