"""Promises as JUnit XML: a suite for each promise, a test case for the layouts and one for the calls of each target."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from junitparser import Error, Failure, JUnitXml, TestCase, TestSuite

from abiprobe.oracles.language.lang import Prototype
from abiprobe.results.causes.promises import BrokenPromise
from abiprobe.results.coverage.promises import PromisedPart, Tested
from abiprobe.results.coverage.uncompared import CALLS
from abiprobe.results.journal.printable import printable
from abiprobe.results.report.junit import NOTHING, count, plain
from abiprobe.results.report.promise_text import Show, base, cause_lines, numbers


def promises_junit(promises: Iterable[tuple[Tested, Sequence[BrokenPromise]]], show: Show) -> str:
    """The whole report on promises, each with the causes for which it is broken."""
    xml = JUnitXml("abiprobe promise")
    for tested, causes in promises:
        suite = TestSuite(str(tested.promise))
        for part in tested.parts:
            suite.add_testcase(case(part, tested, causes, show))
        if not tested.parts:
            empty = TestCase(NOTHING, classname=str(tested.promise))
            empty.result = [Error(NOTHING, NOTHING)]
            suite.add_testcase(empty)
        xml.add_testsuite(suite)
    count(xml)
    text = xml.tostring()  # type: ignore[no-untyped-call]
    return printable(text.decode() if isinstance(text, bytes) else str(text))


def case(part: PromisedPart, tested: Tested, causes: Sequence[BrokenPromise], show: Show) -> TestCase:
    """The test case of one part: it fails where the promise is broken, and is an error where nothing was compared."""
    made = TestCase(part.part, classname=f"{base(part.target)}.{tested.promise}")
    if part.broken:
        failure = Failure(plain(numbers(part)), "broken")
        mine = (one for one in causes if is_about(one, part))
        failure.text = plain(
            "\n\n".join("\n".join(cause_lines(at, one, show)) for at, one in enumerate(mine, 1))
        )
        made.result = [failure]
    elif not part.compared:
        made.result = [Error(plain("; ".join(part.reasons)), NOTHING)]
    return made


def is_about(one: BrokenPromise, part: PromisedPart) -> bool:
    """Return whether a cause is one of a part."""
    calls = isinstance(one.cause.first.example, Prototype)
    return part.target in one.cause.targets and calls is (part.part == CALLS)
