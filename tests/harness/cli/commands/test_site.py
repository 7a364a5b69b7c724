"""The folder of pages: valid, whole, without a request to anywhere, the same each time, and at addresses that last."""

from __future__ import annotations

import html
import itertools
import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from urllib.parse import parse_qs, unquote, urldefrag

import html5lib
import msgspec
import pytest

from abiprobe.generators.boundary import Edge
from abiprobe.harness.api.playground import answered
from abiprobe.harness.cli.main import main
from abiprobe.harness.nights.site import Bundle, Extras, build_content
from abiprobe.harness.runs.run_files import FRAMES, keep_matrix, keep_triage, write_run
from abiprobe.results.known.deviations import Known, shipped
from abiprobe.results.site.news import Past
from abiprobe.results.site.pages import files
from abiprobe.results.site.search_index import VARIABLE
from abiprobe.results.site.sightings import Triaged
from tests.results.report.samples import MATRIX
from tests.results.report.test_frames import REPORT
from tests.results.site.samples import BIG, FIRST, FLAT, FLATTEN, MAP, OPEN, SECOND

PLAIN = ("--no-maps", "--no-bundles", "--no-edges")
SITEMAP = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
ATOM = "{http://www.w3.org/2005/Atom}"
FLAT_PAGE = f"cause/{FLAT}.html"


def stored(folder: Path, *runs: Triaged) -> list[str]:
    """The folders of some runs, as `run` and `triage` leave them."""
    places = []
    for one in runs:
        write_run(folder / one.name, one.run)
        keep_triage(folder / one.name, one.run, one.clusters)
        places.append(str(folder / one.name))
    return places


def status_of(*arguments: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(["site", *arguments])
    assert isinstance(ended.value.code, int)
    return ended.value.code


def contents(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    folder = tmp_path_factory.mktemp("runs")
    keep_matrix(folder, MATRIX)
    frames = tmp_path_factory.mktemp("frames")
    (frames / FRAMES).write_bytes(msgspec.json.encode(REPORT))
    return [*stored(folder, FIRST, SECOND), str(folder), str(frames)]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, runs: list[str]) -> Path:
    """The pages of both runs."""
    out = tmp_path_factory.mktemp("pages") / "site"
    assert status_of(*runs, "--out", str(out), *PLAIN) == 0
    return out


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[str, ET.Element]:
    """Every page, read as browsers do; what is not valid raises."""
    parser = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False)
    return {
        name: parser.parse(data, transport_encoding="utf-8")
        for name, data in contents(site).items()
        if name.endswith(".html")
    }


def text_of(element: ET.Element) -> str:
    return " ".join("".join(element.itertext()).split())


def test_the_figures_of_nights_outlast_their_runs(runs: list[str], tmp_path: Path) -> None:
    out = tmp_path / "site"
    first, second = runs[0], runs[1]
    assert status_of(first, "--out", str(out), *PLAIN) == 0
    assert "Over the nights" not in (out / "index.html").read_text()
    assert status_of(second, "--out", str(out), *PLAIN) == 0
    nights = json.loads((out / "site.json").read_text())["past"]["nights"]
    assert [night["started"] for night in nights] == [FIRST.started, SECOND.started]
    assert [night["causes"] for night in nights] == [len(FIRST.clusters), len(SECOND.clusters)]
    page = (out / "index.html").read_text()
    shown = " ".join(str(night["causes"]) for night in nights)
    assert f'data-values="{shown}" data-unit="causes"' in page
    assert page.count("<figure") == 4
    # An edition of the same run changes nothing of what was news when it was new.
    assert status_of(second, "--out", str(out), *PLAIN) == 0
    assert json.loads((out / "site.json").read_text())["past"]["nights"] == nights


def test_what_was_found_about_frames_has_a_page(
    pages: dict[str, ET.Element], runs: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert text_of(pages["frames/unwind-tables.html"]).count(REPORT.drawn) == 1
    (link,) = [one for one in pages["index.html"].iter("a") if one.text == "Unwind tables"]
    assert link.get("href") == "frames/unwind-tables.html"
    assert status_of(runs[-1], "--out", str(tmp_path / "none"), *PLAIN) == 2
    assert "these folders have tests of frames only" in capsys.readouterr().err


def test_the_newest_release_is_held_against_the_one_before(pages: dict[str, ET.Element]) -> None:
    part = next(
        one for one in pages["index.html"].iter("section") if one.get("aria-labelledby") == "releases"
    )
    told = text_of(part)
    assert "clang 22" in told or "clang 22 (zig)" in told, told
    assert "since 16" in told, told
    for one in part.iter("li"):
        assert text_of(one).endswith(("shows it now", "no longer shows it"))


def test_each_cause_is_a_question_of_the_playground(
    monkeypatch: pytest.MonkeyPatch, runs: list[str], tmp_path: Path
) -> None:
    monkeypatch.setattr("abiprobe.harness.cli.commands.playground.runtime", lambda: {"pyodide.mjs": b""})
    monkeypatch.setattr("abiprobe.harness.cli.commands.playground.wheels", dict)
    out = tmp_path / "site"
    assert status_of(*runs, "--out", str(out), *PLAIN, "--playground") == 0
    pages = {path.stem: path.read_text() for path in (out / "cause").glob("*.html")}
    links = [re.search(r'href="\.\./playground\.html#([^"]+)"', text) for text in pages.values()]
    assert pages
    assert all(links)
    for found in filter(None, links):
        asked = parse_qs(html.unescape(found[1]))
        assert answered(asked["c"][0], asked["target"][0]).places
    clauses = json.loads((out / "playground/files.json").read_text())["clauses"]
    assert clauses
    assert all((out / page).is_file() for page in clauses.values())
    # Without it the next edition has neither the page nor links to it.
    assert status_of(*runs, "--out", str(out), *PLAIN) == 0
    assert not [
        path for path in out.rglob("*") if path.is_file() and "playground" in str(path.relative_to(out))
    ]
    assert "playground" not in (out / "index.html").read_text()


def test_there_is_a_page_for_each_cause_clause_and_target(pages: dict[str, ET.Element]) -> None:
    assert {"index.html", "news.html", "clauses.html", "search.html", "about.html"} < set(pages)
    assert {name for name in pages if name.startswith("abi/")} == {
        "abi/riscv64-lp64d.html",
        "abi/x86_64-sysv.html",
    }
    assert sum(name.startswith("cause/") for name in pages) == 4
    assert {FLAT_PAGE, "clause/riscv/fp.flatten-zero-width.html", "clause/x86_64/pass.sse.html"} < set(pages)
    assert not any(name.startswith("clause/aapcs64/") for name in pages)


def test_every_link_leads_to_something(site: Path, pages: dict[str, ET.Element]) -> None:
    followed = 0
    for name, page in pages.items():
        for element in page.iter("a"):
            address, fragment = urldefrag(element.attrib["href"])
            if address.startswith("https://"):
                continue
            target = (site / name).parent / unquote(address) if address else site / name
            assert target.is_file(), (name, element.attrib)
            if fragment:
                there = pages[str(target.resolve().relative_to(site.resolve()))]
                assert any(one.get("id") == fragment for one in there.iter()), (name, element.attrib)
            followed += 1
    assert followed > 1000


def loaded(page: ET.Element) -> Iterator[str]:
    """What a browser loads with a page."""
    for element in page.iter():
        if element.tag == "link" and element.get("rel") != "alternate":
            yield element.attrib["href"]
        for name in ("src", "srcset", "poster", "data"):
            if name in element.attrib:
                yield element.attrib[name]


def test_nothing_is_requested_from_elsewhere(site: Path, pages: dict[str, ET.Element]) -> None:
    for name, page in pages.items():
        for address in loaded(page):
            assert address == "data:," or ((site / name).parent / address).is_file(), (name, address)
        assert all(one.text is None for one in page.iter("script")), name
        assert not any(key.startswith("on") or key == "style" for one in page.iter() for key in one.attrib), (
            name
        )
    assert not re.search(r"url\(|@import|https?:", (site / "style.css").read_text("utf-8"))
    assert not re.search(r"fetch|XMLHttp|WebSocket|import\(|https?:", (site / "site.js").read_text("utf-8"))


def test_every_page_has_its_landmarks_labels_and_ids(pages: dict[str, ET.Element]) -> None:
    for name, page in pages.items():
        ids = [one.attrib["id"] for one in page.iter() if "id" in one.attrib]
        assert len(ids) == len(set(ids)), name
        assert page.get("lang") == "en"
        assert [len([*page.iter(tag)]) for tag in ("main", "h1", "title")] == [1, 1, 1], name
        labels = {one.get("for") for one in page.iter("label")}
        for one in page.iter():
            if one.tag in {"input", "select"}:
                assert one.attrib["id"] in labels, (name, one.attrib)
            if "tabindex" in one.attrib or one.tag == "nav":
                assert {"aria-label", "aria-labelledby"} & set(one.attrib), (name, one.attrib)
            assert one.get("aria-labelledby", ids[0]) in ids, (name, one.attrib)
        levels = [int(one.tag[1]) for one in page.iter() if re.fullmatch("h[1-6]", str(one.tag))]
        assert levels[0] == 1, name
        assert all(after <= before + 1 for before, after in itertools.pairwise(levels)), name
        assert all(one.get("scope") for one in page.iter("th")), name


def test_titles_tell_pages_apart(pages: dict[str, ET.Element]) -> None:
    titles = [text_of(next(page.iter("title"))) for page in pages.values()]
    assert len(titles) == len(set(titles))


def test_causes_of_one_name_are_told_apart(pages: dict[str, ET.Element]) -> None:
    listed = [
        text_of(one) for one in pages["index.html"].iter("a") if one.get("href", "").startswith("cause/")
    ]
    assert len(set(listed)) == 4
    one = FIRST.clusters[0]
    twins = [msgspec.structs.replace(one, id=name, former=()) for name in ("c0000001", "c0000002")]
    run = msgspec.structs.replace(FIRST, clusters=tuple(twins))
    titles = [cause.title for cause in build_content((run,), Known(), Past(), "title", Extras()).causes]
    assert titles == [f"{titles[0][:-10]}; c000000{number}" for number in (1, 2)]


def test_a_cause_tells_who_since_when_and_by_which_clause(pages: dict[str, ET.Element]) -> None:
    text = text_of(pages[FLAT_PAGE])
    for words in (
        "struct S { float a; int : 0; float b; };",
        "Zero-width bit-fields are ignored while flattening.",
        "clang until 9, since 22 (zig)",
        "clang-9 and zig deviate from the text; clang-16, clang-22 and gcc-12 follow it.",
        "first 2026-01-02, last 2026-02-03 in run second",
        "caller: a in fa0: expected 10 11, saw 2c 11 (found in a0)",
        f"abiprobe repro {FLAT} --run second",
    ):
        assert words in text
    versions = next(one for one in pages[FLAT_PAGE].iter("table"))
    assert [text_of(one) for one in versions.iter("td")][:5] == [
        "●shows it",
        "○does not show it",
        "○does not show it",
        "●shows it",
        "○does not show it",
    ]


def test_a_clause_tells_who_deviates(pages: dict[str, ET.Element]) -> None:
    text = text_of(pages["clause/riscv/fp.flatten-zero-width.html"])
    assert FLATTEN in text
    assert "clang until 9, since 22 (zig)" in text
    assert "Known deviations that name it" in text
    assert "No compiler of these runs" not in text


def test_a_target_has_a_matrix_of_versions(pages: dict[str, ET.Element]) -> None:
    head, *_ = pages["abi/riscv64-lp64d.html"].iter("thead")
    assert [text_of(one) for one in head.iter("th")] == [
        *("cause", "clang", "gcc", "since, until"),
        *("9", "16", "22", "zig", "12"),
    ]


def test_what_a_tool_said_is_text_and_nothing_else(site: Path) -> None:
    for name, data in contents(site).items():
        if name.endswith((".html", ".js", ".xml")) and name != "site.js":
            text = data.decode()
            assert "<script>alert" not in text, name
            assert not re.search("[\x00-\x08\x1b\u202e]", text), name


def test_where_no_text_decides_nobody_is_to_blame(pages: dict[str, ET.Element]) -> None:
    (name,) = (one.id for one in SECOND.clusters if OPEN in one.clauses)
    text = text_of(pages[f"cause/{name}.html"])
    assert "undecided the documents leave it open, and compilers disagree; none is to blame" in text
    assert "A: clang 16 to 22 (all tested) B: gcc 12" in text


def test_the_search_finds_every_cause_clause_and_target(site: Path) -> None:
    text = (site / "search-index.js").read_text("utf-8")
    assert text.startswith(f"const {VARIABLE} = ")
    found = json.loads(text.removeprefix(f"const {VARIABLE} = ").removesuffix(";\n"))
    assert all((site / unquote(item["at"])).is_file() for item in found)
    assert {item["at"] for item in found} == {
        str(path.relative_to(site))
        for kind in ("cause", "clause", "abi")
        for path in (site / kind).rglob("*.html")
    }
    (flat,) = (item for item in found if item["at"] == FLAT_PAGE)
    assert FLATTEN in flat["words"]
    assert "int : 0" in flat["words"]


def test_the_feed_is_what_readers_take(site: Path) -> None:
    feed = ET.parse(site / "feed.xml").getroot()
    assert feed.tag == f"{ATOM}feed"
    entries = feed.findall(f"{ATOM}entry")
    assert len(entries) == 6
    for one in (feed, *entries):
        assert all(len(one.findall(ATOM + name)) == 1 for name in ("id", "title", "updated"))
        assert datetime.fromisoformat(one.findtext(f"{ATOM}updated", "")).utcoffset() is not None
    assert feed.findtext(f"{ATOM}author/{ATOM}name") == "abiprobe"
    assert {one.get("rel") for one in feed.findall(f"{ATOM}link")} == {"self", "alternate"}
    ids = [one.findtext(f"{ATOM}id", "") for one in (feed, *entries)]
    assert len(set(ids)) == len(ids)
    assert all(re.fullmatch(r"urn:uuid:[0-9a-f-]{36}", one) for one in ids)
    dates = [one.findtext(f"{ATOM}updated", "") for one in entries]
    assert dates == sorted(dates, reverse=True)
    assert feed.findtext(f"{ATOM}updated") == dates[0] == SECOND.started
    for one in entries:
        link = one.find(f"{ATOM}link")
        assert link is not None
        assert (site / link.attrib["href"]).is_file()


def test_a_title_and_an_address_of_ones_own(tmp_path: Path, runs: list[str]) -> None:
    named = ("--title", "Ours & <others>", "--url", "https://example.org/abi")
    assert status_of(*runs, "--out", str(tmp_path), *named, *PLAIN) == 0
    assert "Ours &amp; &lt;others&gt;" in (tmp_path / "index.html").read_text("utf-8")
    feed = ET.parse(tmp_path / "feed.xml").getroot()
    links = [one.attrib["href"] for one in feed.iter(f"{ATOM}link")]
    assert all(one.startswith("https://example.org/abi/") for one in links)
    listed = [str(one.text) for one in ET.parse(tmp_path / "sitemap.xml").getroot().iter(f"{SITEMAP}loc")]
    pages = {unquote(one.removeprefix("https://example.org/abi/")) for one in listed}
    assert pages == {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.html")}
    assert "Sitemap: https://example.org/abi/sitemap.xml" in (tmp_path / "robots.txt").read_text("utf-8")
    assert status_of(*runs, "--out", str(tmp_path), *PLAIN) == 0
    assert not (tmp_path / "sitemap.xml").exists()


def test_the_same_runs_give_the_same_folder(tmp_path: Path, site: Path, runs: list[str]) -> None:
    before = contents(site)
    assert status_of(*reversed(runs), "--out", str(tmp_path / "new"), *PLAIN) == 0
    assert contents(tmp_path / "new") == before
    assert status_of(*runs, "--out", str(site), *PLAIN) == 0
    assert contents(site) == before


def test_addresses_last(tmp_path: Path, capfd: pytest.CaptureFixture[str], runs: list[str]) -> None:
    out, (first, second, *_) = tmp_path / "site", runs
    assert status_of(first, "--out", str(out), *PLAIN) == 0
    pages = {name for name in contents(out) if name.startswith(("cause/", "clause/"))}
    capfd.readouterr()
    assert status_of(second, "--out", str(out), "--format", "json", *PLAIN) == 0
    told = json.loads(capfd.readouterr().out)
    assert sorted(item["kind"] for item in told["news"]) == [
        "fewer compilers",
        "more compilers",
        "new cause",
        "new cause",
        "not shown",
    ]
    assert pages < set(contents(out))
    assert "No run of this edition shows this cause." in (out / f"cause/{BIG}.html").read_text("utf-8")
    assert status_of(first, second, "--out", str(out), *PLAIN) == 0
    assert "No run of this edition" not in (out / f"cause/{BIG}.html").read_text("utf-8")


def test_pages_that_are_no_more_are_removed_and_nothing_else(tmp_path: Path, runs: list[str]) -> None:
    assert status_of(*runs, "--out", str(tmp_path), *PLAIN) == 0
    assert (tmp_path / "abi/x86_64-sysv.html").exists()
    (tmp_path / "abi/old.html").touch()
    (tmp_path / "CNAME").write_text("example.org\n")
    assert status_of(*runs, "--out", str(tmp_path), *PLAIN) == 0
    assert not (tmp_path / "abi/old.html").exists()
    assert (tmp_path / "CNAME").read_text() == "example.org\n"


def test_what_is_new_since_a_run_or_another_edition(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], runs: list[str], site: Path
) -> None:
    for number, since, wanted in ((1, runs[0], 4), (2, str(site), 0)):
        capfd.readouterr()
        out = str(tmp_path / str(number))
        assert status_of(runs[1], "--out", out, "--since", since, "--format", "json", *PLAIN) == 0
        told = [item for item in json.loads(capfd.readouterr().out)["news"] if item["kind"] != "not shown"]
        assert len(told) == wanted


def test_maps_bundles_and_edges_stand_on_the_pages() -> None:
    more = Extras(
        lambda _: (MAP,),
        lambda _one, _maps, _shown: Bundle(
            {"probe.c": "int x;\n"}, "https://example.org/#x", {"gcc-dg": {"x.c": "int x;\n"}}
        ),
    )
    content = build_content((FIRST,), shipped(), Past(), "title", more)
    made = dict(files(content))
    parser = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False)
    page = parser.parse(made[FLAT_PAGE], transport_encoding="utf-8")
    assert [one.text for one in page.iter("mark")] == ["2c"]
    assert "10 11 .." in text_of(page)
    assert "2c 11 ff (differs)" in text_of(page)
    addresses = [one.attrib["href"] for one in page.iter("a")]
    assert {f"../bundle/{FLAT}.tar.gz", f"../test/{FLAT}-gcc-dg.tar.gz"} < set(addresses)
    assert "https://example.org/#x" in addresses
    assert {f"bundle/{FLAT}.tar.gz", f"test/{FLAT}-gcc-dg.tar.gz"} < set(made)
    assert "Test for gcc.dg" in text_of(page)


def test_without_edges_a_clause_has_no_section_of_them(pages: dict[str, ET.Element]) -> None:
    name = "clause/riscv/fp.flatten-zero-width.html"
    assert "Both sides of its edge" not in text_of(pages[name])
    question = FIRST.clusters[0].first.example
    other = "riscv:fp.nan-box"
    more = Extras(edges=lambda _: (Edge(other, (question,), ()),))
    made = dict(files(build_content((FIRST,), shipped(), Past(), "title", more)))
    assert b"Nothing that is compared depends on this clause alone" in made[name]
    assert b"Decided by this clause" in made["clause/riscv/fp.nan-box.html"]


def test_without_causes_there_is_a_page_all_the_same() -> None:
    empty = Triaged("empty", FIRST.run, ())
    made = dict(files(build_content((empty,), Known(), Past(), "title", Extras())))
    assert b"No compiler deviates" in made["index.html"]


def contrast(one: str, other: str) -> float:
    """The contrast of two colours as WCAG 2 defines it."""

    def luminance(colour: str) -> float:
        digits = colour if len(colour) == 6 else "".join(2 * digit for digit in colour)
        parts = [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return sum(part * weight for part, weight in zip(linear, (0.2126, 0.7152, 0.0722), strict=True))

    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_every_text_can_be_told_from_its_ground(site: Path, scheme: int) -> None:
    style = (site / "style.css").read_text("utf-8")
    block = re.findall(r":root \{(.*?)\}", style, re.DOTALL)[scheme]
    colours = dict(re.findall(r"--([\w-]+): #([0-9a-f]+);", block))
    grounds = {
        "paper": ("ink", "muted", "link", "bad", "good", "other", "open"),
        "panel": ("ink", "muted", "link", "bad", "good", "other", "open"),
        "bad-bg": ("bad",),
        "open-bg": ("open",),
        **{f"heat{number}": ("ink",) for number in (1, 2, 3, 4)},
    }
    for ground, texts in grounds.items():
        for text in texts:
            assert contrast(colours[ground], colours[text]) >= 4.5, (ground, text)


def is_refused(capfd: pytest.CaptureFixture[str], words: str, *arguments: str) -> None:
    capfd.readouterr()
    assert status_of(*arguments) == 2
    told = capfd.readouterr().err
    assert told.startswith("abiprobe: ")
    assert told.count("\n") == 1
    assert words in told


def test_mistakes_are_told_in_a_line(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], runs: list[str]
) -> None:
    out = str(tmp_path / "out")
    is_refused(capfd, "no run at", str(tmp_path / "nowhere"), "--out", out)
    (untriaged,) = stored(tmp_path, Triaged("plain", FIRST.run, ()))
    (Path(untriaged) / "triage.json").unlink()
    is_refused(capfd, "was not triaged: first: abiprobe triage", untriaged, "--out", out)
    journal = Path(untriaged) / "journal.jsonl"
    journal.write_text(
        '{"type":"header","schema":99,"version":"9","started":"","plan":{"seed":1,"cases":1,'
        '"targets":[],"subjects":[],"levels":[]},"subjects":[]}\n'
    )
    is_refused(capfd, "has schema 99, this abiprobe reads 1", untriaged, "--out", out)
    is_refused(capfd, "the title is empty", runs[0], "--out", out, "--title", " ")
    is_refused(capfd, "cannot publish at 'here'", runs[0], "--out", out, "--url", "here")
    is_refused(capfd, "has neither a run nor pages", runs[0], "--out", out, "--since", str(tmp_path))
    assert not Path(out).exists()


def test_folders_that_are_not_ours_are_left_alone(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], runs: list[str]
) -> None:
    file, full = tmp_path / "file", tmp_path / "full"
    file.touch()
    full.mkdir()
    (full / "precious").touch()
    is_refused(capfd, f"{file} is a file", runs[0], "--out", str(file))
    is_refused(capfd, f"cannot write to {file / 'in'}", runs[0], "--out", str(file / "in"), *PLAIN)
    is_refused(capfd, f"{full} is not empty, and has no pages of abiprobe", runs[0], "--out", str(full))
    assert [path.name for path in full.iterdir()] == ["precious"]
    (full / "site.json").write_text('{"kind": "abiprobe site", "schema": 9, "updated": "", "past": {}}')
    is_refused(capfd, "of schema 9", runs[0], "--out", str(full))
