"""Calls with vectors wider than the registers that every x86 has, for functions of each `target` attribute.

The same prototypes are drawn for AVX and for AVX-512, so a vector of 64 bytes is also asked where no register holds it. A
batch is a function of the seed and its number, as in `abiprobe.generators.pool`, and has one `target` attribute: it runs on
one machine.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count as count_from

from msgspec.structs import replace

from abiprobe.generators import signatures
from abiprobe.generators.draw import Draw
from abiprobe.generators.pool import BATCH
from abiprobe.generators.scope import Bounds, Scope
from abiprobe.generators.streams import once, seeded
from abiprobe.oracles.language.lang import Isa, Prototype, widest_vector
from abiprobe.oracles.language.question import Sort

SORTS = {Sort.PROTOTYPES_AVX: Isa.AVX, Sort.PROTOTYPES_AVX512: Isa.AVX512}
"""The sorts of these questions, and what their functions may use."""
EVERY = 16
"""There is one of these questions for so many prototypes of the pool."""
SIZE = 64
"""How many of these questions a batch has; they cost twice as much as others."""
STEP = SIZE * EVERY // BATCH
"""There is a batch of them for so many batches of the pool."""
EVERYWHERE = 16
"""Bytes of the vector registers that every x86 here has."""
_DIALECTS = (*(frozenset({"vector"}),) * 15, frozenset({"vector", "vectorcall", "regcall"}))


def stream(*, seed: int, isa: Isa) -> Iterator[Prototype]:
    """The questions of a run one by one, without end; no question comes twice."""
    batches = (seeded("wide vectors", seed, number) for number in count_from())
    return once(replace(a_wide_call(decisions), isa=isa) for decisions in batches for _ in range(BATCH))


def a_wide_call(draw: Draw) -> Prototype:
    """The first prototype with a vector of more than 16 bytes that the decisions of `draw` make."""
    while True:
        made = signatures.prototype(Scope(draw, Bounds(), draw.pick(_DIALECTS)))
        if widest_vector(made) > EVERYWHERE:
            return made
