"""The grammar of names, read and written."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abiprobe.oracles.abis.vfabi import Name, NotAVectorNameError, parse_name
from abiprobe.oracles.abis.vfabi.dialect import Isa

LETTERS = st.sampled_from(
    ("v", "u", "l", "l2", "ln3", "l-3", "l0", "ls0", "s12", "R8", "Rn8", "Ls1", "U", "Us3")
)
PARAMS = st.tuples(LETTERS, st.sampled_from(("", "a16", "a4096"))).map("".join)
NAMES = st.builds(
    Name,
    st.sampled_from(Isa),
    st.booleans(),
    st.integers(0, 1024),
    st.lists(PARAMS, max_size=20).map(tuple),
    st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,9}", fullmatch=True),
)


@given(NAMES)
def test_a_name_is_read_back(name: Name) -> None:
    ambiguous = any(one in "lRLU" and other.startswith("s") for one, other in pairwise(name.params))
    assert (parse_name(str(name)) == name) is not ambiguous


def test_the_letters_of_the_document_are_ambiguous() -> None:
    """A step of 1 before a variable stride reads as the variable stride of the compilers' letters."""
    as_written = Name(Isa.SSE, masked=False, lanes=4, params=("l", "s2", "u"), function="f")
    as_compiled = Name(Isa.SSE, masked=False, lanes=4, params=("ls2", "u"), function="f")
    assert str(as_written) == str(as_compiled)
    assert parse_name(str(as_written)) == as_compiled


@pytest.mark.parametrize(
    ("symbol", "params", "function"),
    [
        ("_ZGVbN4_f", (), "f"),
        ("_ZGVcM8ua16vl_foo", ("ua16", "v", "l"), "foo"),
        ("_ZGVbN4v___f_x", ("v",), "__f_x"),
        ("_ZGVbN4uv__ZN1X1mEi", ("u", "v"), "_ZN1X1mEi"),
        ("_ZGVeN16ls10Rn8U_v_v", ("ls10", "Rn8", "U"), "v_v"),
        ("_ZGVbN4vl-3s2_f", ("v", "l-3", "s2"), "f"),
    ],
)
def test_the_parameters_end_at_the_first_underscore(
    symbol: str, params: tuple[str, ...], function: str
) -> None:
    name = parse_name(symbol)
    assert (name.params, name.function) == (params, function)


@pytest.mark.parametrize(
    "symbol",
    [
        "f",
        "_ZGV",
        "_ZGVaN4v_f",
        "_ZGVbX4v_f",
        "_ZGVbNv_f",
        "_ZGVbN4v",
        "_ZGVbN4x_f",
        "_ZGVbN4v_",
        "_ZGVnN2v_f",
    ],
)
def test_what_is_no_name_is_refused(symbol: str) -> None:
    with pytest.raises(NotAVectorNameError):
        parse_name(symbol)
