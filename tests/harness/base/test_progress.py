"""What is told of progress, and what is drawn of it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator

import pytest

from abiprobe.harness.base.progress import counted, hide, shown_by, steps
from abiprobe.harness.cli.commands.progress import Lines, Work, clock


class Teller:
    """A display that keeps what it is told."""

    def __init__(self) -> None:
        self.told: list[tuple[object, ...]] = []

    def begin(
        self, what: str, total: float | None, seconds: float | None, done: Callable[[], float] | None
    ) -> int:
        self.told.append(("begin", what, total, seconds))
        return len(self.told)

    def step(self, number: int, words: str, amount: float) -> None:
        self.told.append(("step", number, words, amount))

    def end(self, number: int) -> None:
        self.told.append(("end", number))

    def hide(self) -> None:
        self.told.append(("hide",))


def test_without_a_display_nothing_is_told() -> None:
    assert list(counted([1, 2], "numbers", 2)) == [1, 2]
    with steps("work") as step:
        step("words", amount=3)
    hide()


def test_items_are_told_when_they_are_done() -> None:
    teller = Teller()
    with shown_by(teller):
        for item in counted("ab", "letters", 2):
            teller.told.append(("item", item))
        hide()
    assert teller.told == [
        ("begin", "letters", 2, None),
        ("item", "a"),
        ("step", 1, "", 1),
        ("item", "b"),
        ("step", 1, "", 1),
        ("end", 1),
        ("hide",),
    ]


def test_work_that_fails_is_over() -> None:
    teller = Teller()
    with shown_by(teller), pytest.raises(ValueError, match="no"), steps("work", seconds=5.0):
        raise ValueError("no")
    assert teller.told == [("begin", "work", None, 5.0), ("end", 1)]


def test_workers_tell_nothing() -> None:
    teller = Teller()
    with shown_by(teller):
        child = os.fork()
        if child == 0:
            list(counted("ab", "letters"))
            os._exit(len(teller.told))
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


@pytest.mark.parametrize(
    ("work", "now", "estimate", "share"),
    [
        (Work("w", 0.0, total=4.0, done=1.0), 10.0, "about 30 s left", 0.25),
        (Work("w", 0.0, total=4.0), 10.0, "", 0.0),
        (Work("w", 0.0, total=4.0, done=5.0), 10.0, "about 0 s left", 1.0),
        (Work("w", 0.0, seconds=60.0), 15.0, "at most 45 s left", 0.25),
        (Work("w", 0.0, seconds=60.0), 75.0, "at most 0 s left", 1.0),
        (Work("w", 0.0), 10.0, "", None),
    ],
)
def test_an_estimate(work: Work, now: float, estimate: str, share: float | None) -> None:
    assert (work.estimate(now), work.share(now)) == (estimate, share)


@pytest.mark.parametrize(
    ("seconds", "said"), [(0.4, "0 s"), (59.0, "59 s"), (125.0, "2:05"), (3725.0, "1:02:05")]
)
def test_seconds_in_words(seconds: float, said: str) -> None:
    assert clock(seconds) == said


@pytest.fixture(name="lines")
def lines_without_a_timer() -> Iterator[Lines]:
    before = signal.getsignal(signal.SIGALRM)
    yield Lines(lambda: 20.0)
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


def test_a_line_for_each_work(lines: Lines) -> None:
    outer = lines.begin("outer", 2.0, None, None)
    inner = lines.begin("inner", 100.0, None, lambda: 30.0)
    lines.step(outer, "a name", 1.0)
    cells = [list(column.cells) for column in lines.table().columns]
    assert cells[0] == ["a name", "inner"]
    assert cells[2] == ["1 of 2", ""]
    assert signal.getitimer(signal.ITIMER_REAL)[1] > 0
    lines.end(inner)
    lines.end(outer)
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


DRAWS = """
import time
from abiprobe.harness.base.progress import counted
from abiprobe.harness.cli.commands import progress
from abiprobe.harness.cli.commands.console import print_lines
progress.PATIENCE = progress.INTERVAL = 0.05
with progress.progress_lines():
    for number in counted(range(4), "numbers", 4):
        time.sleep(0.3)
        if number == 2:
            print_lines(["three"])
print_lines(["done"])
"""


def test_a_terminal_sees_progress_and_a_pipe_does_not() -> None:
    leader, follower = os.openpty()
    with subprocess.Popen(
        (sys.executable, "-c", DRAWS), stdout=subprocess.PIPE, stderr=follower, text=True
    ) as process:
        os.close(follower)
        drawn = b""
        while part := read(leader):
            drawn += part
        said, _ = process.communicate()
    os.close(leader)
    assert said == "three\ndone\n", drawn.decode()
    assert b"1 of 4" in drawn
    assert b"about" in drawn
    piped = subprocess.run((sys.executable, "-c", DRAWS), capture_output=True, text=True, check=True)
    assert (piped.stdout, piped.stderr) == ("three\ndone\n", "")


def read(file: int) -> bytes:
    """What is there to read; nothing once nobody writes any more."""
    try:
        return os.read(file, 4096)
    except OSError:
        return b""
