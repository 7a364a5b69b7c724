"""Addresses depend on names alone, and no name leads out of the folder."""

from __future__ import annotations

import pytest

from abiprobe.results.site.addresses import abi_page, cause_page, clause_page, link, up


def test_addresses() -> None:
    assert cause_page("c0123abc") == "cause/c0123abc.html"
    assert clause_page("riscv:fp.flatten-zero-width") == "clause/riscv/fp.flatten-zero-width.html"
    assert abi_page("x86_64-sysv@clang-reading") == "abi/x86_64-sysv@clang-reading.html"
    assert up("clause/riscv/a.html") == "../../"
    assert up("index.html") == ""
    assert link("clause/gnu/a b.html") == "clause/gnu/a%20b.html"


@pytest.mark.parametrize("name", ["", "../../etc", "c0123abc/..", "c0123AB", "c0123abcd"])
def test_what_is_no_name_of_a_cause_has_no_page(name: str) -> None:
    with pytest.raises(ValueError, match="no name of a cause"):
        cause_page(name)


@pytest.mark.parametrize("name", ["", "riscv", "riscv:", "riscv:../x", "../a:b"])
def test_what_is_no_name_of_a_clause_has_no_page(name: str) -> None:
    assert clause_page(name) == ""
