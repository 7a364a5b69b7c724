"""A wrong row: where it is, what it says, and what is true."""

from __future__ import annotations

import msgspec

CFA_NAME, RETURN_NAME, ROW_NAME = "CFA", "return address", "row"
SIGN_NAME = "sign of the return address"
"""The name of what is wrong, where that is no register."""


class Wrong(msgspec.Struct, frozen=True):
    """A row that says something wrong of an instruction.

    `n` is the argument, `at` the offset of the instruction in its function, `behind` the one that ran before it. `what` is the CFA, the return
    address, its sign (1 for one that is signed), a register by its name, or the row itself where there is none; `rule` says what the row has of it, `why` why nothing comes of that.
    It is a `sequel` if the same was wrong at the instruction before, by the same rule or by as many bytes.
    """

    function: str
    n: int
    at: int
    instruction: str
    behind: str
    what: str
    rule: str
    clause: str
    expected: int | None
    found: int | None = None
    why: str = ""
    sequel: bool = False
