"""AArch64 on Apple platforms: AAPCS64 with the departures of "Writing ARM64 code for Apple platforms"."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from abiprobe.oracles.abis.aarch64.darwin.calls import calls
from abiprobe.oracles.abis.aarch64.data import TEXT
from abiprobe.oracles.abis.aarch64.data import data_model as data_of_arm
from abiprobe.oracles.abis.aarch64.registers import registers
from abiprobe.oracles.dialects import factory
from abiprobe.oracles.engine.data_model import DataModel, Sized
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.language.lang import Kind
from abiprobe.oracles.model import AbiModel, Preserved, Target
from abiprobe.oracles.text.clause import citing
from abiprobe.oracles.text.options import LayoutOptions

cite, implements = citing(__package__)
PLATFORM = cite("registers.platform")
LONG_DOUBLE = cite("type.long-double")
UNNAMED = cite("dialect.unnamed-bit-field")


@implements("type.char", "type.long-double")
def data_model(reading: Reading | None) -> DataModel:
    """The types of the text, or of a compiler family."""
    data = data_of_arm(reading, "little")
    return replace(
        data,
        # [darwin:type.long-double]
        kinds={**data.kinds, Kind.LDOUBLE: Sized(8, 8, LONG_DOUBLE)},
        same={Kind.LDOUBLE: Kind.DOUBLE},
        # [darwin:type.char]
        char_signed=True,
    )


@implements("dialect.unnamed-bit-field", "dialect.result-extended")
def dialect(reading: Reading | None) -> Callable[[LayoutOptions], AbiModel]:
    """Return the function that makes a reading's model under language options."""
    data = data_model(reading)
    by_clang = reading is Reading.CLANG
    # [darwin:dialect.unnamed-bit-field]
    layouts = replace(TEXT, zero_width=UNNAMED, unnamed_bit_field=UNNAMED) if by_clang else TEXT
    # [darwin:dialect.result-extended]
    habits = {"ignores_unnamed": True, "extends_apple_results": True} if by_clang else {}
    return factory(data, layouts, calls, reading, habits)


DARWIN = Target(
    name="aarch64-darwin",
    title="AArch64 with the calling convention of Apple platforms",
    family="AArch64",
    machine="aarch64",
    sheet="darwin",
    also=("aapcs64",),
    dialects={"": dialect(None), "clang": dialect(Reading.CLANG)},
    registers=registers(Preserved("x18", PLATFORM)),
)
