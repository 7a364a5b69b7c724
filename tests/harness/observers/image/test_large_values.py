"""Values that no image has room for cost nothing: none of their bytes is looked at."""

from __future__ import annotations

import pytest

from abiprobe.harness.observers.image import open_plan
from abiprobe.harness.observers.image.open_plan import plan_open
from abiprobe.harness.observers.image.plan import TooLargeError
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import Kind, Param, Prototype, Type, Vector
from abiprobe.oracles.registry import find_model
from abiprobe.oracles.text.place import Unspecified

VECTOR = Vector(Kind.INT, 1 << 28)


@pytest.mark.parametrize(
    "function", [Prototype("f", None, (Param("v", VECTOR),)), Prototype("f", VECTOR, ())]
)
def test_a_value_that_is_too_large_is_not_opened(
    monkeypatch: pytest.MonkeyPatch, function: Prototype
) -> None:
    def opened(_types: TypeTable, _c_type: Type) -> bytes:
        raise AssertionError("every byte of the value was looked at")

    monkeypatch.setattr(open_plan, "compared_mask", opened)
    with pytest.raises(TooLargeError, match=f"^{1 << 28} bytes of values$"):
        plan_open(find_model("x86_64-sysv"), "probe", function, Unspecified("clause", "why"), {}, {})
