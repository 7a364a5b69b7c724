"""s390x object files: the vector ABI (GNU attributes)."""

from __future__ import annotations

from abiprobe.oracles.linking import gnu
from abiprobe.oracles.linking.field import Answer, Field, Rules, Same, numbered
from abiprobe.oracles.text.clause import load_sheet

cite = load_sheet(__package__, "s390x.toml").cite
EM_S390 = 22

RULES = Rules(
    fields=(
        Field(
            "vectors", gnu.tag(8), gnu.cite("z.vector"), Same(free=frozenset({0}), otherwise=Answer.WARNED),
            numbered("not affected", "software", "hardware"),
        ),
        gnu.TOOLCHAIN,
    ),
    flags_clause=cite("flags"),
    tags=(gnu.TAGS,),
)  # fmt: skip
