"""The rows of a program, with what pyelftools alone reads otherwise."""

from __future__ import annotations

from pathlib import Path

import pytest
from faux.putting import real_clang

from abiprobe.harness.base import child
from abiprobe.harness.machines.runtime.machine import machine
from abiprobe.harness.unwind.image import CODE, link
from abiprobe.harness.unwind.spelling import Spelling
from abiprobe.harness.unwind.tables import Table, UnreadableError, read_table
from abiprobe.oracles.unwinding.registers import UNWINDING
from tests.skipping import trusted_or_skip

X86_64 = UNWINDING["x86_64"]
NAMES = {number: name for name, number in X86_64.numbers.items()}
TEXT = """\
.globl f
f:
.cfi_startproc
nop
.cfi_def_cfa_offset 16
.cfi_offset %rbx, -16
nop
.cfi_escape 0x2e, 8               # DW_CFA_GNU_args_size, which changes no rule
nop
.cfi_remember_state
.cfi_escape 0x12, 6, 0x7d         # DW_CFA_def_cfa_sf rbp -3, which is 24 bytes
.cfi_restore %rbx
.cfi_undefined %r12
.cfi_register %r13, %rax
nop
.cfi_restore_state
.cfi_escape 0x10, 3, 2, 0x76, 0   # DW_CFA_expression rbx: rbp+0
.cfi_escape 0x0f, 3, 0x76, 8, 6   # DW_CFA_def_cfa_expression *(rbp+8)
.cfi_escape 0x16, 12, 2, 0x77, 1  # DW_CFA_val_expression r12: rsp+1
nop
.cfi_endproc
nop
"""
ROWS = [
    ("rsp+8", {16: "*(CFA-8)"}),
    ("rsp+16", {16: "*(CFA-8)", 3: "*(CFA-16)"}),
    ("rsp+16", {16: "*(CFA-8)", 3: "*(CFA-16)"}),
    ("rbp+24", {16: "*(CFA-8)", 12: "undefined", 13: "rax"}),
    ("*(rbp+8)", {16: "*(CFA-8)", 3: "*(rbp+0)", 12: "rsp+1"}),
]


def table_of(folder: Path, text: str) -> Table:
    trusted = trusted_or_skip(machine("x86_64"))
    source, unit, image = folder / "f.s", folder / "f.o", folder / "f"
    source.write_text(text, "utf-8")
    words = (*real_clang(), "--target=x86_64-linux-gnu", "-c", str(source), "-o", str(unit))
    assert child.run(words, timeout=60).ok
    done = link(unit, image, trusted)
    assert done.ok, done.stderr.decode()
    return read_table(image)


def test_rows(tmp_path: Path) -> None:
    table, spelled = table_of(tmp_path, TEXT), Spelling(NAMES)
    seen = []
    for at in range(len(ROWS)):
        row = table.row(CODE + at)
        assert row is not None
        assert row.return_column == 16
        rules = {number: spelled.rule(rule) for number, rule in row.registers.items()}
        seen.append((spelled.cfa(row.cfa), rules))
    assert seen == ROWS


def test_there_is_no_row_outside(tmp_path: Path) -> None:
    table = table_of(tmp_path, TEXT)
    assert table.row(CODE - 1) is None
    assert table.row(CODE + len(ROWS)) is None


def test_what_is_not_read_is_said(tmp_path: Path) -> None:
    with pytest.raises(UnreadableError, match="its call frame information is not read"):
        table_of(tmp_path, ".globl f\nf:\n.cfi_startproc\n.cfi_escape 0x3f\nnop\n.cfi_endproc\n")


SIGNS = """\
.globl f
f:
.cfi_startproc
.cfi_def_cfa_offset 16
nop
.cfi_escape 0x2d                  # DW_CFA_AARCH64_negate_ra_state
nop
.cfi_remember_state
.cfi_escape 0x2d
nop
.cfi_restore_state
nop
.cfi_escape 0x2d
nop
.cfi_endproc
"""


def test_rows_tell_whether_the_return_address_is_signed(tmp_path: Path) -> None:
    table = table_of(tmp_path, SIGNS)
    rows = [table.row(CODE + at) for at in range(5)]
    assert [row is not None and row.signed for row in rows] == [False, True, False, True, False]
