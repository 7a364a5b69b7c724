"""Since when and until when, in words."""

from __future__ import annotations

import pytest

from abiprobe.results.causes.timeline import VersionResult
from abiprobe.results.site.spans import in_words

SHOWN = {
    "x": VersionResult.BAD,
    "o": VersionResult.GOOD,
    "/": VersionResult.OTHERWISE,
    "-": VersionResult.SILENT,
}
VERSIONS = ("13", "14", "16", "19", "22")


@pytest.mark.parametrize(
    ("shown", "words"),
    [
        ("xxxxx", "clang 13 to 22 (all tested)"),
        ("-xxx-", "clang 14 to 19 (all tested)"),
        ("--x--", "clang 16"),
        ("ooxxx", "clang since 16"),
        ("xxxoo", "clang until 16"),
        ("xxx-o", "clang until 16"),
        ("oxxxo", "clang 14 to 19"),
        ("ooxoo", "clang only 16"),
        ("xoxox", "clang until 13, only 16, since 22"),
        ("xx/oo", "clang until 14"),
        ("ooooo", ""),
        ("-----", ""),
        ("", ""),
    ],
)
def test_spans(shown: str, words: str) -> None:
    assert (
        in_words("clang", [(name, SHOWN[one]) for name, one in zip(VERSIONS, shown, strict=False)]) == words
    )


def test_a_family_of_one_compiler_is_named_once() -> None:
    assert in_words("tcc", [("tcc", VersionResult.BAD)]) == "tcc"
