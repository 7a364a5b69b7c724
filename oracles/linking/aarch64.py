"""AArch64 object files: features that all must have, and signing schemas (SYSVABI64, BA64, PAUTHABI64)."""

from __future__ import annotations

from abiprobe.oracles.linking.field import AnyOf, Attribute, Common, Field, Property, Rules, Same, Tags
from abiprobe.oracles.text.clause import load_sheet

cite = load_sheet(__package__, "aarch64.toml").cite
EM_AARCH64 = 183
FEATURE_1_AND, FEATURE_PAUTH = 0xC0000000, 0xC0000001
FEATURE_SECTION, PAUTH_SECTION = "aeabi_feature_and_bits", "aeabi_pauthabi"
SIGNING = 0
"""The number under which the reader notes platform and version as one text."""
UNSIGNED = "none"


def feature(name: str, bit: int) -> Field:
    """A feature, which is a bit of a property or an attribute."""
    place = AnyOf((
        Property(FEATURE_1_AND, 1 << bit),
        Attribute(FEATURE_SECTION, bit, meaning={1: 1 << bit}, missing=0, silent=0),
    ))  # fmt: skip
    return Field(name, place, cite("features"), Common(), {1 << bit: "yes"}, bits=True)


RULES = Rules(
    fields=(
        feature("branch target identification", 0),
        feature("return address signing", 1),
        feature("guarded control stack", 2),
        Field(
            "pointer authentication",
            Attribute(PAUTH_SECTION, SIGNING, missing=UNSIGNED, silent=UNSIGNED),
            cite("pauth"),
            Same(open=frozenset({UNSIGNED})),
        ),
    ),
    flags_clause=cite("flags"),
    tags=(
        Tags(FEATURE_SECTION, cite("subsections"), optional=range(128)),
        Tags(PAUTH_SECTION, cite("subsections")),
    ),
)
