"""Named ABIs, headers, code models and recognised targets."""

from __future__ import annotations

import pytest

from abiprobe.oracles.abis.riscv.isa import (
    ABIS,
    RECOGNISED,
    CodeModel,
    Isa,
    Refused,
    asks_vendor,
    find_abi,
    header,
    parse_march,
    reaches,
    supports,
)
from abiprobe.oracles.text.place import Unspecified

SUPPORT = [
    ("rv32i", "ilp32", None),
    ("rv32i", "ilp32e", None),
    ("rv32e", "ilp32e", None),
    ("rv32ef", "ilp32e", None),
    ("rv32id", "ilp32e", "abi.e-wide"),
    ("rv32e", "ilp32", "abi.integers"),
    ("rv32i", "ilp32f", "abi.flen"),
    ("rv32i_zfinx", "ilp32f", "abi.flen"),
    ("rv32gc", "ilp32d", None),
    ("rv32gc", "lp64d", "abi.xlen"),
    ("rv64gc", "lp64f", None),
    ("rv64gc", "lp64q", "abi.flen"),
    ("rv64iq", "lp64q", None),
    ("rv64i", "ilp32", "abi.rv64-ilp32"),
    ("rv64e", "lp64e", "abi.lp64e"),
]
REACH = [
    (CodeModel.MEDLOW, 64, 0, 0x7FFFF7FF, True),
    (CodeModel.MEDLOW, 64, 0, 0x7FFFF800, False),
    (CodeModel.MEDLOW, 64, 0, 0xFFFFFFFF7FFFF800, True),
    (CodeModel.MEDLOW, 64, 0, 0xFFFFFFFF7FFFF7FF, False),
    (CodeModel.MEDLOW, 32, 0, 0xFFFFFFFF, True),
    (CodeModel.MEDANY, 64, 1 << 40, (1 << 40) + 0x7FFFF7FF, True),
    (CodeModel.MEDANY, 64, 1 << 40, (1 << 40) + 0x7FFFF800, False),
    (CodeModel.MEDANY, 64, 0x1000, 0xFFFFFFFF80000800, True),
    (CodeModel.MEDANY, 64, 0x1000, 0xFFFFFFFF800007FF, False),
    (CodeModel.MEDANY, 32, 0x1000, 0x80001000, True),
]
WIDTHS = [("ilp32d", 32, 32, 32, 64, 128), ("lp64q", 32, 64, 64, 128, 128), ("ilp32e", 32, 32, 32, 0, 32)]


def isa(text) -> Isa:
    march = parse_march(text)
    assert isinstance(march, Isa)
    return march


@pytest.mark.parametrize(("march", "abi", "clause"), SUPPORT)
def test_an_abi_is_supported_or_not_for_a_reason(march, abi, clause):
    answer = supports(isa(march), ABIS[abi])
    assert (answer.clause if answer else None) == (clause and f"riscv_isa:{clause}")


@pytest.mark.parametrize(("name", "int_", "long", "pointer", "flen", "stack"), WIDTHS)
def test_an_abi_has_its_widths(name, int_, long, pointer, flen, stack):
    abi = ABIS[name]
    assert (abi.int_width, abi.long_width, abi.pointer_width) == (int_, long, pointer)
    assert (abi.abi_flen, abi.stack_alignment, abi.file_format) == (flen, stack, "elf")


def test_an_unknown_abi_is_refused():
    assert isinstance(find_abi("lp128"), Refused)


@pytest.mark.parametrize(("model", "xlen", "pc", "address", "within"), REACH)
def test_a_code_model_reaches_to_its_edge(model, xlen, pc, address, within):
    assert reaches(model, xlen, pc, address) is within


@pytest.mark.parametrize(
    ("march", "abi", "flags"),
    [
        ("rv64gc", "lp64d", 0x5),
        ("rv32ec", "ilp32e", 0x9),
        ("rv64iq_ztso", "lp64q", 0x16),
        ("rv32g", "ilp32f", 0x2),
    ],
)
def test_flags_say_the_abi(march, abi, flags):
    assert header(isa(march), ABIS[abi]).flags == flags


@pytest.mark.parametrize("name", RECOGNISED)
def test_a_recognised_target_is_valid(name):
    assert RECOGNISED[name].fault is None


def test_the_vendor_extensions_of_snitch_are_left_to_the_tool():
    assert isinstance(asks_vendor(RECOGNISED["snitch"].isa), Unspecified)
    assert asks_vendor(RECOGNISED["riscv64-linux"].isa) is None
