"""A compiler whose debug information lies in one way each: it edits the directives in what a real one makes.

Needs the standard library only, so that the program starts at once.
"""

from __future__ import annotations

import re

from faux.editing import named

FBREG = r"(\t\.byte\t145\n\t\.byte\t)(\d+)"
CALL_VALUE = r"(# DW_AT_call_value\n\t\.byte\t)55"
NORETURN = r"\t\.(?:ascii|byte)\t\S+ +# DW_AT_noreturn\n\t\.byte\t25 .*\n"
FLAG = r"\t\.byte\t39 +# DW_AT_prototyped\n\t\.byte\t25 .*\n"


def tells_the_truth(text: str) -> str:
    return text


def shifts_an_offset(text: str) -> str:
    return re.sub(FBREG, lambda found: f"{found[1]}{int(found[2]) - 1}", text, count=1)


def names_another_register(text: str) -> str:
    return re.sub(r"\.byte\t84( +# DW_OP_reg)4\b", r".byte\t81\g<1>1", text)


def forgets_the_prototype(text: str) -> str:
    return re.sub(FLAG, "", text)


def passes_another_value(text: str) -> str:
    return re.sub(CALL_VALUE, r"\g<1>56", text)


def forgets_that_it_never_returns(text: str) -> str:
    return re.sub(NORETURN, "", text)


LIES = named(
    tells_the_truth,
    shifts_an_offset,
    names_another_register,
    forgets_the_prototype,
    passes_another_value,
    forgets_that_it_never_returns,
)
