"""What every test relies on: an importable abiprobe, a cache folder of the session's own, skips that are counted.

`ABIPROBE_EXPECTED_SKIPS` names the reasons for which tests may be skipped, separated by `;`, or is `none`. When it is
set, a run with any other skip, or without one of these, fails; CI sets it.
"""

from __future__ import annotations

import atexit
import importlib.util
import os
import shutil
import sys
import tempfile
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).parent.parent
SCRATCH = "ABIPROBE_TESTS_SCRATCH"
EXPECTED = "ABIPROBE_EXPECTED_SKIPS"
NONE = "none"


def scratch() -> Path:
    """A folder that the processes of one test session share; who makes it removes it."""
    if SCRATCH not in os.environ:
        os.environ[SCRATCH] = tempfile.mkdtemp(prefix="abiprobe-tests-")
        atexit.register(shutil.rmtree, os.environ[SCRATCH], ignore_errors=True)
    return Path(os.environ[SCRATCH])


def make_importable() -> None:
    """Let the checkout serve as the package `abiprobe`, here and in child processes, if none is installed."""
    try:
        found = importlib.util.find_spec("abiprobe.oracles")
    except ModuleNotFoundError:
        found = None
    if found is None:
        folder = str(scratch() / "path")
        Path(folder).mkdir()
        Path(folder, "abiprobe").symlink_to(ROOT, target_is_directory=True)
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (folder, os.environ.get("PYTHONPATH"))))
        sys.path.insert(0, folder)


make_importable()
os.environ["ABIPROBE_CACHE"] = str(scratch() / "cache")
# How long an example takes says something about the machine only.
settings.register_profile("abiprobe", parent=settings(), deadline=None)
settings.load_profile("abiprobe")


def skip_reasons(config: pytest.Config) -> Counter[str]:
    """Why tests were skipped, and how many for each reason."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    reports = reporter.stats.get("skipped", []) if reporter is not None else []
    return Counter(report.longrepr[2].removeprefix("Skipped: ") for report in reports)


def unexpected_skips(found: Counter[str]) -> tuple[set[str], set[str]]:
    """The reasons that nobody expects, and the expected ones that did not occur."""
    expected = os.environ.get(EXPECTED)
    if expected is None:
        return set(), set()
    allowed = set() if expected.strip() == NONE else {reason.strip() for reason in expected.split(";")}
    return set(found) - allowed, allowed - set(found)


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Fail the run for its skips; only the process that gathers all reports can tell."""
    if hasattr(session.config, "workerinput") or exitstatus != pytest.ExitCode.OK:
        return
    if any(unexpected_skips(skip_reasons(session.config))):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Name the skips in one line, and what was wrong with them in one line each."""
    found = skip_reasons(config)
    named = "; ".join(f"{count} {reason}" for reason, count in sorted(found.items()))
    terminalreporter.write_line(f"skips: {found.total()}" + (f" ({named})" if named else ""))
    surplus, absent = unexpected_skips(found)
    for reason in sorted(surplus):
        terminalreporter.write_line(f"unexpected skip: {reason}", red=True)
    for reason in sorted(absent):
        terminalreporter.write_line(f"expected skip that did not occur: {reason}", red=True)
