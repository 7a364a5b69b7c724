"""Three columns: what is marked, and what is shown of a long place."""

from __future__ import annotations

import io

from rich.console import Console

from abiprobe.results.report.maps import SHOWN_BYTES, Map, MapRow, differing, marked, print_map, window


def test_bytes_that_the_text_leaves_open_never_differ() -> None:
    assert differing(("10", "..", "12"), ("11", "7f", "12")) == (True, False, False)


def test_bytes_that_nobody_predicted_differ() -> None:
    assert differing(("10",), ("10", "11")) == (False, True)
    assert differing(("10", "11"), ("nothing",)) == (True,)


def test_differing_bytes_stand_in_brackets() -> None:
    assert marked(("10", "..", "12"), ("11", "..", "12")).plain == "[11] .. 12"


def test_of_a_long_place_the_part_that_differs_is_shown() -> None:
    model = tuple(f"{number:02x}" for number in range(40))
    wrong = (*model[:20], "ff", *model[21:])
    assert window(model, [model]) == slice(0, SHOWN_BYTES)
    assert window(model, [model, wrong]) == slice(16, 16 + SHOWN_BYTES)


def test_a_map_as_people_see_it() -> None:
    file = io.StringIO()
    rows = (MapRow("a in fa0", ("10", "11"), (("2c", "11"), ("10", "11"))),)
    print_map(Console(file=file, width=80), Map("caller", ("clang-22 -O2", "gcc-12 -O2"), rows))
    lines = [line.split() for line in file.getvalue().splitlines()]
    assert lines[0] == ["caller", "model", "clang-22", "-O2", "gcc-12", "-O2"]
    assert lines[1] == ["a", "in", "fa0", "10", "11", "[2c]", "11", "10", "11"]
