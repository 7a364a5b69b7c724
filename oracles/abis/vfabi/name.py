"""Mangled names: written, and read back (2.6)."""

from __future__ import annotations

import re

import msgspec

from abiprobe.oracles.abis.vfabi.dialect import Isa
from abiprobe.oracles.text.clause import load_sheet

implements = load_sheet(__package__).implements
PREFIX = "_ZGV"
_STEP = r"(?:n?\d+|-\d+)?"
_PARAM = re.compile(rf"(?:v|u|s\d+|[lRLU]s\d+|[lRLU]{_STEP})(?:a\d+)?")
_NAME = re.compile(rf"{PREFIX}([bcde])([MN])(\d+)((?:{_PARAM.pattern})*)_(.+)", re.DOTALL)


class Name(msgspec.Struct, frozen=True):
    """The parts of a vector function's name; `params` has one text for each parameter, `function` is the scalar's."""

    isa: Isa
    masked: bool
    lanes: int
    params: tuple[str, ...]
    function: str

    @implements("name.parts")
    def __str__(self) -> str:
        """The name as a symbol table has it."""
        mask = "M" if self.masked else "N"
        return f"{PREFIX}{self.isa.value}{mask}{self.lanes}{''.join(self.params)}_{self.function}"


class NotAVectorNameError(ValueError):
    """A symbol that the grammar of names does not produce."""


def parse_name(symbol: str) -> Name:
    """The parts of a name; raises `NotAVectorNameError` for a symbol that is none.

    Function names may begin with underscores: the parameters end at the first one. The document's own letters are
    ambiguous: `ls2` is one parameter with a variable stride, as compilers write it, and never `l` before `s2`.
    """
    found = _NAME.fullmatch(symbol)
    if found is None:
        raise NotAVectorNameError(symbol)
    isa, mask, lanes, params, function = found.groups()
    return Name(Isa(isa), mask == "M", int(lanes), tuple(_PARAM.findall(params)), function)
