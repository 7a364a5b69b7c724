"""What the options of a subject say about layouts."""

from __future__ import annotations

import pytest

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.subjects.options import layout_options
from abiprobe.oracles.language.lang import Kind
from abiprobe.oracles.text.options import DEFAULT, LayoutOptions


@pytest.mark.parametrize(
    ("options", "found"),
    [
        ("", DEFAULT),
        ("-O2 -DX=1 -fno-common", DEFAULT),
        ("-fshort-enums", LayoutOptions(short_enums=True)),
        ("-fshort-enums -fno-short-enums", LayoutOptions(short_enums=False)),
        ("-fno-short-enums -fshort-enums", LayoutOptions(short_enums=True)),
        ("-fpack-struct", LayoutOptions(pack=1)),
        ("-fpack-struct=4", LayoutOptions(pack=4)),
        ("-fpack-struct=4 -fpack-struct=2", LayoutOptions(pack=2)),
        ("-fpack-struct=4 -fno-pack-struct", DEFAULT),
        ("-mms-bitfields", LayoutOptions(ms_bitfields=True)),
        ("-mms-bitfields -mno-ms-bitfields", LayoutOptions(ms_bitfields=False)),
        ("-malign-double", LayoutOptions(align_double=True)),
        ("-malign-double -mno-align-double", DEFAULT),
        ("-m96bit-long-double", LayoutOptions(long_double=12)),
        ("-m96bit-long-double -m128bit-long-double", LayoutOptions(long_double=16)),
        ("-mlong-double-64", LayoutOptions(real=Kind.DOUBLE)),
        ("-mlong-double-64 -mlong-double-128", LayoutOptions(real=Kind.FLOAT128)),
        ("-mlong-double-64 -mlong-double-80", DEFAULT),
        ("-mregparm=3 -mregparm=2", LayoutOptions(regparm=2)),
        ("-mavx2", LayoutOptions(vectors=32)),
        ("-mavx512f", LayoutOptions(vectors=64)),
        ("-mavx512f -mavx", LayoutOptions(vectors=64)),
        ("-mavx512f -mno-avx512f", LayoutOptions(vectors=32)),
        ("-mavx -mno-avx", DEFAULT),
        ("-march=x86-64-v4 -march=x86-64-v3", LayoutOptions(vectors=32)),
    ],
)
def test_the_last_word_on_each_counts(options: str, found: LayoutOptions) -> None:
    assert layout_options(options.split()) == found


@pytest.mark.parametrize("value", ["", "0", "3", "32", "-1", "two"])
def test_an_alignment_that_no_compiler_takes_is_a_problem(value: str) -> None:
    with pytest.raises(Problem, match="no compiler takes this alignment"):
        layout_options([f"-fpack-struct={value}"])


@pytest.mark.parametrize("value", ["", "4", "-1", "all"])
def test_more_registers_than_there_are(value: str) -> None:
    with pytest.raises(Problem, match="three such registers"):
        layout_options([f"-mregparm={value}"])
