"""Names of a question that cannot be taken for ours, nor for a compiler's, in a unit that has both."""

from __future__ import annotations

import re

TAKEN = (
    r"__\w*|_[A-Z]\w*|unix|linux|i386|WIN32|WIN64|WINNT|bool|true|false|nullptr|typeof\w*|constexpr|thread_local|"
    r"static_assert|alignas|alignof|asm|inline|restrict|and|and_eq|bitand|bitor|catch|char8_t|char16_t|char32_t|class|"
    r"co_\w+|compl|concept|consteval|constinit|const_cast|decltype|delete|dynamic_cast|explicit|export|friend|mutable|"
    r"namespace|new|noexcept|not|not_eq|operator|or|or_eq|private|protected|public|reinterpret_cast|requires|static_cast|"
    r"template|this|throw|try|typeid|typename|using|virtual|wchar_t|xor|xor_eq"
)
"""Names that compilers define as macros, and words that some edition of C, or C++, keeps for itself."""
OURS = re.compile(
    rf"abi_\w*|ABI_\w*|call(?:er|ee|s)?|looks|forward|values|ap|f|t|c|o|words|(?:word|real|single|object)\d+|mem(?:cpy|set|move|cmp)|own_\w*|{TAKEN}"
)
"""That, and what units of ours declare."""
MEMBERS = re.compile(rf"own_\w*|{TAKEN}")
"""Names that no member has: members have a scope of their own, and are no macros there either."""
WORD = re.compile(r"[\w$]+")


def own_member(name: str, suffix: str) -> str:
    """The name of a member in a unit whose probes have a suffix; unchanged in a text without one."""
    return f"own_{name}" if suffix and MEMBERS.fullmatch(name) else name


def own_path(path: str, suffix: str) -> str:
    """The path to a member, `a.b[0].c`, in a unit whose probes have a suffix."""
    return WORD.sub(lambda found: own_member(found[0], suffix), path)


def own(name: str, suffix: str) -> str:
    """The name of a parameter, type or constant in a unit whose probes have a suffix; unchanged in a text without one."""
    return f"own_{name}" if suffix and OURS.fullmatch(name) else name
