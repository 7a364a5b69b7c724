"""Answers of models on one line, so that a row of a table of golden vectors (`oracles.golden`) is a line or two.

Places of a call: `a0:sign, fa0[0:4]:nan-box a1[4:8] -> *a0` is a first parameter in a0, sign-extended; a second whose bytes
`[0, 4)` are in fa0 and `[4, 8)` in a1; and a result in memory whose address a0 holds. Parameters are separated by
commas, pieces by blanks. The byte range is left out where one piece is the whole value, and the extension where the piece
fills its place; `/8` tells how wide a place is above which the text names nothing; `[bits 3:8]` is a bit-field that travels alone, `stack+8` is memory at the stack pointer plus 8, `&a1` is an address in a1, `m0[0:2]|2` has each byte widened to a lane of two, and `-` is nothing. On big-endian machines `x0>4` has four bytes of the place before the value.
A `float` that its register holds as a `double` fills it.
`bank+32/sm_90:16` is a parameter of a kernel, 32 bytes behind the first, and 16 on sm_90.

Layouts: `8/4 a@0 b@4:10` is size 8, alignment 4, `a` at byte 0, and `b` a bit-field of 10 bits from bit 4.
"""

from __future__ import annotations

from typing import NamedTuple

from abiprobe.oracles.language.lang import Enum, Prototype, Record, Scalar
from abiprobe.oracles.model import AbiModel, Preserved, RegisterConvention
from abiprobe.oracles.text.place import (
    Assignment,
    Extension,
    Form,
    Layout,
    MemberPlace,
    ParamVariable,
    Passed,
    Passing,
    Piece,
    Register,
    Unspecified,
)


class Answer(NamedTuple):
    """An answer on one line, the clauses cited for what a row is about, and more that is said of a call, by name.

    A row is about the result, or for a function returning void its last argument; for a layout the record and its last member.
    Said are the bytes that the callee `pops`, size and alignment of the argument `area`, by what clause it is `aligned`, the alignment of the `memory` that the
    last argument by reference lies in and of the `result-memory`, and up to which byte the value that the row is about is `extended`, all in bytes; how many `bits`
    of that value count, by which clauses what is `above` its pieces is so, and the `group` of registers that is its place; where the last `hidden` argument is, with its bounds if it counts something, and where each is, by its role with
    hyphens for blanks; in PTX what is `declared`, and the `indices` of declarations; of a layout whether its last member is `signed`, if it is an integer or enumeration.
    """

    line: str
    clauses: frozenset[str]
    more: dict[str, str]


def answer(model: AbiModel, question: Prototype | Record, *, any_extension: bool = True) -> Answer:
    """Return the model's answer to a question; with `any_extension`, undefined bits are listed too."""
    match model.assign(question) if isinstance(question, Prototype) else model.layout(question):
        case Assignment() as found:
            return call(found, any_extension=any_extension)
        case Layout(size=size, align=align, members=members, clause=clause):
            line = " ".join([f"{size}/{align}", *map(_member, members)])
            last = members[-1:]
            cited = frozenset(
                {clause, *(one.clause for one in last), *(one.behind for one in last if one.behind)}
            )
            return Answer(line, cited, _signed(model, question))
        case Unspecified(clause=clause):
            return Answer("unspecified", frozenset({clause}), {})
        case _:
            return Answer("unsupported", frozenset(), {})


def _signed(model: AbiModel, question: Prototype | Record) -> dict[str, str]:
    """Return the signedness of the last member of a record, if it is an integer or enumeration."""
    if not isinstance(question, Record) or not question.members:
        return {}
    c_type = model.types.plain(question.members[-1].type)
    if not isinstance(c_type, Enum) and not (isinstance(c_type, Scalar) and c_type.kind.is_integer):
        return {}
    return {"signed": "yes" if model.types.is_signed(c_type) else "no"}


def call(found: Assignment, *, any_extension: bool) -> Answer:
    """The places of a call."""
    about = (found.result or found.params[-1],) if found.result or found.params else ()
    cited = {clause for passed in about for clause in _clauses(passed)}
    cited |= {piece.clause for hidden in found.hidden for piece in hidden.pieces}
    area = f"{found.stack_bytes}/{found.area_align}"
    more = {"pops": str(found.pops), "area": area, "aligned": found.area_clause}
    for passed in about:
        above = [piece for piece in passed.pieces if piece.extension not in {None, Extension.ANY}]
        more["bits"] = str(int.from_bytes(passed.mask, "little").bit_count())
        more["extended"] = str(max((piece.width for piece in above), default=0))
        more["above"] = " ".join(piece.extension_clause or "-" for piece in passed.pieces)
        more["group"] = " ".join(dict.fromkeys(piece.group or "-" for piece in passed.pieces))
    for hidden in found.hidden:
        (piece,) = hidden.pieces
        bounds = "" if hidden.bounds is None else f" {hidden.bounds[0]}-{hidden.bounds[1]}"
        where = _piece(piece, piece.width, any_extension=True) + bounds
        more |= {"hidden": where, hidden.role.replace(" ", "-"): where}
    for passed in found.params:
        if passed.passing is Passing.INDIRECT:
            more["memory"] = str(passed.memory_align)
    if found.result is not None and found.result.passing is Passing.INDIRECT:
        more["result-memory"] = str(found.result.memory_align)
    more["declared"] = ", ".join(_declared(one.param) for one in found.params if one.param is not None)
    if found.result is not None and found.result.param is not None:
        more["declared"] = f"{more['declared']} -> {_declared(found.result.param)}".strip()
        indices = " ".join(str(one.param.index) for one in found.params if one.param is not None)
        more["indices"] = f"{indices} -> {found.result.param.index}".strip()
    return Answer(_call(found, any_extension=any_extension), frozenset(cited - {""}), more)


def kept(registers: RegisterConvention) -> str:
    """Format the registers that a function preserves, those it may not hold, and its stack, for a row about `registers`.

    Behind `with` are the registers by which a function preserves others, and what it preserves then. Behind `frame` is
    how many bytes of its caller's frame are its own, and which words among them are not; behind `empty` a stack of
    registers, by the register that says how many are in use, their number and other name.
    """
    preserved = [_kept(one) for one in registers.preserved]
    forbidden = [f"{one.register}&{one.bits:#x}={one.value:#x}" for one in registers.forbidden]
    others = ""
    if registers.other is not None:
        names = (
            " ".join(sorted(names))
            for names in (registers.other.registers, map(_kept, registers.other.preserved))
        )
        others = f"; with {next(names)}: {next(names)}"
    stack = f"{registers.stack_align}+{registers.shadow}{others}{_frame(registers)}{_emptied(registers)}"
    return f"{' '.join(sorted(preserved))}; not {' '.join(forbidden)}; {stack}"


def _frame(registers: RegisterConvention) -> str:
    frame = registers.caller_frame
    if frame is None:
        return ""
    return f"; frame {frame.own}" + "".join(f" {one.offset}/{one.size}" for one in frame.words)


def _emptied(registers: RegisterConvention) -> str:
    stack = registers.stack_of_registers
    return "" if stack is None else f"; empty {stack.tags}/{stack.count} {stack.prefix} {stack.alias}"


def _kept(one: Preserved) -> str:
    return f"{one.register}{f'/{one.size}' * bool(one.size)}{f'-{one.free:#x}' * bool(one.free)}"


def _declared(param: ParamVariable) -> str:
    """A declaration of PTX without state space and name: `.align 4 .b8[12]`."""
    *words, name = param.declaration.split()[1:]
    bracket = name.find("[")
    return " ".join(words) + ("" if bracket < 0 else name[bracket:])


def _in_bank(param: ParamVariable) -> str:
    others = (f"{arch}:{offset}" for arch, offset in param.offsets)
    return "/".join((f"bank+{param.offset}", *others))


def _clauses(passed: Passed) -> set[str]:
    by_piece = {clause for piece in passed.pieces for clause in (piece.clause, piece.extension_clause)}
    declaring = {passed.param.clause} if passed.param is not None else set()
    return {passed.clause, passed.memory_clause, *declaring, *by_piece}


def _call(answer: Assignment, *, any_extension: bool) -> str:
    line = ", ".join(_passed(param, any_extension=any_extension) for param in answer.params)
    if answer.result is None:
        return line
    result = _passed(answer.result, any_extension=any_extension)
    if answer.result.passing is Passing.INDIRECT:
        address = answer.hidden[0].pieces[0]
        back = (_piece(piece, piece.width, any_extension=any_extension) for piece in answer.result.pieces)
        result = " ".join([f"*{_place(address)}", *back])
    return f"{line} -> {result}".strip()


def _passed(passed: Passed, *, any_extension: bool) -> str:
    if passed.passing is Passing.IGNORED:
        return "-"
    if passed.param is not None and passed.param.offset is not None:
        return _in_bank(passed.param)
    mark = "&" if passed.passing is Passing.INDIRECT else ""
    mask = b"" if mark else passed.mask
    return " ".join(
        mark + _piece(piece, piece.width if mark else passed.size, any_extension=any_extension, mask=mask)
        for piece in passed.pieces
    )


def _piece(piece: Piece, size: int, *, any_extension: bool, mask: bytes = b"") -> str:
    text = _place(piece)
    if piece.bit is not None and piece.bits is not None:
        text += f"[bits {piece.bit}:{piece.bit + piece.bits}]"
    elif (piece.start, piece.end) != (0, size):
        text += f"[{piece.start}:{piece.end}]"
    if piece.lane:
        text += f"|{piece.lane}"
    if piece.at:
        text += f">{piece.at}"
    above = piece.extension
    if _is_full(piece, mask) or (above is Extension.ANY and not any_extension):
        return text
    return f"{text}/{piece.width}" if above is None else f"{text}:{above.value}"


def _is_full(piece: Piece, mask: bytes) -> bool:
    """Return whether all bits of a place belong to the value: those of a `_BitInt` in its own bytes may be fewer."""
    if piece.form is Form.DOUBLE:
        return True
    top = piece.extension is None or mask[piece.end - 1 : piece.end] in {b"", b"\xff"}
    return piece.end - piece.start == piece.width and piece.bit is None and top


def _place(piece: Piece) -> str:
    return piece.place.name if isinstance(piece.place, Register) else f"stack{piece.place.offset:+}"


def _member(member: MemberPlace) -> str:
    if member.bit_field:
        return f"{member.path}@{member.bit_offset}:{member.bit_width}"
    return f"{member.path}@{member.bit_offset // 8}"
