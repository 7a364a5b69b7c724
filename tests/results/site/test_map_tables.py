"""Maps as tables: what is marked, and what a reader of the screen is told."""

from __future__ import annotations

from abiprobe.results.report.maps import Map, MapRow
from abiprobe.results.site.map_tables import MapLine, lines

ROW = MapRow("a", ("10", "..", "12"), (("10", "7f", "2c"), ("10", "55", "12")))


def looks(line: MapLine) -> list[list[str]]:
    return [[word.look for word in cell] for cell in line.cells]


def test_what_is_not_as_the_text_says_is_marked() -> None:
    (line,) = lines(Map("caller", ("one", "other"), (ROW,)))
    assert looks(line) == [["", "any", ""], ["", "", "bad"], ["", "", ""]]
    assert line.wrong == (False, True, False)


def test_where_no_text_decides_what_subjects_have_differently_is_marked() -> None:
    row = MapRow("_Alignof, bytes", ("..", ".."), (("64", "1"), ("16", "1")))
    (line,) = lines(Map("layout", ("one", "other"), (row,)), is_open=True)
    assert looks(line) == [["any", "any"], ["differs", ""], ["differs", ""]]
    assert line.wrong == (False, True, True)


def test_a_place_that_one_subject_does_not_have_is_marked() -> None:
    row = MapRow("a", ("..",), (("64",), ()))
    (line,) = lines(Map("layout", ("one", "other"), (row,)), is_open=True)
    assert looks(line)[1:] == [["differs"], []]


def test_of_a_long_place_the_part_that_differs_is_shown() -> None:
    model = tuple(f"{number:02x}" for number in range(40))
    wrong = (*model[:20], "ff", *model[21:])
    (line,) = lines(Map("caller", ("one",), (MapRow("a", model, (wrong,)),)))
    assert line.place == "a from byte 16"
    assert [word.text for word in line.cells[1] if word.look == "bad"] == ["ff"]
