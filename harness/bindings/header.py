"""The header of a binding, as a target reads it: its declarations, and the values of its macros."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from abiprobe.harness.base.isolated import isolated
from abiprobe.harness.base.problem import Problem
from abiprobe.harness.input import ReadOptions, load
from abiprobe.harness.input.declared import Declared
from abiprobe.harness.input.front_end import front_end
from abiprobe.oracles.model import Target

MACRO = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)[ \t]+(\S.*)$", re.MULTILINE)
"""A macro without parameters that stands for something."""
NUMBER, WORDS, SIZE, MACROS = "abi_number_", "abi_words_", "abi_size_", "macro"


class Header(msgspec.Struct, frozen=True):
    """The declarations of a header on a target.

    `macros` has the numbers and texts (with their last byte) that its macros stand for, `sizes` the bytes of its typedef names.
    """

    declared: Declared
    macros: Mapping[str, int | bytes]
    sizes: Mapping[str, int] = {}

    @property
    def target(self) -> Target:
        """The target for which it is read."""
        return self.declared.target


def read_header(declared: Declared, path: str, how: ReadOptions) -> Header:
    """A header with the values of its macros; raises `Problem` for a file that is no C."""
    load()
    typedefs = [name for one in declared.interfaces for name, text in one.typedefs if is_object(text)]
    macros, sizes = isolated(lambda: _values(path, declared.target, how, typedefs), path)
    return Header(declared, macros, sizes)


def is_object(text: str) -> bool:
    """Return whether a type, as text, is one of objects: neither `void` nor a function."""
    return text != "void" and ("(" not in text or "(*" in text or "(^" in text)


def _values(
    path: str, target: Target, how: ReadOptions, typedefs: Sequence[str]
) -> tuple[dict[str, int | bytes], dict[str, int]]:
    from abiprobe.harness.input.unit import Input, parse, parse_as

    as_if = front_end(target)
    try:
        text = Path(path).read_bytes()
    except OSError as error:
        raise Problem(f"{path}: {error.strerror}") from error
    names = [found[1] for found in MACRO.finditer(text.decode(errors="replace")) if is_expression(found[2])]
    options = (*as_if.options, *how.options)
    asked = Input(text, path, as_if.triple, options, strict=False, sysroot=how.sysroot)
    language = parse(asked).language
    asking = "".join(
        (
            *(_asking(number, name) for number, name in enumerate(dict.fromkeys(names))),
            *(
                f"enum {SIZE}{number} {{ {SIZE}{number}_ = sizeof({name}) }};\n"
                for number, name in enumerate(typedefs)
            ),
        )
    )
    unit = parse_as(msgspec.structs.replace(asked, text=text + b"\n" + asking.encode()), language)
    wrong = {cursor.hash for cursor in unit.broken}
    found = dict(pair for cursor in unit.own if cursor.hash not in wrong for pair in _value(cursor))
    macros = {
        name: value
        for number, name in enumerate(dict.fromkeys(names))
        if (value := found.get((MACROS, number))) is not None
    }
    sizes = {
        name: value
        for number, name in enumerate(typedefs)
        if isinstance(value := found.get((SIZE, number)), int)
    }
    return macros, sizes


def is_expression(text: str) -> bool:
    """Return whether what a macro stands for may be a value; another text could swallow what follows."""
    bare = re.sub(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'|//.*|/\*.*?\*/', " ", text)
    return not re.search(r"[;{}#\\\"']|/\*", bare) and bare.count("(") == bare.count(")")


def _asking(number: int, name: str) -> str:
    """Two declarations, of which only the one of a macro's kind is right."""
    return (
        f"#ifdef {name}\nenum {NUMBER}{number} {{ {NUMBER}{number}_ = ({name}) }};\n"
        f"static const char {WORDS}{number}[] = {name};\n#endif\n"
    )


def _value(cursor: Any) -> Iterator[tuple[tuple[str, int], int | bytes]]:
    found = re.fullmatch(f"({NUMBER}|{SIZE}|{WORDS})(\\d+)", cursor.spelling)
    if found is None:
        return
    kind, number = found[1], int(found[2])
    for one in cursor.get_children():
        if kind != WORDS:
            yield (SIZE if kind == SIZE else MACROS, number), one.enum_value
        elif one.spelling.startswith('"'):
            yield (MACROS, number), ast.literal_eval(f"b{one.spelling}") + b"\0"
