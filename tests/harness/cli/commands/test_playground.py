"""The playground in a real browser: it answers as the models do, and says what is missing where it cannot."""

from __future__ import annotations

import io
import json
import re
import shutil
import stat
import threading
import zipfile
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import html5lib
import pytest

from abiprobe.harness.api.playground import answered
from abiprobe.harness.base.problem import Problem
from abiprobe.harness.cli.commands.playground import EXAMPLE
from abiprobe.harness.cli.main import main
from abiprobe.harness.nights import pyodide
from abiprobe.harness.nights.site import asked

SECONDS = 120_000
"""Milliseconds that the page may take to its first answer, on a machine that does much else."""
PACKED = "struct __attribute__((packed)) S { char c; int x; };"
UNREAD = 'struct S { int x; } __attribute__((scalar_storage_order("big-endian")));'


def status_of(*arguments: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(["playground", *arguments])
    assert isinstance(ended.value.code, int)
    return ended.value.code


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that the command writes."""
    try:
        pyodide.runtime()
        pyodide.wheels()
    except Problem as problem:
        pytest.skip(str(problem))
    out = tmp_path_factory.mktemp("playground") / "page"
    assert status_of("--out", str(out)) == 0
    return out


def test_the_files_are_whole_and_the_same_each_time(page: Path, tmp_path: Path) -> None:
    files = json.loads((page / "playground/files.json").read_text())
    assert {one.file for one in pyodide.pinned().wheels} | {"abiprobe.zip"} == set(files["archives"])
    html5lib.HTMLParser(strict=True).parse((page / "playground.html").read_bytes())
    modules = (page / "playground/abiprobe.zip").read_bytes()
    names = zipfile.ZipFile(io.BytesIO(modules)).namelist()
    assert {"abiprobe/oracles/registry.py", "abiprobe/results/report/explain.py"} < set(names)
    assert not any(name.startswith("abiprobe/harness/subjects") for name in names)
    assert status_of("--out", str(page)) == 0
    assert (page / "playground/abiprobe.zip").read_bytes() == modules


def test_a_folder_of_others_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    assert status_of("--out", str(tmp_path)) == 2
    assert "is not empty, and has no playground" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("echo npm ERR! network request failed >&2; exit 1", "npm ERR! network request failed"),
        ('for last; do :; done; echo other > "$4/pyodide-VERSION.tgz"', "another file came"),
    ],
)
def test_what_cannot_be_fetched_is_one_line(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    script: str,
    words: str,
) -> None:
    monkeypatch.setenv("ABIPROBE_CACHE", str(tmp_path / "cache"))
    program = tmp_path / "bin" / "npm"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\n{script.replace('VERSION', pyodide.pinned().version)}\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", str(program.parent), prepend=":")
    assert status_of("--out", str(tmp_path / "page")) == 2
    said = capsys.readouterr().err.strip().splitlines()
    assert words in said[0]
    assert not (tmp_path / "page").exists()
    assert not list((tmp_path / "cache").rglob("*.tgz"))


def test_without_npm_its_name_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ABIPROBE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Problem, match="there is no npm"):
        pyodide.runtime()


class Server(SimpleHTTPRequestHandler):
    """A server of files that says nothing, and has none whose name is `missing`."""

    missing = ""

    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        if Server.missing and self.path.endswith(Server.missing):
            self.send_error(404)
        else:
            super().do_GET()


@pytest.fixture(scope="module")
def address(page: Path) -> Iterator[str]:
    """The address of the page."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Server, directory=str(page)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/playground.html"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def browser():
    """Debian's Chromium, driven by playwright."""
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    program = shutil.which("chromium")
    if program is None:
        pytest.skip("chromium is not installed")
    with api.sync_playwright() as driver:
        found = driver.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield found
        found.close()


def state(tab, words: str) -> None:
    """Wait until the page says some words."""
    tab.locator("#state", has_text=re.compile(words)).wait_for(timeout=SECONDS)


def test_it_answers_as_the_models_do_and_asks_nobody_else(browser, address: str) -> None:
    tab = browser.new_page(viewport={"width": 390, "height": 800})
    requests: list[str] = []
    wrong: list[str] = []
    tab.on("request", lambda one: requests.append(one.url))
    tab.on("console", lambda one: wrong.append(one.text))
    tab.on("pageerror", lambda one: wrong.append(str(one)))
    tab.goto(address)
    state(tab, "^Answered")
    assert tab.text_content("#places") == answered(EXAMPLE, "x86_64-sysv").places
    # What is typed is answered as it is typed, for the target that is chosen.
    tab.select_option("#target", "riscv64-lp64d")
    tab.fill("#source", PACKED)
    tab.locator("#places", has_text="size: 5, align: 1").wait_for(timeout=SECONDS)
    assert tab.text_content("#places") == answered(PACKED, "riscv64-lp64d").places
    assert "gnu:" in tab.text_content("#derivation")
    # A page for a phone is not wider than the phone.
    assert tab.locator("html").bounding_box()["width"] <= 390
    # What is not read has no answer, and its place.
    tab.fill("#source", UNREAD)
    tab.locator("#problem", has_text="line 1: attribute scalar_storage_order is not read here").wait_for(
        timeout=SECONDS
    )
    assert not tab.locator("#places").is_visible()
    # The address is that of the question, for somebody else.
    tab.goto("about:blank")
    tab.goto(f"{address}#{asked('aarch64-aapcs64', PACKED)}")
    state(tab, "^Answered")
    assert tab.text_content("#places") == answered(PACKED, "aarch64-aapcs64").places
    assert parse_qs(urlsplit(tab.url).fragment) == {"target": ["aarch64-aapcs64"], "c": [PACKED]}
    assert {one.split("/")[2] for one in requests if one.startswith("http")} == {address.split("/")[2]}
    assert wrong == []


@pytest.mark.parametrize("name", ["worker.js", "pyodide.asm.wasm", "python_stdlib.zip", "files.json"])
def test_without_one_of_its_files_it_says_so(
    browser, address: str, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(Server, "missing", name)
    tab = browser.new_page()
    tab.goto(address)
    state(tab, f"^The program of this page could not be loaded: .*{name}")
    assert tab.locator("#go").is_disabled()


def test_opened_as_a_file_it_says_so(browser, page: Path) -> None:
    tab = browser.new_page()
    tab.goto((page / "playground.html").as_uri())
    state(tab, "^A browser loads no program for a page that was opened as a file")


def test_without_the_network_it_says_so(browser, address: str) -> None:
    tab = browser.new_page()

    def cut(route) -> None:
        tab.context.set_offline(True)
        route.abort()

    tab.route("**/worker.js", cut)
    tab.goto(address)
    state(tab, "^There is no network")
