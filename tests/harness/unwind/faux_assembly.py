"""A compiler whose unwind tables lie in one way each: it edits the directives in what a real one makes.

Needs the standard library only, so that the program starts at once.
"""

from __future__ import annotations

import re

from faux.editing import named


def tells_the_truth(text: str) -> str:
    return text


def drops_a_restore(text: str) -> str:
    return re.sub(r"\t\.cfi_restore w19\n", "", text, count=1)


def shifts_an_offset(text: str) -> str:
    return re.sub(r"(\.cfi_offset %rbx, )-16", r"\1-24", text, count=1)


def forgets_to_adjust(text: str) -> str:
    return re.sub(r"\t\.cfi_adjust_cfa_offset 8\n", "", text, count=1)


def names_another_register(text: str) -> str:
    return re.sub(r"\.cfi_offset %rbx", ".cfi_offset %r12", text, count=1)


def moves_the_frame(text: str) -> str:
    return re.sub(r"\.cfi_def_cfa_register %rbp", ".cfi_def_cfa_register %r11", text, count=1)


def forgets_the_sign(text: str) -> str:
    return re.sub(r"\t\.cfi_negate_ra_state\n", "", text, count=1)


def has_no_tables(text: str) -> str:
    return re.sub(r"\t\.cfi_.*\n", "", text)


def saves_one_less(text: str) -> str:
    return re.sub(r"(\.save\t\{)r4, ", r"\1", text, count=1)


def pads_too_much(text: str) -> str:
    return re.sub(r"\.pad\t#\d+", ".pad\t#256", text, count=1)


def has_no_index(text: str) -> str:
    return text.replace("\t.fnend\n", "\t.cantunwind\n\t.fnend\n", 1)


LIES = named(
    tells_the_truth,
    drops_a_restore,
    shifts_an_offset,
    forgets_to_adjust,
    names_another_register,
    moves_the_frame,
    forgets_the_sign,
    has_no_tables,
    saves_one_less,
    pads_too_much,
    has_no_index,
)
