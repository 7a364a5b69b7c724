"""Options that change layouts or calls: part of a subject, and told to the model."""

from __future__ import annotations

import msgspec

from abiprobe.oracles.language.lang import Kind


class LayoutOptions(msgspec.Struct, frozen=True):
    """The options of a command line that affect layouts and calls.

    `short_enums` is `-fshort-enums` or `-fno-short-enums` (as the target has it where it is `None`), `pack` (bytes) `-fpack-struct=n`, `packed` the same without a number where that
    means packed on every record (gcc), `ms_bitfields` `-mms-bitfields` or `-mno-ms-bitfields` (as the target has it
    where it is `None`), `align_double` `-malign-double` (i386), `long_double` (bytes) `-m96bit-long-double` or
    `-m128bit-long-double` (i386), `real` the type that `-mlong-double-64` or `-mlong-double-128` makes of `long double`
    (x86), `regparm` `-mregparm=n` (i386), `vectors` (bytes) what `-mavx` and the like make of the largest vector
    register (x86).
    """

    short_enums: bool | None = None
    pack: int | None = None
    packed: bool = False
    ms_bitfields: bool | None = None
    align_double: bool = False
    long_double: int | None = None
    real: Kind | None = None
    regparm: int = 0
    vectors: int = 16


DEFAULT = LayoutOptions()
