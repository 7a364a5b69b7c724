"""The dialects: what the document says, and what each compiler does, as named policy."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

from abiprobe.oracles.text.clause import load_sheet

cite = load_sheet(__package__).cite


class Isa(Enum):
    """An instruction set extension by its letter in names."""

    SSE = "b"
    AVX = "c"
    AVX2 = "d"
    AVX512 = "e"

    @property
    def title(self) -> str:
        """Its name."""
        return self.name


REGISTER = {Isa.SSE: 16, Isa.AVX: 32, Isa.AVX2: 32, Isa.AVX512: 64}
"""Bytes of a vector register."""


class References(Enum):
    """The notation of a linear reference."""

    SILENT = "not in the document"
    LETTERS_CONVERTED = "R, L, U; the step as of the value referred to"
    LETTERS = "R, L, U; the step of L and U as written"
    PLAIN = "l, the step as written"


class Strides(Enum):
    """The notation of a variable stride."""

    S = "s"
    LS = "ls"
    LS_FIRST = "ls, and only for the first parameter of a clause"
    S_FIRST = "s, and only for the first parameter of a clause"


@dataclass(frozen=True)
class VectorPolicy:
    """The policy by which vectors reach registers; gcc's by default.

    `small` are the sizes in bytes that travel in general registers; `registers` is how many vector registers carry
    arguments; `largest_alignment` (bytes) bounds that of a stack slot. `mask_bits` makes a mask under AVX512
    integers. The others say the same as the rules they are named for.
    """

    small: frozenset[int] = frozenset({2, 4})
    registers: int = 8
    largest_alignment: int = 64
    parts_together: bool = True
    mask_last: bool = True
    mask_of_cdt: bool = True
    mask_bits: bool = True
    mask_file: str = "integer"
    reals_in_vectors: bool = True
    result_in_memory: bool = True


@dataclass(frozen=True)
class Dialect:
    """One reading of the ABI. `places` is `None` where nobody says where vectors lie."""

    name: str
    family: str
    """whose reading of types it is"""
    avx_integers: int
    """bytes of an AVX register for integers"""
    avx_clause: str
    refuses: bool
    """gcc's refusals of types, lengths and steps"""
    any_simdlen: bool
    rounds_length_down: bool
    converts_step: bool
    step_clause: str
    void_step: int
    pointer_clause: str
    references: References
    strides: Strides
    stride_clause: str
    minus: str
    minus_clause: str
    alignment: int | None
    """what stands for a number that an aligned clause lacks; 0: nothing is written; `None`: silent"""
    alignment_clause: str
    takes_attribute: bool
    places: VectorPolicy | None


DOCUMENT = Dialect(
    name="document",
    family="",
    avx_integers=32,
    avx_clause=cite("length.integer-register"),
    refuses=False,
    any_simdlen=False,
    rounds_length_down=False,
    converts_step=False,
    step_clause=cite("name.linear"),
    void_step=1,
    pointer_clause=cite("name.pointer-step"),
    references=References.SILENT,
    strides=Strides.S,
    stride_clause=cite("name.variable-stride"),
    minus="n",
    minus_clause=cite("name.linear"),
    alignment=None,
    alignment_clause=cite("name.aligned-default"),
    takes_attribute=True,
    places=VectorPolicy(mask_bits=False, small=frozenset()),
)
GCC = replace(
    DOCUMENT,
    name="gcc",
    family="gcc",
    avx_integers=16,
    avx_clause=cite("gcc.integer-register"),
    refuses=True,
    converts_step=True,
    step_clause=cite("gcc.step"),
    pointer_clause=cite("gcc.pointer-step"),
    references=References.LETTERS_CONVERTED,
    strides=Strides.LS,
    stride_clause=cite("gcc.variable-stride"),
    alignment=0,
    alignment_clause=cite("gcc.aligned"),
    places=VectorPolicy(),
)
CLANG = replace(
    DOCUMENT,
    name="clang",
    family="clang",
    avx_clause=cite("clang.register"),
    any_simdlen=True,
    rounds_length_down=True,
    step_clause=cite("clang.step"),
    void_step=0,
    pointer_clause=cite("clang.pointer-step"),
    references=References.LETTERS,
    strides=Strides.LS_FIRST,
    stride_clause=cite("clang.variable-stride"),
    alignment=16,
    alignment_clause=cite("clang.aligned"),
    takes_attribute=False,
    places=None,
)
CLANG14 = replace(
    CLANG,
    name="clang14",
    references=References.PLAIN,
    strides=Strides.S_FIRST,
    stride_clause=cite("clang.old-stride"),
    minus="-",
    minus_clause=cite("clang.old-negative"),
)
DIALECTS = (GCC, DOCUMENT, CLANG, CLANG14)
