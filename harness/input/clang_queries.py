"""Questions that only clang can answer, asked by parsing the file once more with the questions written into it.

What `aligned(EXPRESSION)` is worth, and which `#pragma pack` is in force at a closing brace: libclang tells
neither. Written into the file, one comes back as the value of an enumerator and the other as the offset of a member, with every
macro, `_Pragma` and `push` and `pop` between headers taken into account.
"""

from __future__ import annotations

import re
import sys
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.input.libclang import cindex, kind_of
from abiprobe.harness.input.unit import parse_as

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from abiprobe.harness.input.errors import Error
    from abiprobe.harness.input.unit import Input, Unit


class Alignment(msgspec.Struct, frozen=True):
    """Ask how many bytes an alignment specifier asks for; in C++ where its names are looked up, in `namespaces` and a class `within`."""

    specifier: str
    namespaces: tuple[str, ...] = ()
    within: str = ""


class Pack(msgspec.Struct, frozen=True):
    """Ask which `#pragma pack` (bytes, 0 for none) holds at the brace at byte `offset` of `path`."""

    path: str
    offset: int


Question: TypeAlias = Alignment | Pack
Numbered: TypeAlias = "Sequence[tuple[int, Question]]"

STEM = "abiprobe"
"""How names begin that are written into a file, before as many underscores as no name of the file has there."""
UNLIMITED = 4096
"""An alignment above any value that `#pragma pack` takes."""
PROBE = f"{{{{ char c_{{0}}; int x_{{0}} __attribute__((aligned({UNLIMITED}))); }}}}"
"""A record in which the offset of `x_` is the packing that is in force; its name is in those of its members, which Microsoft's C
counts as members of the record around it."""
WIDEST = 64
"""The alignment of a vector that Microsoft's records may have, above any value that `#pragma pack` takes."""
WIDEST_ON_AARCH64 = 16
"""The same on AArch64, where packing to as much means nothing."""
PROBE_MICROSOFT = f"{{{{ char c_{{0}}; char x_{{0}} __attribute__((vector_size({WIDEST}))); }}}}"
"""The same where packing lowers no alignment that an attribute asks for."""

_LITERAL = re.compile(
    r"(?:__attribute__\(\(\w+|\[\[[\w:]+|_Alignas|alignas)\(+(0[xX][0-9a-fA-F]+|[0-9]+)[uUlL]*\)+\]*",
)

INSERTED = 400
"""Bytes that what is written into a file does not have."""
_NUMBER = re.compile(rb"/\*(\d+)\*/$")
"""The number of a question at the end of its line."""
_UNNAMED = "(anonymous namespace)"


class _UnanswerableError(Exception):
    """Some questions cannot be answered, for the `reasons` that stand by their numbers."""

    def __init__(self, reasons: Mapping[int, Problem]) -> None:
        super().__init__(reasons)
        self.reasons = reasons


def unused_stem(texts: Iterable[bytes]) -> str:
    """The beginning of names that occur in none of `texts`.

    Of tags that are there already clang says that they are defined twice, once for each.
    """
    runs = (len(run) for text in texts for run in re.findall(rb"abiprobe(_*)", text))
    return STEM + "_" * (max(runs, default=0) + 1)


def literal(question: Alignment) -> int | None:
    """The answer where the argument is an integer literal; `None` where clang must be asked."""
    found = _LITERAL.fullmatch(question.specifier)
    if found is None:
        return None
    digits = found[1].lower()
    return int(digits, 16 if digits.startswith("0x") else 8 if digits.startswith("0") else 10)


def scoped(question: Alignment, cursor: Any) -> Alignment:
    """The question where `cursor` declares something."""
    kinds = cindex().CursorKind
    namespaces: list[str] = []
    within = ""
    while (cursor := cursor.semantic_parent) is not None:
        if cursor.kind == kinds.NAMESPACE:
            namespaces.insert(0, cursor.spelling.replace(_UNNAMED, ""))
        elif (
            kind_of(cursor.type) == cindex().TypeKind.RECORD and not within and not _is_bare(cursor, question)
        ):
            within = cursor.type.get_canonical().spelling.replace(f"{_UNNAMED}::", "")
    return Alignment(question.specifier, tuple(namespaces), within)


def _is_bare(record: Any, question: Alignment) -> bool:
    """Return whether nothing can be derived from a record, as it is a union or anonymous, and it declares no name of a specifier."""
    words = re.findall(r"\w+", question.specifier)
    anonymous = cindex().conf.lib.clang_Cursor_isAnonymousRecordDecl(record)
    return (anonymous or record.kind == cindex().CursorKind.UNION_DECL) and not any(
        child.spelling in words for child in record.get_children()
    )


def uses_pack(texts: Iterable[bytes], options: Iterable[str]) -> bool:
    """Return whether any of `texts` or the compiler's options may set the packing of records."""
    return any("pack" in option for option in options) or any(
        re.search(rb"\bpack\s*\(", text) and re.search(rb"pragma", text, re.IGNORECASE) for text in texts
    )


def ask(questions: Iterable[Question], unit: Unit) -> dict[Question, int | Problem]:
    """The answer to each of `questions` about `unit`, or why clang gives none."""
    numbered = list(enumerate(questions))
    found: dict[Question, int | Problem] = {}
    stem = unused_stem(unit.texts.values())
    limits = no_limits(unit.source.triple)
    for part, tagged in _parts(numbered, unit, stem, found):
        # A record of a parameter is in the scope of its prototype, out of which nothing is seen but its members.
        hidden = [(number, question) for number, question in part if f"{stem}{number}" not in tagged]
        values = tagged | (_evaluate(hidden, unit, stem, _member) if hidden else {})
        found |= {
            question: _meaning(question, values[f"{stem}{number}"], limits) for number, question in part
        }
    return found | dict(_in_templates(found, unit))


def _in_templates(
    found: Mapping[Question, int | Problem], unit: Unit
) -> Iterator[tuple[Question, int | Problem]]:
    """The packing of records in templates, which have no layout: that of another one, where nothing between them may change it."""
    packs = [(one, value) for one, value in found.items() if isinstance(one, Pack) and isinstance(value, int)]
    told = [(one, value) for one, value in packs if value >= 0]
    for asked, value in packs:
        if value < 0:
            alike = (other for one, other in told if one.path == asked.path and _is_quiet(unit, asked, one))
            unknown = Problem(
                "the #pragma pack of a record in a template cannot be found", "write the record out"
            )
            yield asked, next(alike, unknown)


def _is_quiet(unit: Unit, one: Pack, other: Pack) -> bool:
    """Return whether nothing between two places of a file may change the packing."""
    begin, end = sorted((one.offset, other.offset))
    return re.search(rb"pack|^\s*#\s*include", unit.texts[one.path][begin:end], re.MULTILINE) is None


def _parts(
    numbered: Numbered, unit: Unit, stem: str, refused: dict[Question, int | Problem]
) -> Iterator[tuple[Numbered, dict[str, int]]]:
    """The questions with their answers by name, in as many parts as keep out those that clang cannot answer.

    What it cannot answer goes to `refused`.
    """
    try:
        values = _evaluate(numbered, unit, stem, _tag)
    except _UnanswerableError as error:
        refused |= {
            question: error.reasons[number] for number, question in numbered if number in error.reasons
        }
        if rest := [(number, question) for number, question in numbered if number not in error.reasons]:
            yield from _parts(rest, unit, stem, refused)
    except Problem as problem:
        if len(numbered) == 1:
            refused[numbered[0][1]] = problem
            return
        middle = len(numbered) // 2
        yield from _parts(numbered[:middle], unit, stem, refused)
        yield from _parts(numbered[middle:], unit, stem, refused)
    else:
        yield numbered, values


def _evaluate(
    numbered: Numbered, unit: Unit, stem: str, inserted: Callable[[str, str], bytes]
) -> dict[str, int]:
    """The answers that clang gives, by name, where `inserted` is put behind the members of packed records."""
    _expect_braces(numbered, unit)
    replaced: dict[str, bytes] = {}
    probe = PROBE_MICROSOFT if "-windows-msvc" in unit.source.triple else PROBE
    for path, text in unit.texts.items():
        places = {
            q.offset: inserted(f"{stem}{n}", probe)
            for n, q in numbered
            if isinstance(q, Pack) and q.path == path
        }
        if places:
            replaced[path] = _insert(text, places)
    main = unit.source.path
    before = replaced.get(main, unit.source.text)
    replaced[main] = before + _tail(numbered, stem)
    unit_asked = parse_as(_without_access(unit), unit.language, replaced)
    if len(unit_asked.errors) > len(unit.errors):
        _expect_answers(unit_asked.errors, stem, replaced, {main: len(before)})
        raise _unanswered(unit_asked.errors[-1])
    tree = unit_asked.tree
    answers = list(tree.cursor.get_children())[-1]
    values = {constant.spelling: constant.enum_value for constant in answers.get_children()}
    if any(isinstance(question, Pack) for _, question in numbered):
        values |= dict(_offsets(tree.cursor, stem, _Places.of(replaced, stem), set()))
    return values


def _without_access(unit: Unit) -> Input:
    """The input of a unit as it is asked: in C++ names are seen that are private."""
    options = ("-fno-access-control",) if unit.cxx else ()
    return msgspec.structs.replace(unit.source, options=(*unit.source.options, *options))


def _expect_answers(
    errors: Iterable[Error], stem: str, texts: Mapping[str, bytes], tails: Mapping[str, int]
) -> None:
    """Raise `_UnanswerableError` for the questions in which there are errors: in their lines in the tails of files, or where they stand."""
    reasons: dict[int, Problem] = {}
    inserted = re.compile(rb";(?:struct|enum) [^;]*?" + stem.encode() + rb"(\d+)[^}]*\}[^;]*;")
    for error in errors:
        text = texts.get(error.path, b"")
        if error.offset >= tails.get(error.path, sys.maxsize):
            line = text[text.rfind(b"\n", 0, error.offset) + 1 :].partition(b"\n")[0]
            found = _NUMBER.search(line)
        else:
            begin = text.rfind(b";", 0, error.offset) - INSERTED
            around = inserted.finditer(text, max(begin, 0), error.offset + INSERTED)
            found = next((one for one in around if one.start() <= error.offset < one.end()), None)
        if found is not None:
            reasons.setdefault(int(found[1]), _unanswered(error))
    if reasons:
        raise _UnanswerableError(reasons)


def _unanswered(error: Error) -> Problem:
    return Problem(f"an alignment or #pragma pack cannot be evaluated ({error.reason})")


class _Places(msgspec.Struct, frozen=True):
    """Where a stem stands in files, as byte offsets in order."""

    by_path: Mapping[str, Sequence[int]]

    @classmethod
    def of(cls, texts: Mapping[str, bytes], stem: str) -> _Places:
        """The places in these texts."""
        wanted = re.compile(re.escape(stem.encode()))
        return cls({path: [one.start() for one in wanted.finditer(text)] for path, text in texts.items()})

    def among(self, cursors: Iterable[Any]) -> Iterator[Any]:
        """The cursors, last first, that may span one: from where each begins to its end, or where the next one begins.

        Of what is made by a macro the end is that of the macro's name. Namespaces and the like may include other files.
        """
        kinds = cindex().CursorKind
        scopes = {kinds.NAMESPACE, kinds.LINKAGE_SPEC, kinds.UNEXPOSED_DECL}
        following: dict[str, tuple[int, int]] = {}
        for cursor in reversed(list(cursors)):
            start, end = cursor.extent.start, cursor.extent.end
            path = start.file.name if start.file else ""
            last, bound = following.get(path, (sys.maxsize, sys.maxsize))
            bound = bound if start.offset == last else last
            following[path] = start.offset, bound
            places = self.by_path.get(path, ())
            if cursor.kind in scopes or bisect_left(places, start.offset) < bisect_left(
                places, max(end.offset, bound)
            ):
                yield cursor


def _offsets(cursor: Any, stem: str, places: _Places, seen: set[int]) -> Iterator[tuple[str, int]]:
    """The offset in bytes of `x_` in every probe; what is `seen` in the types of parameters is looked at once."""
    kinds = cindex().CursorKind
    for inner in _outside_bodies(cursor, places):
        # The constants that tell alignments are called alike, and have the same values here.
        if inner.kind == kinds.ENUM_CONSTANT_DECL and inner.spelling.startswith(stem):
            yield inner.spelling, inner.enum_value
        elif inner.kind in (kinds.STRUCT_DECL, kinds.FIELD_DECL) and inner.spelling.startswith(stem):
            yield inner.spelling, inner.type.get_offset(f"x_{inner.spelling}") // 8
        elif inner.kind == kinds.FUNCTION_DECL:
            for parameter in inner.get_arguments():
                declared = _pointed_to(parameter.type).get_declaration()
                if declared.hash not in seen:
                    seen.add(declared.hash)
                    yield from _offsets(declared, stem, places, seen)


def _outside_bodies(cursor: Any, places: _Places) -> Iterator[Any]:
    """A cursor and all in it that has places, but for the bodies of functions, of which headers of intrinsics are full."""
    yield cursor
    if cursor.kind != cindex().CursorKind.COMPOUND_STMT:
        for inner in places.among(cursor.get_children()):
            yield from _outside_bodies(inner, places)


def _pointed_to(c_type: Any) -> Any:
    """A type without the pointers and arrays around it."""
    invalid = cindex().TypeKind.INVALID
    for inner in (c_type.get_pointee(), c_type.get_array_element_type()):
        if inner.kind != invalid:
            return _pointed_to(inner)
    return c_type


def _expect_braces(numbered: Numbered, unit: Unit) -> None:
    """Raise `_UnanswerableError` for the records whose closing brace is not where they end."""
    reasons = {
        number: _no_brace(unit, one)
        for number, one in numbered
        if isinstance(one, Pack) and unit.texts[one.path][one.offset : one.offset + 1] != b"}"
    }
    if reasons:
        raise _UnanswerableError(reasons)


def _no_brace(unit: Unit, asked: Pack) -> Problem:
    name = unit.source.filename if asked.path == unit.source.path else asked.path
    where = f"{name}:{unit.texts[asked.path].count(bytes([10]), 0, asked.offset) + 1}"
    message = f"{where}: the #pragma pack of a record whose closing brace is inside a macro cannot be found"
    return Problem(message, "write the record out")


def no_limits(triple: str) -> frozenset[int]:
    """The alignments in bytes of a member that no `#pragma pack` limits."""
    microsoft = "-windows-msvc" in triple
    widest = WIDEST_ON_AARCH64 if microsoft and triple.startswith("aarch64") else WIDEST
    return frozenset({UNLIMITED, widest})


def _meaning(question: Question, value: int, limits: frozenset[int]) -> int:
    return 0 if isinstance(question, Pack) and value in limits else value


def _tag(name: str, probe: str) -> bytes:
    # Microsoft's C takes a record without a declarator for a member, and a flexible array must be the last one.
    if probe == PROBE_MICROSOFT:
        return f";enum {{ {name} = __builtin_offsetof(struct {probe.format(name)}, x_{name}) }};".encode()
    # The leading semicolon ends a last member whose own semicolon was forgotten.
    return f";struct {name} {probe.format(name)};".encode()


def _member(name: str, probe: str) -> bytes:
    return f";struct {probe.format(name)} {name};".encode()


def _insert(text: bytes, inserted: Mapping[int, bytes]) -> bytes:
    pieces, position = [], 0
    for offset in sorted(inserted):
        pieces += [text[position:offset], inserted[offset]]
        position = offset
    return b"".join([*pieces, text[position:]])


def _tail(numbered: Iterable[tuple[int, Question]], stem: str) -> bytes:
    lines, constants = [""], []
    for number, question in numbered:
        match question:
            case Alignment(specifier, namespaces, within) if namespaces or within:
                opened = "".join(f"namespace {name} {{ " for name in namespaces)
                struct, base = f"{stem}scope_{number}", f" : {within}" if within else ""
                variable = f"{specifier} static char {stem}aligned_{number};"
                lines.append(
                    f"{opened}struct {struct}{base} {{ {variable} }};{'}' * len(namespaces)} /*{number}*/"
                )
                path = "::".join((*filter(None, namespaces), struct, f"{stem}aligned_{number}"))
            case Alignment(specifier):
                path = f"{stem}aligned_{number}"
                lines.append(f"{specifier} extern char {path}; /*{number}*/")
            case Pack():
                continue
        constants.append(f"{stem}{number} = __alignof__({path}), /*{number}*/")
    return "\n".join([*lines, "enum {", *constants, f"{stem}end }};", ""]).encode()
