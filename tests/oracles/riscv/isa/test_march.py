"""ISA strings: what each means, and why each that is none is refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abiprobe.oracles.abis.riscv.isa import Isa, Refused, parse_march
from abiprobe.oracles.abis.riscv.isa.extensions import EXTENSIONS, closure
from abiprobe.oracles.text.clause import Sheet, load_sheet
from abiprobe.oracles.text.place import Unspecified

SHEET = load_sheet("abiprobe.oracles.abis.riscv.isa")
MEANINGS = [
    ("rv32i", "rv32i2p1"),
    ("rv32e", "rv32e2p0"),
    ("rv64i2p1m2p0", "rv64i2p1_m2p0_zmmul1p0"),
    ("RV64IQ", "rv64i2p1_f2p2_d2p2_q2p2_zicsr2p0"),
    ("rv32g", "rv32i2p1_m2p0_a2p1_f2p2_d2p2_zicsr2p0_zifencei2p0_zmmul1p0_zaamo1p0_zalrsc1p0"),
    ("RV32IMACZicsr", "rv32i2p1_m2p0_a2p1_c2p0_zicsr2p0_zmmul1p0_zaamo1p0_zalrsc1p0_zca1p0"),
    ("rv64i_zicsr_ma", "rv64i2p1_m2p0_a2p1_zicsr2p0_zmmul1p0_zaamo1p0_zalrsc1p0"),
    ("rv32ifc", "rv32i2p1_f2p2_c2p0_zicsr2p0_zca1p0_zcf1p0"),
    ("rv64ifc", "rv64i2p1_f2p2_c2p0_zicsr2p0_zca1p0"),
    ("rv64i_zca", "rv64i2p1_c2p0_zca1p0"),
    ("rv64i_zba_zbb_zbs", "rv64i2p1_b1p0_zba1p0_zbb1p0_zbs1p0"),
    ("rv64i_zbkb_zbkc_zbkx_zksed_zksh", "rv64i2p1_zbkb1p0_zbkc1p0_zbkx1p0_zks1p0_zksed1p0_zksh1p0"),
    ("rv64i_zvl64b", "rv64i2p1_zvl32b1p0_zvl64b1p0"),
    ("rv64i_xssr2_xdma", "rv64i2p1_xdma1p0_xssr2p0"),
]
REFUSALS = [
    ("RV32IMA_Zto", "naming.unknown"),
    ("rv64i_sbar", "naming.unknown"),
    ("rv64ik", "naming.unknown"),
    ("rv64im\u0131", "naming.unknown"),
    ("rv32mai", "naming.base"),
    ("rv16i", "naming.base"),
    ("", "naming.base"),
    ("rv64", "naming.base"),
    ("rv64i__m", "naming.underscore"),
    ("rv64i_", "naming.underscore"),
    ("rv64i_zicsr2_", "naming.underscore"),
    ("rv64i_z1", "naming.version"),
    ("rv64i_zicsr1p", "naming.unknown"),
    ("rv64imm", "naming.once"),
    ("rv64ie", "naming.once"),
    ("rv64i_zba_zba", "naming.once"),
    ("rv64if_zfinx", "extension.float-in-integer"),
    ("rv64iq_zhinx", "extension.float-in-integer"),
    ("rv32idc_zcmt", "extension.table-jump"),
    ("rv32ifc_zclsd", "extension.load-pair"),
    ("rv64i_zcf", "extension.width"),
    ("rv32eh", "extension.hypervisor"),
]
OPEN = [
    ("rv64g2p0", "naming.general-version"),
    ("rv64i9p9", "naming.version-other"),
    ("rv64im1p0", "naming.version-other"),
    ("rv64ip", "naming.unratified"),
    ("rv32idc_zcmp", "extension.push-pop"),
]
some_names = st.lists(st.sampled_from(sorted(EXTENSIONS)), unique=True, max_size=6)


@pytest.mark.parametrize(("text", "canonical"), MEANINGS)
def test_a_string_means_its_canonical_form(text, canonical):
    march = parse_march(text)
    assert isinstance(march, Isa)
    assert march.canonical == canonical


@pytest.mark.parametrize(("text", "clause"), REFUSALS)
def test_a_refusal_cites_its_clause(text, clause):
    march = parse_march(text)
    assert isinstance(march, Refused)
    assert march.clause == f"riscv_isa:{clause}"


@pytest.mark.parametrize(("text", "clause"), OPEN)
def test_what_the_text_leaves_open_is_unspecified(text, clause):
    march = parse_march(text)
    assert isinstance(march, Unspecified)
    assert march.clause == f"riscv_isa:{clause}"


@pytest.mark.parametrize(
    ("text", "flen"),
    [("rv64i", 0), ("rv64i_zfinx", 0), ("rv64if", 32), ("rv32id", 64), ("rv64iq", 128), ("rv64iv", 64)],
)
def test_flen_is_that_of_the_widest_extension(text, flen):
    march = parse_march(text)
    assert isinstance(march, Isa)
    assert march.flen == flen


@given(some_names, st.sampled_from([32, 64]))
def test_a_closure_is_closed(names, xlen):
    whole = closure(xlen, frozenset(names))
    assert closure(xlen, whole) == whole
    assert whole >= set(names)


@given(some_names, st.sampled_from(["rv32i", "rv64i"]), st.randoms())
def test_order_and_case_do_not_matter(names, head, random):
    shuffled = random.sample(names, len(names))
    one, other = (parse_march("_".join([head, *each])) for each in (names, shuffled))
    assert one == other
    assert parse_march("_".join([head, *names]).upper()) == one


@given(some_names, st.sampled_from(["rv32i", "rv64i"]))
def test_a_canonical_string_is_a_fixed_point(names, head):
    march = parse_march("_".join([head, *names]))
    if isinstance(march, Isa):
        again = parse_march(march.canonical)
        assert isinstance(again, Isa)
        assert again.canonical == march.canonical


@given(st.text(alphabet="rv3264iemafdgcz_p10xsx", max_size=24))
def test_any_text_has_an_answer(text):
    assert isinstance(parse_march(text), (Isa, Refused, Unspecified))


@pytest.mark.parametrize("name", SHEET.clauses)
def test_a_clause_is_cited_or_excused(name):
    sheet: Sheet = SHEET
    assert name in sheet.implementers or sheet.clauses[name].excuse


def test_every_implied_extension_is_known():
    assert {each for row in EXTENSIONS.values() for each in row.implies} <= EXTENSIONS.keys()
