"""A batch that crashed is parted so that the crash costs little, and the same shape does not crash a second batch."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abiprobe.generators.ptx import device_pool, device_signatures
from abiprobe.harness.observers.device.assembler.assemble import Assembler
from abiprobe.harness.ptxas import physical
from abiprobe.harness.ptxas.crashing import groups, shape, split_batch
from abiprobe.harness.ptxas.physical import Side, check
from abiprobe.oracles.abis.ptx.parameter import Signature, array, parse_parameter
from abiprobe.results.verdicts.record import Judgement, Outcome

B32 = parse_parameter("b32")
CRASH = Signature((), array(4, 52))
PLAIN = Signature((B32,), B32)


@given(st.lists(device_signatures(), min_size=2, max_size=8))
def test_parting_keeps_every_signature_and_ends(batch: list[Signature]) -> None:
    one, other = split_batch(batch)
    assert one
    assert other
    assert sorted(map(str, [*one, *other])) == sorted(map(str, batch))


def test_the_rarest_shape_is_parted_first() -> None:
    assert split_batch([PLAIN, CRASH, PLAIN, PLAIN]) == ([CRASH], [PLAIN, PLAIN, PLAIN])


def test_shapes_that_crashed_are_asked_alone() -> None:
    assert list(groups([PLAIN, CRASH, PLAIN, CRASH], {shape(CRASH)})) == [[PLAIN, PLAIN], [CRASH], [CRASH]]


def test_every_signature_is_answered_once(
    faux: Callable[[str], Assembler], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(physical, "BATCH", 6)
    crashing = faux(
        'for f; do case $f in *.ptx) case $(cat $f) in *e[0-9]*"();"*) kill -SEGV $$;; esac;; esac; done; exit 255'
    )
    pool = (PLAIN, CRASH, PLAIN, *device_pool(3, 6), CRASH)
    found = list(check(crashing, Side.CALLER, pool))
    assert sorted(str(one.signature) for one in found) == sorted(map(str, pool))
    crashed = [str(one.signature) for one in found if one.outcome is Outcome.CRASHED]
    expected = [str(own) for own in pool if "e0();" in physical.text("sm_75", Side.CALLER, [own])]
    assert sorted(crashed) == sorted(expected)


def test_an_image_that_is_none_is_no_agreement(faux: Callable[[str], Assembler]) -> None:
    lying = faux('for f; do case $f in *.cubin) echo nonsense > "$f";; esac; done')
    (found,) = check(lying, Side.CALLER, (PLAIN,))
    assert found.outcome is Outcome.UNDECODED
    assert found.judgement is Judgement.UNOBSERVED
