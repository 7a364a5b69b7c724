"""Progress in a pipe: at intervals, while one long step is under way too, and no longer than the work."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest
from laboratory.heartbeat import Heartbeat


def test_a_line_says_what_is_done() -> None:
    times = iter((0.0, 4.0, 30.0))
    pulse = Heartbeat("flags", lambda: next(times))
    assert str(pulse) == "flags: 4 s"
    assert list(pulse.watch("abcde", 5)) == list("abcde")
    assert str(pulse) == "flags: 5 of 5 done, 30 s"


def test_it_beats_while_a_child_is_waited_for(capsys: pytest.CaptureFixture[str]) -> None:
    before = signal.getsignal(signal.SIGALRM)
    with Heartbeat("flags").beating(0.05) as pulse:
        for _ in pulse.watch("ab", 2):
            done = subprocess.run([sys.executable, "-c", "import time; time.sleep(0.3)"], check=False)
            assert done.returncode == 0, "the timer is not the child's"
    assert "flags: 0 of 2 done, 0 s" in capsys.readouterr().err
    assert signal.getsignal(signal.SIGALRM) is before
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
