"""The reports of a triaged run, as browsers, CI systems and other programs take them."""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
import xml.etree.ElementTree as ET
from html.parser import HTMLParser
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from junitparser import JUnitXml

from abiprobe.harness.runs.run_files import TRIAGE

from .calling import TARGET, abiprobe, needed

FINGERPRINT = {"type": "string", "pattern": "^c[0-9a-f]{7}$"}
# What GitHub's documentation asks of a SARIF file, beyond which it takes anything.
SARIF = {
    "type": "object",
    "required": ["$schema", "version", "runs"],
    "properties": {
        "version": {"const": "2.1.0"},
        "runs": {
            "maxItems": 20,
            "items": {
                "required": ["tool", "results"],
                "properties": {
                    "tool": {
                        "properties": {
                            "driver": {
                                "required": ["name", "rules"],
                                "properties": {
                                    "rules": {
                                        "maxItems": 25000,
                                        "items": {
                                            "required": ["id", "shortDescription"],
                                            "properties": {"id": {"maxLength": 255}},
                                        },
                                    }
                                },
                            }
                        }
                    },
                    "results": {
                        "maxItems": 25000,
                        "items": {
                            "required": ["ruleId", "message", "locations", "partialFingerprints"],
                            "properties": {
                                "message": {
                                    "required": ["text"],
                                    "properties": {"text": {"maxLength": 1000}},
                                },
                                "locations": {
                                    "minItems": 1,
                                    "maxItems": 1000,
                                    "items": {"required": ["physicalLocation"]},
                                },
                                "partialFingerprints": {
                                    "required": ["abiprobeCluster/v2"],
                                    "properties": {"abiprobeCluster/v2": FINGERPRINT},
                                },
                                "suppressions": {
                                    "items": {"properties": {"kind": {"enum": ["external", "inSource"]}}}
                                },
                            },
                        },
                    },
                },
            },
        },
    },
}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run with a known bug of clang 16, triaged."""
    folder = tmp_path_factory.mktemp("store")
    for name in ("clang-16", "gcc-12"):
        needed(name, TARGET)
    plan = (
        "run",
        TARGET,
        "--cc",
        "clang-16,gcc-12",
        "--opt",
        "O0",
        "--cases",
        "60",
        "--seed",
        "6",
        "--no-tours",
    )
    assert abiprobe(*plan, "--pairs", "none", "--out", "runs/1", cwd=folder).returncode in {0, 1}
    assert abiprobe("triage", "runs/1", "--no-known", "--top", "1", cwd=folder).returncode in {0, 1}
    return folder


def told(store: Path, form: str, *options: str) -> str:
    done = abiprobe("report", "runs/1", "--format", form, "--strict", *options, cwd=store)
    assert done.returncode == 1, done.stderr
    return done.stdout


class Page(HTMLParser):
    """What a page refers to, and its causes."""

    def __init__(self) -> None:
        super().__init__()
        self.outside: list[str] = []
        self.causes: list[dict[str, str | None]] = []
        self.bad = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        if tag in {"link", "img", "iframe"} or (tag == "script" and "src" in found):
            self.outside.append(tag)
        if tag == "details" and "data-status" in found:
            self.causes.append(found)
        self.bad += found.get("class") == "bad"


def test_a_page_needs_nothing_but_itself(store: Path) -> None:
    page = Page()
    text = told(store, "html")
    page.feed(text.partition('id="legend"')[0])
    assert page.outside == []
    assert not re.search(r"@import|url\(", text)
    assert {cause["data-status"] for cause in page.causes} <= {"new", "known", "flaky"}
    known = [cause for cause in page.causes if cause["data-subject"] == "clang-16"]
    assert known
    assert page.bad, "bytes that differ stand out"
    assert "x86_64:class.int128" in text
    assert (
        f"abiprobe run {TARGET} --cc clang-16,gcc-12 --opt O0 --cases 60 --seed 6 --no-tours --pairs none"
        in text
    )
    assert "abiprobe repro c" in text


def test_without_maps_no_compiler_is_needed(store: Path) -> None:
    page = Page()
    shown, _, _ = told(store, "html", "--no-maps").partition('id="legend"')
    page.feed(shown)
    assert page.causes
    assert page.bad == 0


def test_the_index_is_made_again_from_the_journals(store: Path) -> None:
    before = told(store, "html", "--no-maps")
    index = store / "runs" / "index.sqlite"
    for rubbish in (b"rubbish" * 1000, b""):
        index.write_bytes(rubbish)
        assert told(store, "html", "--no-maps") == before
    index.unlink()
    assert told(store, "html", "--no-maps") == before
    with sqlite3.connect(index) as connection:
        assert connection.execute("select count(*) from run").fetchone() == (1,)


def test_what_is_known_is_skipped_and_what_is_new_fails(store: Path) -> None:
    xml = JUnitXml.fromstring(told(store, "junit").encode())
    unknown = JUnitXml.fromstring(told(store, "junit", "--no-known").encode())
    assert {suite.name for suite in xml} == {f"{TARGET} clang-16", f"{TARGET} gcc-12"}
    names = [(case.classname, case.name) for suite in xml for case in suite]
    assert len(names) == len(set(names))
    known, none = (
        [case for suite in one for case in suite if case.is_skipped and "known (" in case.result[0].message]
        for one in (xml, unknown)
    )
    assert known
    assert none == []
    assert xml.failures + len(known) == unknown.failures
    (case,) = [one for suite in unknown for one in suite if one.name == "x86_64:class.int128" and one.result]
    assert "__int128" in case.result[0].text


def test_junit_has_what_jenkins_reads_and_nothing_else(store: Path) -> None:
    """What its schema (`junit-10.xsd` of the xUnit plugin) requires and allows of the elements that we write."""
    required = {
        "testsuites": {"name"},
        "testsuite": {"name", "tests", "failures", "errors"},
        "testcase": {"name"},
    }
    allowed = {
        "testsuites": {"name", "time", "tests", "failures", "errors"},
        "testsuite": {"name", "tests", "failures", "errors", "time", "skipped", "timestamp"},
        "testcase": {"name", "time", "classname"},
    }
    results = {"failure", "error", "skipped"}
    for options in ((), ("--no-known",)):
        for one in ET.fromstring(told(store, "junit", *options)).iter():
            assert (
                required.get(one.tag, set()) <= set(one.attrib) <= allowed.get(one.tag, {"message", "type"})
            )
            assert one.tag in allowed or one.tag in results


def test_sarif_is_as_github_wants_it(store: Path) -> None:
    for options in ((), ("--no-known",)):
        found = json.loads(told(store, "sarif", *options))
        Draft202012Validator(SARIF).validate(found)
        (run,) = found["runs"]
        rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
        assert all(rules[result["ruleIndex"]] == result["ruleId"] for result in run["results"])
        assert any("suppressions" in result for result in run["results"]) is (options == ())
        prints = [result["partialFingerprints"]["abiprobeCluster/v2"] for result in run["results"]]
        assert len(prints) == len(set(prints))


def test_a_card_links_to_what_is_known(store: Path) -> None:
    card = told(store, "card")
    assert f"## clang-16 and {TARGET}" in card
    assert re.search(r"\| `x86_64:class.int128` \| \d+ \| \d+ \| \[c[0-9a-f]{7} .*\]\(https://", card)


def test_a_summary_has_a_row_for_each_subject(store: Path) -> None:
    text = told(store, "markdown")
    assert text.count(f"| {TARGET} | clang-16 |") == 1
    assert text.count(f"| {TARGET} | gcc-12 |") == 1
    assert re.search(
        r"^\* \[clang .*\]\(https://.*\) \(\w+\): \d+ probes?, clang-16, GNU C, met by .* packages",
        text,
        re.MULTILINE,
    ), text
    assert "```c" in told(store, "markdown", "--no-known")


def test_the_report_as_json_follows_its_schema(store: Path) -> None:
    schema = json.loads((Path(__file__).parents[4] / "docs" / "report.schema.json").read_text("utf-8"))
    Draft202012Validator.check_schema(schema)
    Draft202012Validator(schema).validate(json.loads(told(store, "json")))


def news(store: Path, run: str, *options: str) -> dict[str, tuple[int, int]]:
    """The number of new and of known causes of a run, as each form tells it."""

    def report(form: str) -> str:
        return abiprobe("report", run, "--format", form, "--no-maps", *options, cwd=store).stdout

    def counted(text: str) -> tuple[int, int]:
        found = re.search(r"(\d+|no) new causes?, (?:\d+ flaky, )?(\d+) known", text)
        assert found is not None, text[-500:]
        return (0 if found[1] == "no" else int(found[1]), int(found[2]))

    told = json.loads(report("json"))["causes"]
    (sarif,) = json.loads(report("sarif"))["runs"]
    known = [item for item in sarif["results"] if "suppressions" in item]
    return {
        "text": counted(abiprobe("report", run, *options, cwd=store).stdout),
        "json": (len(told["new"]), len(told["known"])),
        "markdown": counted(report("markdown")),
        "html": counted(report("html")),
        "sarif": (len(sarif["results"]) - len(known), len(known)),
    }


@pytest.mark.parametrize("options", [(), ("--no-known",)], ids=["known", "new"])
@pytest.mark.parametrize("triaged", [True, False], ids=["triaged", "untriaged"])
def test_every_form_has_the_same_news(store: Path, options: tuple[str, ...], *, triaged: bool) -> None:
    copy = store / f"runs/{triaged}-{len(options)}"
    shutil.copytree(store / "runs/1", copy)
    if not triaged:
        (copy / TRIAGE).unlink()
    found = news(store, str(copy), *options)
    assert len(set(found.values())) == 1, found
    assert any(found["text"])
