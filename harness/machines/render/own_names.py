"""Names of a question that cannot be taken for ours, nor for a compiler's, in a unit that has both."""

from __future__ import annotations

import re

OURS = re.compile(
    r"abi_\w*|call(?:er|ee|s)?|values|ap|f|t|c|o|words|(?:word|real|single)\d+|mem(?:cpy|set|move|cmp)|own_\w*|"
    r"__\w*|_[A-Z]\w*|unix|linux|i386|bool|true|false|nullptr|typeof\w*|constexpr|thread_local|static_assert|"
    r"alignas|alignof|asm"
)
"""What units of ours declare, what compilers define as macros, and words that some editions of C keep for themselves."""


def own(name: str, suffix: str) -> str:
    """The name of a parameter, type or constant in a unit whose probes have a suffix; unchanged in a text without one."""
    return f"own_{name}" if suffix and OURS.fullmatch(name) else name
