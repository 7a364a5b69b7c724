"""Observations where no text decides, separated by the options that are meant to change them."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from abiprobe.harness.observers.observer import PredictionKey
from abiprobe.oracles.text.options import DEFAULT
from abiprobe.oracles.unmodelled.opened import OPEN
from abiprobe.results.verdicts.record import Verdict


def comparable(verdicts: Iterable[Verdict], key: PredictionKey) -> tuple[Verdict, ...]:
    """Verdicts whose observations are compared only with those under the same options.

    Vector extensions are no such option: code with and without them is linked together. Nor is any where subjects are said to
    do the same.
    """
    usual = msgspec.structs.asdict(DEFAULT)
    chosen = msgspec.structs.asdict(key.options).items()
    words = ", ".join(
        f"{name} {value}" for name, value in chosen if name != "vectors" and value != usual[name]
    )
    if not words or key.target.dialect == OPEN:
        return tuple(verdicts)
    return tuple(
        msgspec.structs.replace(
            one,
            shown=tuple(
                msgspec.structs.replace(item, what=f"{item.what} under {words}") for item in one.shown
            ),
        )
        for one in verdicts
    )
