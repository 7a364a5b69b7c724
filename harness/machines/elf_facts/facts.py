"""Facts about an object file, and troubles with it; each cites the clause that it rests on, if it has one."""

from __future__ import annotations

import msgspec


class Fact(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing that a file says of its ABI."""

    name: str
    value: str
    clause: str = ""


class Trouble(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something that the document of a target does not allow."""

    why: str
    clause: str = ""
