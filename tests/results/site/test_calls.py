"""Pages of subjects in other languages: both forms of an example, and who calls whom."""

from __future__ import annotations

import re

from msgspec.structs import replace

from abiprobe.harness.nights.site import Extras, build_content
from abiprobe.results.known.deviations import Known
from abiprobe.results.site.news import Past
from abiprobe.results.site.pages import files
from abiprobe.results.site.sightings import Triaged
from tests.results.coverage.pair_samples import BATCHES, INFOS

from .samples import ALIGN, LARGE, X86, finding, triaged


def plain(text: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", text).split())


def a_run() -> Triaged:
    """A run in which Rust's compiler shows a cause."""
    made = triaged(
        "languages",
        "2026-01-02T03:04:05+00:00",
        (finding(X86, ALIGN, LARGE, ("rustc",), ("gcc-12", "clang-22")),),
        {},
    )
    header = replace(made.run.header, subjects=INFOS, plan=replace(made.run.header.plan, targets=(X86,)))
    return replace(made, run=replace(made.run, header=header, batches=BATCHES))


def pages() -> dict[str, str]:
    content = build_content((a_run(),), Known(), Past(), "abiprobe", Extras())
    return {name: data.decode() for name, data in files(content) if name.endswith(".html")}


def test_an_example_stands_in_c_and_in_the_language_of_who_shows_it() -> None:
    (text,) = (text for name, text in pages().items() if name.startswith("cause/"))
    (example,) = re.findall(r'<h2 id="example">.*?</section>', text, re.DOTALL)
    assert re.findall(r"<h3>(.*?)</h3>", example) == ["C", "Rust"]
    assert 'aria-label="example in C"' in example
    assert 'aria-label="example in Rust"' in example
    assert "#[repr(C)]" in example


def test_the_page_of_an_abi_says_who_calls_whom() -> None:
    (section,) = re.findall(r'<h2 id="calls">.*?</section>', pages()[f"abi/{X86}.html"], re.DOTALL)
    rows = [plain(row) for row in re.findall(r"<tr>.*?</tr>", section, re.DOTALL)]
    assert rows == [
        "caller gcc-12 clang-22 rustc Rust",
        "gcc-12 not tried · 0 of 1 1 of 3",
        "clang-22 1 of 1 not tried not tried",
        "rustc Rust · 0 of 1 not tried not tried",
    ]
