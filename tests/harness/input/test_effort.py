"""How often a file is parsed, and how many names are tried, whatever the file calls its types."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping

import pytest

from abiprobe.harness.input import Classes, ReadOptions, clang_queries, read
from abiprobe.harness.input.clang_queries import unused_stem
from abiprobe.harness.input.declared import declared_in_ours
from abiprobe.harness.input.reading import Reading
from abiprobe.harness.input.unit import Input, Unit
from abiprobe.oracles.language.lang import Record
from abiprobe.oracles.registry import find_target

TARGET = "x86_64-sysv"
NAMES = ("S", "abiprobe", "abiprobe_value_", "abiprobe_", "abiprobe____")


@pytest.fixture
def parses(monkeypatch: pytest.MonkeyPatch) -> list[None]:
    """One item for each time that a file is parsed with questions written into it."""
    found: list[None] = []
    real = clang_queries.parse_as

    def counting(
        source: Input, language: tuple[str, ...], replaced: Mapping[str, bytes] | None = None
    ) -> Unit:
        found.append(None)
        return real(source, language, replaced)

    monkeypatch.setattr(clang_queries, "parse_as", counting)
    return found


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("count", [2, 40])
def test_tags_like_ours_cost_no_more_than_others(parses: list[None], name: str, count: int) -> None:
    records = (
        f"struct {name}{number} {{ char a; int b __attribute__((aligned(1 << 3))); }};"
        for number in range(count)
    )
    found = declared_in_ours("#pragma pack(push, 2)\n" + "\n".join(records), find_target(TARGET)).records
    assert [(one.pack, one.members[1].align) for one in found] == [(2, 8)] * count
    assert len(parses) == 1


def test_alignments_that_have_no_value_cost_one_more_parse(parses: list[None]) -> None:
    """Nothing can be derived from a final class, in which the names of its alignments are looked up."""
    finals = "".join(
        f"class F{n} final {{ static const int A = {4 << n % 2}; alignas(A) char c; }};" for n in range(20)
    )
    text = f"{finals} struct S {{ alignas(4 * 4) char c; }};"
    how = ReadOptions(classes=Classes.ALONE, strict=False)
    found = read(text, filename="a.cc", triple="x86_64-linux-gnu", how=how)
    assert [(one.tag, one.members[0].alignas) for one in found.classes] == [("S", 16)]
    assert len(found.skipped) == 20
    assert len(parses) == 2


def test_a_stem_is_in_no_text() -> None:
    texts = [b"abiprobe", b"int abiprobe__x, abiprobe_;", b"abiprobe___"]
    stem = unused_stem(texts).encode()
    assert not any(stem in text for text in texts)
    assert len(unused_stem([b"abiprobe" + b"_" * 100_000])) < 100_100


class Counted(set[str]):
    """A set that counts how often it is asked for a member."""

    asked = 0

    def __contains__(self, name: object) -> bool:
        self.asked += 1
        return super().__contains__(name)


@pytest.mark.parametrize("count", [50, 100])
def test_numbers_of_invented_tags_are_tried_once(monkeypatch: pytest.MonkeyPatch, count: int) -> None:
    taken = Counted(f"untagged_{number}" for number in range(1, 2 * count + 1))
    monkeypatch.setattr(Reading, "_words", taken)
    text = "".join(f"struct {{ int a; }} f{number}(void);" for number in range(count))
    functions = declared_in_ours(text, find_target(TARGET)).functions
    tags = [one.result.tag for one in functions if isinstance(one.result, Record)]
    assert tags == [f"untagged_{2 * count + number}" for number in range(1, count + 1)]
    assert taken.asked <= 3 * count + 1


LOADS = """
import sys
from abiprobe.harness.input import Classes, ReadOptions, load, read
load()
before = {*sys.modules}
whole = ReadOptions(interface=True, classes=Classes.AS_NAMED)
for name, text in (("a.c", "struct S { int a; }; int f(struct S s, ...); int v;"), ("a.cc", "class K { int a; };")):
    read(text, filename=name, triple="x86_64-linux-gnu", how=whole)
print(*sorted(name for name in sys.modules.keys() - before if name.startswith("abiprobe")))
"""


def test_a_forked_reader_loads_nothing_of_its_own() -> None:
    done = subprocess.run([sys.executable, "-c", LOADS], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""
