"""Children that behave, fail, hang, flood and leave processes behind."""

from __future__ import annotations

import os
import signal
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from abiprobe.harness.base import child
from abiprobe.harness.base.problem import Problem

SH = "/bin/sh"


def sh(script: str, **options) -> child.Exit:
    return child.run((SH, "-c", script), **{"timeout": 20.0, **options})


def test_output_and_status():
    done = sh("echo out; echo err >&2; exit 3")
    assert (done.stdout, done.stderr, done.returncode, done.signal) == (b"out\n", b"err\n", 3, None)
    assert not done.ok
    assert not done.stopped


def test_success_is_ok():
    assert sh("true").ok


def test_input_larger_than_a_pipe_comes_back():
    data = bytes(range(256)) * 8192
    assert child.run(("cat",), stdin=data, timeout=20).stdout == data


def test_input_that_nobody_reads():
    assert child.run(("true",), stdin=b"x" * 1_000_000, timeout=20).ok


def test_a_child_without_input_does_not_wait_for_it():
    assert child.run(("cat",), timeout=20).ok


def test_signal_is_named():
    done = sh("kill -SEGV $$")
    assert (done.signal, done.ok) == ("SIGSEGV", False)


def test_timeout_kills_the_whole_group(tmp_path):
    mark = tmp_path / "mark"
    begun = time.monotonic()
    done = sh(f"(sleep 2; touch {mark}) & echo begun; wait", timeout=0.5)
    assert (done.timed_out, done.ok, done.stdout) == (True, False, b"begun\n")
    time.sleep(max(0.0, begun + 3 - time.monotonic()))
    assert not mark.exists()


def test_a_grandchild_that_holds_the_pipes_is_not_waited_for():
    done = sh("sleep 600 & echo done", timeout=60)
    assert done.ok
    assert done.stdout == b"done\n"


def test_a_child_that_closes_its_output_is_waited_for():
    assert sh("exec >&- 2>&-; sleep 0.2; exit 5").returncode == 5


@pytest.mark.parametrize("redirect", ["", ">&2"])
def test_flood_is_cut(redirect):
    done = sh(f"while :; do echo yes; done {redirect}", output_limit=100_000)
    assert (done.truncated, done.timed_out, done.ok) == (True, False, False)
    assert max(len(done.stdout), len(done.stderr)) == 100_000


def test_missing_program():
    with pytest.raises(FileNotFoundError):
        child.run(("/nonexistent/tool",), timeout=1)


def test_memory_is_limited():
    allocate = "import time; time.sleep(0.2); bytearray(1 << 30)"
    done = child.run((sys.executable, "-c", allocate), timeout=20, memory=1 << 29)
    assert not done.ok
    assert b"MemoryError" in done.stderr


def test_environment_and_folder(tmp_path):
    assert sh("echo $LC_ALL").stdout == b"C\n"
    assert sh('echo "$LC_ALL$A"', env={"A": "b"}).stdout == b"b\n"
    assert sh("pwd -P", cwd=tmp_path).stdout.decode().strip() == str(tmp_path.resolve())


def test_processor_time_is_counted():
    assert sh("i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done").cpu_seconds > 0


def forked(work, **options) -> child.Exit:
    return child.fork(work, **{"timeout": 20.0, **options})


def test_a_fork_is_as_a_program():
    def work() -> None:
        os.write(1, os.read(0, 100)[::-1])
        os.write(2, b"err")
        os._exit(3)

    done = forked(work, stdin=b"abc")
    assert (done.stdout, done.stderr, done.returncode, done.ok) == (b"cba", b"err", 3, False)
    assert forked(lambda: None).ok
    died = forked(lambda: os.kill(os.getpid(), signal.SIGSEGV))
    assert (died.signal, died.stderr) == ("SIGSEGV", b"")


def test_a_fork_that_fails_does_not_go_on_as_a_copy_of_ours():
    done = forked(lambda: {}["lacking"])
    assert (done.returncode, done.stderr) == (child.UNCAUGHT, b"KeyError: 'lacking'\n")


def test_a_fork_is_limited_in_time_memory_and_output():
    assert forked(lambda: time.sleep(600), timeout=0.2).timed_out
    assert (
        forked(lambda: [bytearray(1 << 30) for _ in iter(int, 1)], memory=1 << 28).returncode
        == child.UNCAUGHT
    )
    assert forked(lambda: [os.write(1, bytes(1 << 20)) for _ in iter(int, 1)]).truncated


def test_a_fork_holds_nothing_open():
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    done = forked(lambda: os.fstat(writing))
    assert done.stderr.startswith(b"OSError: [Errno 9]")
    os.close(reading)
    os.close(writing)


def test_no_fork_beside_threads_or_where_children_are_confined(monkeypatch):
    with ThreadPoolExecutor(1) as pool:
        assert not pool.submit(child.can_fork).result()
    monkeypatch.setattr(child, "_CONFINED", [object()])
    assert not child.can_fork()


def test_threads():
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda n: sh(f"echo {n}; exit {n}"), range(64)))
    assert [(each.stdout, each.returncode) for each in answers] == [(b"%d\n" % n, n) for n in range(64)]


def test_what_a_child_leaves_behind_is_left_in_its_scratch_folder(tmp_path):
    assert sh("mktemp", scratch=tmp_path).stdout.decode().startswith(str(tmp_path))


@pytest.mark.parametrize(
    "words", [("-o", "/dev/null"), ("-o/dev/zero",), ("-c", "unit.c", "--output", "/dev/full")]
)
def test_no_tool_is_told_to_write_to_a_device(words, tmp_path):
    mark = tmp_path / "mark"
    with pytest.raises(Problem, match="might remove it"):
        child.run(("touch", str(mark), *words), timeout=20)
    assert not mark.exists()


def test_a_file_below_dev_is_no_device():
    assert child.run(("true", "-o", "/dev/shm/abiprobe-none", "-o", "null"), timeout=20).ok
