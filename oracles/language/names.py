"""Checks of names, numbers and pieces of C in a question that comes from outside: from a corpus, a journal, a file.

Every one of them is written into C that compilers read and that is run. They are checked where a question is decoded; those
that are made here need no check.
"""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import Meta

LONGEST = 4096
"""Characters of a name."""
WORD = r"[^\W\d][\w$]*|\$[\w$]*"
LARGEST = 1 << 48
"""The largest number of bytes or elements: no object is larger."""

Identifier: TypeAlias = Annotated[str, Meta(pattern=rf"\A(?:{WORD})\Z", max_length=LONGEST)]
"""A name of C, with the letters of any language, and `$`."""
MaybeIdentifier: TypeAlias = Annotated[str, Meta(pattern=rf"\A(?:{WORD})?\Z", max_length=LONGEST)]
"""A name, or nothing."""
ParameterName: TypeAlias = Annotated[str, Meta(pattern=rf"\A(?:(?:{WORD})?|\.\.\.\d+)\Z", max_length=LONGEST)]
"""The name of a parameter, which may have none, or of an unnamed argument (`...0`)."""
Symbol: TypeAlias = Annotated[str, Meta(pattern=r"\A[\w$.@?]*\Z", max_length=LONGEST)]
"""A name for the assembler."""
Spelled: TypeAlias = Annotated[str, Meta(pattern=r"\A[^;{}\"'#\\\x00-\x1f\x7f-\x9f]*\Z", max_length=LONGEST)]
"""A type as C spells it, for people: words, stars and brackets."""
Bits: TypeAlias = Annotated[int, Meta(ge=0, le=1 << 32)]
Bytes: TypeAlias = Annotated[int, Meta(ge=0, le=LARGEST)]
Count: TypeAlias = Annotated[int, Meta(ge=0, le=LARGEST)]
Constant: TypeAlias = int
"""The value of an enumerator; what does not fit an enumeration is for the model to say."""
Step: TypeAlias = int | Identifier
"""The step of a linear parameter: a number, or the name of a parameter."""
