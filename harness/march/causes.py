"""Reasons for disagreements between a toolchain and the text about an ISA string or an ABI."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase

import msgspec

UNTRIAGED = "untriaged"


class Reason(msgspec.Struct, frozen=True):
    """A reason for disagreements: of the family `family`, of a clause like `clause`, with words that have `words`.

    `clause` is `-` where the text accepts; `words` is `^$` where the tool does. With `lacks` the tool is older than what the
    text has, and says so: it deviates from nothing.
    """

    text: str
    family: str
    clause: str
    words: str
    lacks: bool = False

    def explains(self, family: str, clause: str, words: str) -> bool:
        """Return whether a disagreement is of this kind."""
        return (
            self.family in {family, "*"}
            and fnmatchcase(clause or "-", self.clause)
            and re.search(self.words, words) is not None
        )


REASONS = (
    Reason(
        "capitals are not read; TC admits it",
        "*",
        "-",
        r"only contain \[a-z0-9_\]|must be lowercase|cannot contain uppercase|must begin with .?rv32",
    ),
    Reason(
        "an ABI other than that of the E bases taken with a warning",
        "*",
        "*:abi.*",
        r"Only the \w+ ABI is supported for",
    ),
    Reason(
        "ABI wider than FLEN taken with a warning; the object has its float ABI flag all the same",
        "*",
        "*:abi.flen",
        "ignoring target-abi",
    ),
    Reason("Q does not bring D", "gcc", "-", "to subsume the .[DF]. extension"),
    Reason(
        "the ABI is unknown to the tool",
        "*",
        "-",
        "unknown target ABI|unrecognized argument in option .-mabi",
        lacks=True,
    ),
    Reason("H beside an E base is taken", "*", "*:extension.hypervisor", "^$"),
    Reason("ILP32E beside D is taken", "gcc", "*:abi.e-wide", "^$"),
    Reason("a minimum vector length without vectors is refused", "*", "-", r"zvl\*b|zvk\*"),
    Reason(
        "ratified, but experimental in the tool: wants a version and an option",
        "*",
        "-",
        "experimental extension",
        lacks=True,
    ),
    Reason("names for H are wanted: the letter is refused", "gcc", "-", "name of hypervisor extension"),
    Reason("RV64E is not known", "*", "-", "rv64e is not a valid|'e' requires 'rv32'", lacks=True),
    Reason(
        "an order that is not canonical is refused",
        "*",
        "-",
        "not in canonical order|not given in canonical|unexpected ISA string at end|invalid extension prefix",
    ),
    Reason("an implied extension has to be written", "*", "-", "requires .* extension to also be specified"),
    Reason("an extension implied by g may not be written beside it", "clang", "-", "duplicated"),
    Reason("the ratified version is not known", "*", "-", "unsupported version number", lacks=True),
    Reason("Q exists on RV64 only", "gcc", "-", r"rv32 does not support the .q' extension"),
    Reason(
        "the extension is newer than the tool",
        "*",
        "-",
        "unsupported standard|invalid standard user-level|unsupported .* extension|unknown prefixed ISA|cannot find default versions",
        lacks=True,
    ),
    Reason("underscores that separate nothing are taken", "*", "*:naming.underscore", "^$"),
    Reason("an extension named twice is taken", "gcc", "*:naming.once", "^$"),
    Reason("F and D beside Zfinx are taken", "*", "*:extension.float-in-integer", "^$"),
    Reason("Zcmt beside Zcd is taken", "*", "*:extension.table-jump", "^$"),
)


UNKNOWN = Reason(UNTRIAGED, "*", "*", "")


def reason(family: str, clause: str, words: str) -> Reason:
    """The first reason that explains a disagreement, or `UNKNOWN`."""
    return next((each for each in REASONS if each.explains(family, clause, words)), UNKNOWN)
