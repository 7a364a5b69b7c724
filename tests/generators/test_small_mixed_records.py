"""What independent draws hardly bring together has its share, and all other questions stay."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import pytest

from abiprobe.generators.draw import SeededDraw
from abiprobe.generators.pool import draw
from abiprobe.generators.prototypes import a_prototype
from abiprobe.generators.scope import FEATURES, Bounds
from abiprobe.generators.small_mixed_records import EVERY, with_small_mixed_record
from abiprobe.oracles.language.features import features
from abiprobe.oracles.language.lang import BitInt, Prototype, Record, Scalar, Type, declared, strip
from abiprobe.oracles.language.question import Sort
from abiprobe.oracles.registry import find_model

COUNT = 2000


@pytest.fixture(scope="module")
def drawn() -> tuple[Prototype, ...]:
    found = draw(seed=11, kind=Sort.PROTOTYPES, start=0, count=COUNT)
    return tuple(one for one in found if isinstance(one, Prototype))


def small(c_type: Type | None) -> Record | None:
    """The record that a value is, if it has one or two members, and no other record in it."""
    if c_type is None or not isinstance(c_type, Record):
        return None
    return c_type if 0 < len(c_type.members) < 3 else None


def is_real(c_type: Type) -> bool:
    bare = strip(c_type)
    return isinstance(bare, Scalar) and bare.kind.is_floating


def real_beside(record: Record | None, *, bit_field: bool) -> bool:
    """Return whether a struct is one real beside a bit-field, or beside a `_BitInt`."""
    if record is None or record.union or len(record.members) != 2:
        return False
    for real, other in (record.members, record.members[::-1]):
        if is_real(real.type) and real.width is None:
            is_field = bool(other.width) and bool(other.name)
            if is_field if bit_field else other.width is None and isinstance(strip(other.type), BitInt):
                return True
    return False


def values(functions: Iterable[Prototype]) -> Iterable[tuple[str, Type]]:
    for function in functions:
        if function.result is not None:
            yield "result", function.result
        yield from (("param", one.type) for one in function.params)
        yield from (("unnamed", one) for one in function.unnamed)


def test_each_kind_of_mixed_record_has_its_share(drawn: tuple[Prototype, ...]) -> None:
    """Each at least twice in 1,000 prototypes, where it was seen about once in as many or never."""
    types = find_model("x86_64-sysv").types
    shares: Counter[str] = Counter()
    for where, c_type in values(drawn):
        record = small(c_type)
        if real_beside(record, bit_field=True) and record is not None:
            shares[f"a real beside a bit-field, {'packed' if record.packed else 'plain'}"] += 1
            shares[f"a real beside a bit-field as {where}"] += 1
        shares["a _BitInt beside a real"] += real_beside(record, bit_field=False)
        if isinstance(c_type, Record):
            shares["a union through ..."] += c_type.union and where == "unnamed"
            shares[f"no bytes as {where}"] += features(c_type) <= FEATURES and not holds(types, c_type)
            shares["two rare features"] += len(features(c_type) - {"long double", "_Complex"}) > 1
    for what in (
        "a real beside a bit-field, plain",
        "a real beside a bit-field, packed",
        "a real beside a bit-field as result",
        "a real beside a bit-field as param",
        "a real beside a bit-field as unnamed",
        "a _BitInt beside a real",
        "a union through ...",
        "no bytes as result",
        "no bytes as param",
        "no bytes as unnamed",
        "two rare features",
    ):
        assert shares[what] >= 2 * COUNT // 1000, (what, shares)


def holds(types: object, record: Record) -> bool:
    """Return whether a record has a byte on x86-64; one of which the text says nothing is taken to have one."""
    try:
        return bool(types.extent(record).size)  # type: ignore[attr-defined]
    except Exception:  # noqa: BLE001 - whatever a table raises, it does not say that there is none
        return True


def test_all_other_questions_stay_as_they_were() -> None:
    decisions = SeededDraw(4)
    changed = 0
    for _ in range(800):
        plain = a_prototype(decisions, Bounds())
        made = with_small_mixed_record(plain, Bounds())
        changed += made != plain
        assert made == plain or len(made.arguments) == len(plain.arguments)
        assert made.name == plain.name
    assert 800 // EVERY // 4 < changed < 800 // EVERY * 2


def test_a_feature_that_is_left_out_is_not_put_in() -> None:
    bounds, decisions = Bounds(exclude=FEATURES), SeededDraw(4)
    for _ in range(400):
        assert not features(with_small_mixed_record(a_prototype(decisions, bounds), bounds)) & FEATURES


def test_a_mixed_record_has_a_tag_of_its_own() -> None:
    decisions = SeededDraw(9)
    for _ in range(400):
        plain = a_prototype(decisions, Bounds())
        made = with_small_mixed_record(plain, Bounds())
        tags = [one.tag for _, one in values([made]) if isinstance(one, Record)]
        by_tag = {one.tag: one for _, one in values([made]) if isinstance(one, Record)}
        assert all(by_tag[one.tag] == one for _, one in values([made]) if isinstance(one, Record)), tags


def test_every_record_in_a_record_has_a_tag() -> None:
    decisions = SeededDraw(5)
    for _ in range(3000):
        plain = a_prototype(decisions, Bounds())
        made = with_small_mixed_record(plain, Bounds())
        old = {c_type for _, c_type in values([plain])}
        new = tuple(c_type for _, c_type in values([made]) if c_type not in old)
        assert all(one.tag for one in declared(new) if isinstance(one, Record))
