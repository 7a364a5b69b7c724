"""A run as JUnit XML: a suite for each target and subject, a test case for each clause.

Random probes are no test cases: their number and names change from night to night. A deviation that is known is
skipped with what is known, so that only news fails.
"""

from __future__ import annotations

from itertools import groupby

from junitparser import Error, Failure, JUnitXml, Skipped, TestCase, TestSuite

from abiprobe.results.causes.fingerprint import OPEN
from abiprobe.results.journal.printable import printable
from abiprobe.results.report.run_report import ClauseResult, ReportedCause, RunReport, clause_text

NOTHING = "nothing compared"
LONGEST = 4000
"""Maximum characters of a message, since GitLab limits the size of the file."""


def junit(story: RunReport) -> str:
    """The whole report."""
    xml = JUnitXml("abiprobe")
    examples = {item.cluster.id: item for item in story.causes}
    for (target, subject), items in groupby(
        story.clause_results, key=lambda item: (item.target, item.subject)
    ):
        suite = TestSuite(f"{target} {subject}")
        for item in items:
            case = TestCase(item.clause, classname=f"{target}.{subject}")
            if item.deviates:
                words = plain(message(item))
                body = "\n\n".join(examples[one].example for one in item.clusters if one in examples)
                case.result = [Skipped(words) if item.known else failure(words, body)]
            suite.add_testcase(case)
        for failed in broken(story, target, subject):
            suite.add_testcase(failed)
        for differing in disagreements(story, target, subject):
            suite.add_testcase(differing)
        suite.timestamp = story.run.header.started[:19]
        xml.add_testsuite(suite)
    if story.covered.uncompared:
        xml.add_testsuite(uncompared(story))
    count(xml)
    text = xml.tostring()  # type: ignore[no-untyped-call]
    return printable(text.decode() if isinstance(text, bytes) else str(text))


def uncompared(story: RunReport) -> TestSuite:
    """A suite with a test case for everything of which nothing was compared: an error where a user named it."""
    suite = TestSuite(NOTHING)
    for item in story.covered.uncompared:
        case = TestCase(" ".join((NOTHING, *item.levels)), classname=".".join((*item.targets, item.subject)))
        words = plain(str(item))
        case.result = [Error(words, NOTHING) if item.named else Skipped(words)]
        suite.add_testcase(case)
    suite.timestamp = story.run.header.started[:19]
    return suite


def count(xml: JUnitXml) -> None:
    """Enter the sums over all suites; Jenkins knows none of skipped cases there."""
    suites = list(xml)
    xml.tests = sum(suite.tests for suite in suites)
    xml.failures = sum(suite.failures for suite in suites)
    xml.errors = sum(suite.errors for suite in suites)


def failure(words: str, body: str) -> Failure:
    """Return the failure element of a new deviation, with its smallest examples."""
    made = Failure(words, "deviates")
    made.text = plain(body)
    return made


def message(item: ClauseResult) -> str:
    """A deviation in words."""
    causes = f" ({', '.join(item.clusters)})" if item.clusters else ""
    known = f"; known: {item.known}" if item.known else ""
    return f"{item.deviates} probes deviate, {item.agrees} agree{causes}: {clause_text(item.clause)}{known}"


def broken(story: RunReport, target: str, subject: str) -> list[TestCase]:
    """A test case for each way in which a compiler itself failed."""
    found = []
    for item in story.causes:
        words = item.cluster.first.fingerprint.words
        if words and target in item.cluster.targets and subject in item.cluster.subjects:
            case = TestCase(
                f"{item.cluster.symptom.value} {item.cluster.id}", classname=f"{target}.{subject}"
            )
            case.result = [
                Skipped(known_words(item)) if item.known else Error(plain(words), item.cluster.symptom.value)
            ]
            found.append(case)
    return found


def disagreements(story: RunReport, target: str, subject: str) -> list[TestCase]:
    """Return a test case for each cause by which a compiler disagrees with others where no text decides."""
    found = []
    for item in story.causes:
        first = item.cluster.first
        if (
            item.cluster.symptom in OPEN
            and target in item.cluster.targets
            and subject in item.cluster.subjects
        ):
            clause = first.fingerprint.clause or "no model"
            case = TestCase(f"{clause} {item.cluster.id}", classname=f"{target}.{subject}")
            words = plain(first.blame.describe(item.cluster.symptom))
            made = Failure(words, item.cluster.symptom.value)
            made.text = plain(item.example)
            case.result = [Skipped(known_words(item)) if item.known else made]
            found.append(case)
    return found


def known_words(item: ReportedCause) -> str:
    """Return the reason why a cause is known, in the words of its entries."""
    return plain("; ".join(entry.summary for entry in item.entries) or item.known)


def plain(text: str) -> str:
    """Text that XML can hold and no terminal obeys, and not too much of it."""
    return printable(text)[:LONGEST]
