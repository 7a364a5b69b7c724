"""What every test relies on: an importable abiprobe, a cache folder of the session's own, skips that are counted.

`ABIPROBE_EXPECTED_SKIPS` names the reasons for which tests may be skipped, separated by `;`, or is `none`. When it is
set, a run with any other skip, or without one of these, fails; CI sets it.
"""

from __future__ import annotations

import atexit
import functools
import gc
import importlib.util
import os
import re
import resource
import shutil
import stat
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).parent.parent
SCRATCH = "ABIPROBE_TESTS_SCRATCH"
EXPECTED = "ABIPROBE_EXPECTED_SKIPS"
NONE = "none"
USERS_CACHE = "ABIPROBE_TESTS_USERS_CACHE"
"""Where the user's own cache is, for tests that need the compilers in it."""


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
        folder = scratch() / "path"
        # Workers of pytest-xdist get the sys.path with which the first process started, and its environment.
        if not folder.exists():
            package = folder / "abiprobe"
            package.mkdir(parents=True)
            for room in ("generators", "harness", "oracles", "results"):
                (package / room).symlink_to(ROOT / room, target_is_directory=True)
            (package / "__init__.py").symlink_to(ROOT / "harness" / "package" / "__init__.py")
            os.environ["PYTHONPATH"] = os.pathsep.join(
                filter(None, (str(folder), os.environ.get("PYTHONPATH")))
            )
        sys.path.insert(0, str(folder))


def make_laboratory_importable() -> None:
    """Let the laboratory of wrong models, which is not installed, be imported here and in child processes."""
    folder = str(ROOT / "tests")
    if folder not in sys.path:
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (os.environ.get("PYTHONPATH"), folder)))
        sys.path.append(folder)


make_importable()
make_laboratory_importable()
os.environ.setdefault(USERS_CACHE, os.environ.get("ABIPROBE_CACHE", str(Path.home() / ".cache" / "abiprobe")))
os.environ["ABIPROBE_CACHE"] = str(scratch() / "cache")
# How long an example takes says something about the machine only. Failing examples are kept in the working folder.
UNWRITABLE = {} if os.access(Path.cwd(), os.W_OK) else {"database": None}
settings.register_profile("abiprobe", parent=settings(), deadline=None, **UNWRITABLE)
settings.load_profile("abiprobe")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One worker more than there are cores, since tests wait: for programs that hang, and for processes that they start."""
    return len(os.sched_getaffinity(0)) + 1


QUICK = ("oracles", "results")
"""The folders whose files take seconds. Workers that share the files are busy to the end if these come last."""


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Keep the collector of cycles from looking through the rows that are collected, which all stay: half the time of `pytest -k NAME`."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the files that start programs."""
    folders = tuple(f"tests/{name}/" for name in QUICK)
    items.sort(key=lambda item: item.nodeid.startswith(folders))


@pytest.fixture(autouse=True, scope="module")
def devices() -> Iterator[None]:
    """Nothing that runs may replace a device, which a compiler that root starts can."""
    yield
    for path in map(Path, ("/dev/null", "/dev/zero")):
        assert stat.S_ISCHR(path.stat().st_mode), f"{path} is a device no more"


STACK = 1 << 16
"""Words that a call of a test takes at once. CPython 3.11 maps and unmaps 16 KB at each call beyond a page of its stack of
frames, a third of the time of a loop that is as deep; what is called from within a large frame lies behind it."""


def call_with_room(test: Callable[..., object], **arguments: object) -> object:
    """Call a test; the frame is large."""
    return test(**arguments)


call_with_room.__code__ = call_with_room.__code__.replace(co_stacksize=STACK)


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Iterator[None]:
    """Give each test room for its frames."""
    test = pyfuncitem.obj
    pyfuncitem.obj = functools.partial(call_with_room, test)
    try:
        return (yield)
    finally:
        pyfuncitem.obj = test


ROOM = 150 << 20
"""Bytes by which a worker grows before it forgets what it remembers: a fork, by which every text is read, takes 0.3 s at 1.5 GB."""
_LOADED: list[functools._lru_cache_wrapper[object]] = []
"""What remembers from its import on."""
_SMALL = [0]
"""The size of this worker when it last forgot, in bytes."""


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Let the collector of cycles pass over the tests, which live to the end: each of its looks takes half a second with them."""
    gc.collect()
    _LOADED[:] = remembering()
    gc.freeze()
    _SMALL[:] = [resident()]


@pytest.fixture(autouse=True, scope="module")
def memory() -> Iterator[None]:
    """Keep a worker small from file to file."""
    yield
    if resident() > _SMALL[0] + ROOM:
        for one in (*_LOADED, *remembering()):
            one.cache_clear()
        gc.collect()
        _SMALL[:] = [resident()]


def remembering() -> list[functools._lru_cache_wrapper[object]]:
    """The functions that remember results, as far as the collector sees them."""
    return [one for one in gc.get_objects() if isinstance(one, functools._lru_cache_wrapper)]


def resident() -> int:
    """The memory of this process, in bytes; 0 where no one tells."""
    try:
        pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    except OSError:
        return 0
    return pages * resource.getpagesize()


def skip_reasons(config: pytest.Config) -> Counter[str]:
    """Why tests were skipped, and how many for each reason."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    reports = reporter.stats.get("skipped", []) if reporter is not None else []
    return Counter(report.longrepr[2].removeprefix("Skipped: ") for report in reports)


def missing_tool(reason: str) -> str:
    """What has to be installed so that a test is no longer skipped, or the whole reason if it is another one."""
    for pattern in (r"(.+?) (?:is|are) not installed\b", r"n(one of .+?|either .+?) is installed\b"):
        found = re.match(pattern, reason)
        if found:
            return found[1].replace("one of ", "").replace("either ", "").replace(" nor ", " or ")
    return reason


def skip_table(found: Counter[str]) -> list[str]:
    """The number of skipped tests, and a row for each missing tool, the most missed first."""
    tools: Counter[str] = Counter()
    for reason, count in found.items():
        tools[missing_tool(reason)] += count
    rows = [f"{count:6}  {tool}" for tool, count in sorted(tools.items(), key=lambda row: (-row[1], row[0]))]
    return [f"skipped tests: {found.total()}" + (", by what is missing:" if rows else ""), *rows]


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
    """Count the skips by missing tool, and name those that were not expected."""
    found = skip_reasons(config)
    for line in skip_table(found):
        terminalreporter.write_line(line)
    surplus, absent = unexpected_skips(found)
    for reason in sorted(surplus):
        terminalreporter.write_line(f"unexpected skip: {reason}", red=True)
    for reason in sorted(absent):
        terminalreporter.write_line(f"expected skip that did not occur: {reason}", red=True)
