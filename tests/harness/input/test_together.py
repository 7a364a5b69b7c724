"""Many headers read together: each file once, and only those are left out that no others go together with."""

from __future__ import annotations

from itertools import chain
from pathlib import Path

import pytest

from abiprobe.harness.input import ReadOptions
from abiprobe.harness.input import together as module
from abiprobe.harness.input.together import Together, read_together
from abiprobe.harness.input.unit import Input, Unit

TRIPLE = "x86_64-linux-gnu"


def read(folder: Path, **texts: str) -> Together:
    """The headers with these texts, in their order."""
    paths = [folder / f"{name}.h" for name in texts]
    for path, text in zip(paths, texts.values(), strict=True):
        path.write_text(text)
    how = ReadOptions((f"-I{folder}",), included=(f"{folder}/*",), strict=False)
    return read_together(list(map(str, paths)), triple=TRIPLE, options=(), how=how)


def named(done: Together) -> list[list[str]]:
    """The functions and tags of each unit."""
    return [
        [*(one.tag for one in each.records), *(one.name for one in each.functions)] for each in done.found
    ]


def declared(done: Together) -> list[str]:
    """The functions and tags of all units."""
    return sorted(chain.from_iterable(named(done)))


def unread(done: Together) -> dict[str, str]:
    """The reasons by the names of the headers."""
    return {Path(path).stem: reason for path, reason in done.unread.items()}


def test_headers_that_go_together_are_one_unit(tmp_path: Path) -> None:
    done = read(tmp_path, one="struct S { int a; };", other='#include "one.h"\nvoid f(struct S s);')
    assert named(done) in ([["S", "f"]], [["S", "f"], []])
    assert not done.unread


def test_a_file_of_two_units_is_read_once(tmp_path: Path) -> None:
    common = "#pragma once\nstruct S { int a; };"
    done = read(
        tmp_path,
        common=common,
        one='#include "common.h"\ntypedef int T; T f(struct S s);',
        other='#include "common.h"\ntypedef struct S T; T g(void);',
    )
    assert declared(done) == ["S", "f", "g"]
    assert not done.unread


def test_a_header_that_refuses_to_be_included_by_itself_is_read_through_another(tmp_path: Path) -> None:
    inner = "#ifndef ALL\n#error only all.h may be included\n#endif\n#pragma once\nvoid f(int a);"
    done = read(tmp_path, all='#define ALL\n#include "inner.h"\n#undef ALL\nvoid g(int a);', inner=inner)
    assert declared(done) == ["f", "g"]
    assert not done.unread
    alone = read(tmp_path, inner=inner)
    assert unread(alone) == {"inner": "only all.h may be included"}


def test_what_is_missing_costs_no_other_header(tmp_path: Path) -> None:
    done = read(tmp_path, bad='#include "nowhere.h"\nvoid f(int a);', good="void g(int a);", none="int (;")
    assert named(done) == [["g"]]
    assert unread(done)["bad"] == "'nowhere.h' file not found"
    assert set(unread(done)) == {"bad", "none"}


def test_a_header_that_spoils_those_behind_it_costs_none(tmp_path: Path) -> None:
    done = read(tmp_path, spoiling="BEGIN\nvoid f(int a);\nEND\n", good="typedef int T;\nvoid g(T a);\n")
    assert declared(done) == ["g"]
    assert set(unread(done)) == {"spoiling"}


def test_what_is_cxx_is_told_as_that(tmp_path: Path) -> None:
    done = read(tmp_path, cxx="namespace n {\nint f(int a);\n}\n", c="void g(int a);\n")
    assert declared(done) == ["g"]
    assert unread(done) == {"cxx": module.OF_CXX}


def test_a_header_of_c23_is_read_as_that(tmp_path: Path) -> None:
    done = read(tmp_path, old="void f(int bool);", new="[[nodiscard]] bool g(typeof(1) a);")
    assert declared(done) == ["f", "g"]


def test_parses_are_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parsed: list[int] = []
    parse = module.parse_as

    def counting(source: Input, language: tuple[str, ...]) -> Unit:
        parsed.append(source.text.count(b"#include"))
        return parse(source, language)

    monkeypatch.setattr(module, "parse_as", counting)
    texts = {f"h{at}": f"typedef char T[{at + 1}]; struct S{at} {{ T t; }};" for at in range(100)}
    done = read(tmp_path, **texts)
    assert len(parsed) == module.PARSES
    assert len(done.found) + len(done.unread) >= len(texts)
    assert set(done.unread.values()) == {module.TOO_MANY}
