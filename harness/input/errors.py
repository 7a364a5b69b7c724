"""The errors that clang finds in a file: one that concerns a single declaration leaves that out, any other fails the file."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import msgspec

from abiprobe.harness.input.freestanding_headers import DECIMAL, FLOAT16, FLOAT128
from abiprobe.harness.input.libclang import cindex

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from abiprobe.harness.input.unit import Input

IGNORED = re.compile(
    r"unknown attribute '(?:gnu::)?_*(scalar_storage_order|regparm|sseregparm|callee_pop_aggregate_return|strub|hardbool|preserve_none|no_callee_saved_registers|no_caller_saved_registers|riscv_vls_cc|device_kernel)_*' ignored|"
    r"unsupported '[^']*' in the '(target)' attribute string"
)
"""Attributes that one compiler obeys and libclang does not know: to go on would be to misread the declaration."""

OLD_STYLE = "a function definition without a prototype"

HARMLESS = re.compile(
    r"'(?:gnu::)?_*(?:malloc|alloc_size|alloc_align|assume_aligned|access|nonnull|returns_nonnull|format|format_arg|"
    r"sentinel|deprecated|warning|error|alias|ifunc|weak|weakref|visibility|section|cleanup|tls_model|noreturn|pure|"
    r"const|cold|hot|leaf|nothrow|artificial|gnu_inline|always_inline|noinline|optimize|constructor|destructor|"
    r"warn_unused_result|unused|used|null_terminated_string_arg|fd_arg\w*)_*' attribute "
)
"""Attributes that move no byte: what clang says of their arguments does not matter."""

HALF_COMPLEX = "'_Complex type-name' is invalid"
"""Clang's message about a complex number of the type that stands for `_Float16`."""

LEXICAL = frozenset({"Lexical or Preprocessor Issue", "User-Defined Issue"})
"""clang's categories for what the preprocessor refuses."""
SEMANTIC = "Semantic Issue"
"""clang's category for text that it has parsed, so that only the declaration at the place is in doubt."""

DECLARED_IN = {
    **dict.fromkeys(("size_t", "ptrdiff_t", "wchar_t", "max_align_t", "wint_t"), "stddef.h"),
    **dict.fromkeys(("intptr_t", "uintptr_t", "intmax_t", "uintmax_t"), "stdint.h"),
    **dict.fromkeys(("va_list",), "stdarg.h"),
    **dict.fromkeys(("bool",), "stdbool.h"),
    **dict.fromkeys(("FILE",), "stdio.h"),
    **dict.fromkeys(("ssize_t", "off_t", "pid_t"), "sys/types.h"),
}
"""The header that declares a name which users take for granted."""


class Error(msgspec.Struct, frozen=True):
    """An error of clang's: the file (libclang's path; empty without one) and byte offset, and what is wrong.

    `fatal` says that nothing in the file can be trusted, `lexical` that it is the preprocessor's, as for a file that there is not and
    for `#error`.
    """

    path: str
    offset: int
    where: str
    reason: str
    fatal: bool
    lexical: bool = False


def errors(source: Input, tree: Any) -> tuple[Error, ...]:
    """Return the errors of a parsed file, in clang's order."""
    return tuple(_errors(source, tree))


def _errors(source: Input, tree: Any) -> Iterator[Error]:
    for diagnostic in tree.diagnostics:
        reason, fatal = _judged(diagnostic)
        if reason:
            location = diagnostic.location
            path = "" if location.file is None else location.file.name
            fatal = fatal and not (
                path == source.path and is_in_initialiser(source.text, tree, location.offset)
            )
            yield Error(
                path,
                location.offset,
                place(source, location),
                reason,
                fatal or not path,
                diagnostic.category_name in LEXICAL,
            )


def is_in_initialiser(text: bytes, tree: Any, offset: int) -> bool:
    """Return whether a place in the file is in the value of a variable, behind which clang goes on reading at the semicolon.

    Nothing is asked of a variable. A value with braces may have swallowed what follows.
    """
    variable = cindex().CursorKind.VAR_DECL
    before = [
        child.extent.start.offset
        for child in tree.cursor.get_children()
        if child.kind == variable and child.extent.start.offset <= offset
    ]
    between = text[max(before) : offset] if before else b""
    return b"=" in between and not re.search(rb"[;{}]", between)


def _judged(diagnostic: Any) -> tuple[str, bool]:
    """Return a diagnostic's message, empty if it does not matter, and whether it is fatal."""
    message: str = diagnostic.spelling
    ignored = IGNORED.match(message)
    if ignored:
        return f"attribute {ignored[1] or ignored[2]} is not something abiprobe can express", False
    if message.startswith(OLD_STYLE):
        return message, False
    clang = cindex()
    if diagnostic.severity < clang.Diagnostic.Error or HARMLESS.match(message):
        return "", False
    semantic = diagnostic.severity == clang.Diagnostic.Error and diagnostic.category_name == SEMANTIC
    if FLOAT128 in message:
        message = "for this target libclang knows _Float128 only as a type of its own"
    if FLOAT16 in message or HALF_COMPLEX in message:
        message = "for this target libclang knows _Float16 only as a type of its own"
    if DECIMAL in message:
        message = "libclang knows decimal types only as types of their own"
    return message, not semantic


def hint(reason: str) -> str:
    """Return a hint on how to fix an error."""
    unknown = re.fullmatch(r"unknown type name '(\w+)'.*", reason)
    if unknown is None:
        return ""
    name = unknown[1]
    header = DECLARED_IN.get(name) or (
        "stdint.h" if re.fullmatch(r"u?int(?:_least|_fast)?(?:8|16|32|64)_t", name) else ""
    )
    return (
        f"it is declared in <{header}>: put #include <{header}> before it, or -include {header}"
        if header
        else ""
    )


def by_path(errors: Iterable[Error]) -> dict[str, list[Error]]:
    """Errors by file, in each by their offset."""
    found: dict[str, list[Error]] = {}
    for error in sorted(errors, key=attrgetter("offset")):
        found.setdefault(error.path, []).append(error)
    return found


def inside(cursor: Any, errors: Mapping[str, Sequence[Error]]) -> Sequence[Error]:
    """Those of some errors by file that lie within `cursor`."""
    extent = cursor.extent
    file = extent.start.file
    ordered = errors.get(file.name, ()) if file else ()
    first = bisect_left(ordered, extent.start.offset, key=attrgetter("offset"))
    return ordered[first : bisect_right(ordered, extent.end.offset, key=attrgetter("offset"))]


def tainted(found: Iterable[Error], declarations: Iterable[Any]) -> dict[Any, Error]:
    """Map the outermost `declarations`, and those inside them, to the error of `found` that they contain or depend on."""
    errors = by_path(found)
    result: dict[Any, Error] = {}
    for declaration in declarations if errors else ():
        broken = inside(declaration, errors)
        if not broken and result and (used := _used(declaration, result)) is not None:
            result[declaration] = used
        for inner in declaration.walk_preorder() if broken else ():
            # Of an enumerator whose value is in error clang keeps the name alone.
            lost = broken if inner.kind == cindex().CursorKind.ENUM_CONSTANT_DECL else ()
            if inner.kind.is_declaration() and (within := inside(inner, errors) or lost):
                result.setdefault(inner, within[0])
    return result


def _used(declaration: Any, broken: Mapping[Any, Error]) -> Error | None:
    """The error behind a value that `declaration` computes from what is `broken`, such as the length of an array."""
    for inner in declaration.walk_preorder():
        if inner.kind.is_expression():
            for part in inner.walk_preorder():
                if part.referenced is not None and part.referenced in broken:
                    return broken[part.referenced]
    return None


def place(source: Input, location: Any) -> str:
    """`FILE:LINE:COLUMN`, with the name the user gave the file."""
    if location.file is None:
        return source.filename
    name = source.filename if location.file.name == source.path else location.file.name
    return f"{name}:{location.line}:{location.column}"
