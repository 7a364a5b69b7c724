"""BPF, little-endian, without a model: layouts only.

The kernel's "BPF ABI Recommended Conventions and Guidelines v1.0" has arguments in R1 to R5, the result in R0, and R6 to R9 preserved,
and says nothing of C types; the instruction set (RFC 9669) has no floating point.
"""

from __future__ import annotations

from functools import partial

from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.language.lang import Kind
from abiprobe.oracles.unmodelled import layouts_only, supposed_data

DATA = partial(supposed_data, long_double=8, without=(Kind.FLOAT128,), atomic=(8, 8))

TARGETS = (
    layouts_only(
        "bpf",
        "BPF, little-endian",
        "BPF",
        DATA(),
        {Reading.GCC: DATA(biggest=8)},
    ),
)
