"""A confined program can do what a compiler has to, and nothing to the user; what is not confined shows that it could."""

from __future__ import annotations

import os
import shutil
import signal
import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from abiprobe.harness.base import child, confinement
from abiprobe.harness.base.confinement import Confinement
from abiprobe.harness.base.problem import Problem

SECONDS = 20.0
DEEDS = {
    "write outside": 'echo x > "$OUTSIDE/written"',
    "remove a file of the user": 'rm "$OUTSIDE/precious"',
    "write into a home": 'echo x > "$HOME/.profile" && test -s "$REAL_HOME/secret"',
    "read a secret in a home": 'cat "$REAL_HOME/secret"',
    "reach a server": "exec 3<>/dev/tcp/127.0.0.1/$PORT",
    "signal the caller": "kill -0 $CALLER",
    "see the caller": "grep -q python /proc/$CALLER/cmdline",
    "find a token in the environment": 'test -n "$TOKEN$LLVM_TOKEN$PYTHON_TOKEN$LC_TOKEN"',
    "mount": "mount -t tmpfs none /usr",
    "read what root reads": "grep -q . /etc/shadow",
}
"""What a program must not be able to do, in shell."""
ROOTS = frozenset({"mount", "read what root reads"})
"""Of these, what only root can do at all."""
SPOKEN = ("OUTSIDE", "REAL_HOME", "PORT", "CALLER")
"""What the shell is told in its text: it does not get it in its environment."""


@pytest.fixture(scope="session")
def able() -> None:
    if shutil.which("bwrap") is None:
        pytest.skip("bwrap is not installed")
    try:
        child.confine(Confinement.here())
    except Problem as problem:
        pytest.skip(f"programs cannot be confined here: {problem.message}")
    child.unconfine()


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "home"
    folder.mkdir()
    (folder / "secret").write_text("sesame", "utf-8")
    monkeypatch.setenv("HOME", str(folder))
    return folder


@pytest.fixture
def confined(able: None, home: Path) -> Iterator[None]:
    child.confine(Confinement.here())
    yield
    child.unconfine()


@pytest.fixture
def work(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    folder.mkdir()
    return folder


def done(deed: str, home: Path, work: Path, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Return whether a program comes to do something."""
    outside = home.parent / "outside"
    outside.mkdir(exist_ok=True)
    (outside / "precious").write_text("dear", "utf-8")
    for name in ("TOKEN", "LLVM_TOKEN", "PYTHON_TOKEN", "LC_TOKEN"):
        monkeypatch.setenv(name, "sesame")
    with socket.create_server(("127.0.0.1", 0)) as server:
        told = dict(zip(SPOKEN, map(str, (outside, home, server.getsockname()[1], os.getpid())), strict=True))
        text = "".join(f"{name}='{value}'\n" for name, value in told.items()) + DEEDS[deed]
        return child.run(("bash", "-c", text), timeout=SECONDS, scratch=work).ok


@pytest.mark.parametrize("deed", sorted(DEEDS))
def test_a_confined_program_cannot(
    confined: None, home: Path, work: Path, monkeypatch: pytest.MonkeyPatch, deed: str
) -> None:
    assert not done(deed, home, work, monkeypatch)
    assert (home.parent / "outside" / "precious").read_text("utf-8") == "dear"
    assert not (home.parent / "outside" / "written").exists()
    assert not (home / ".profile").exists()


@pytest.mark.parametrize("deed", sorted(DEEDS.keys() - ROOTS))
def test_any_other_can(home: Path, work: Path, monkeypatch: pytest.MonkeyPatch, deed: str) -> None:
    if shutil.which("bash") is None:
        pytest.skip("bash is not installed")
    assert done(deed, home, work, monkeypatch)


def test_it_writes_to_its_work_folder_and_to_a_folder_for_temporary_files(confined: None, work: Path) -> None:
    text = 'echo "$TMPDIR" > here && mktemp > there && cat here there'
    ended = child.run(("sh", "-c", text), timeout=SECONDS, scratch=work)
    assert ended.ok, ended.stderr
    assert (work / "here").read_text("utf-8").strip() == str(work)
    assert child.run(("sh", "-c", "mktemp"), timeout=SECONDS).stdout.startswith(b"/tmp/")


def test_a_program_in_a_hidden_place_is_there_with_what_its_options_name(
    confined: None, home: Path, work: Path
) -> None:
    tools = home / "tools" / "bin"
    tools.mkdir(parents=True)
    script = tools / "cc"
    script.write_text('#!/bin/sh\ncat "${1#-I}"/a.h "$(dirname "$0")"/../data; cat "$2"', "utf-8")
    script.chmod(0o755)
    (home / "tools" / "data").write_text("data ", "utf-8")
    (home / "include").mkdir()
    (home / "include" / "a.h").write_text("header ", "utf-8")
    argv = (str(script), f"-I{home}/include", "relative/secret")
    ended = child.run(argv, timeout=SECONDS, scratch=work)
    assert ended.stdout == b"header data "


def test_a_program_in_a_hidden_place_is_there_if_another_will_start_it(
    confined: None, home: Path, work: Path
) -> None:
    tool = home / "tools" / "bin" / "cc"
    tool.parent.mkdir(parents=True)
    tool.write_text("#!/bin/sh\necho compiled", "utf-8")
    tool.chmod(0o755)
    (work / "make").write_text(f"#!/bin/sh\n{tool}", "utf-8")
    assert not child.run(("sh", "make"), timeout=SECONDS, cwd=work).ok
    ended = child.run(("sh", "make"), timeout=SECONDS, cwd=work, programs=(str(tool),))
    assert ended.stdout == b"compiled\n", ended.stderr


def test_it_works_in_a_folder_that_is_named_relatively(
    confined: None, work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(work.parent)
    ended = child.run(("sh", "-c", "echo x > made"), timeout=SECONDS, cwd=Path(work.name))
    assert ended.ok, ended.stderr
    assert (work / "made").exists()


@pytest.mark.parametrize(
    ("text", "code", "signal_name"),
    [
        ("exit 0", 0, None),
        ("exit 7", 7, None),
        ("kill -SEGV $$", -signal.SIGSEGV, "SIGSEGV"),
        ("kill -ABRT $$", -signal.SIGABRT, "SIGABRT"),
        ("ulimit -c 0; kill -KILL $$", -signal.SIGKILL, "SIGKILL"),
    ],
)
def test_its_end_is_told_as_of_any_other(
    confined: None, text: str, code: int, signal_name: str | None
) -> None:
    ended = child.run(("sh", "-c", text), timeout=SECONDS)
    assert (ended.returncode, ended.signal) == (code, signal_name)


def test_it_makes_no_user_namespaces_where_bubblewrap_can_forbid_them(confined: None) -> None:
    if not child._CONFINED[0].options:
        pytest.skip("bubblewrap 0.8 is not installed")
    ended = child.run(("unshare", "--user", "true"), timeout=SECONDS)
    assert b"unshare failed" in ended.stderr


@pytest.fixture
def checkout(tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A place of a checkout that is no home, as in a container of CI; the process works in a folder of it."""
    monkeypatch.setattr(confinement, "PRIVATE", ("/root",))
    folder = tmp_path / "builds" / "project"
    (folder / "within").mkdir(parents=True)
    monkeypatch.chdir(folder / "within")
    return folder


def repository(folder: Path) -> Path:
    folder.mkdir(parents=True)
    (folder / "config").write_text("sesame", "utf-8")
    return folder / "config"


def of_itself(checkout: Path, _: pytest.MonkeyPatch) -> Path:
    return repository(checkout / ".git")


def of_a_worktree(checkout: Path, _: pytest.MonkeyPatch) -> Path:
    config = repository(checkout.parent / "main" / ".git")
    own = config.parent / "worktrees" / "project"
    own.mkdir(parents=True)
    (own / "commondir").write_text("../..\n", "utf-8")
    (checkout / ".git").write_text(f"gitdir: {own}\n", "utf-8")
    return config


def of_a_submodule(checkout: Path, _: pytest.MonkeyPatch) -> Path:
    config = repository(checkout / ".git" / "modules" / "within")
    (checkout / "within" / ".git").write_text("gitdir: ../.git/modules/within\n", "utf-8")
    return config


def of_a_runner(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RUNNER_TEMP", str(checkout.parent / "_temp"))
    return repository(checkout.parent / "_temp")


def of_variables(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CI_PROJECT_DIR", str(checkout))
    return repository(checkout.with_name("project.tmp"))


@pytest.mark.parametrize("place", [of_itself, of_a_worktree, of_a_submodule, of_a_runner, of_variables])
def test_credentials_of_a_checkout_outside_the_homes_are_hidden(
    able: None, checkout: Path, monkeypatch: pytest.MonkeyPatch, place: Callable[..., Path]
) -> None:
    secret = place(checkout, monkeypatch)
    (checkout / "file").write_text("plain", "utf-8")
    child.confine(Confinement.here())
    try:
        assert child.run(("cat", str(checkout / "file")), timeout=SECONDS).stdout == b"plain"
        assert not child.run(("sh", "-c", f"cat '{secret}'"), timeout=SECONDS).ok
    finally:
        child.unconfine()
    assert secret.read_text("utf-8") == "sesame"


def test_a_compiler_in_a_checkout_in_a_home_is_there_without_the_repository(
    able: None, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository(home / "project" / ".git")
    tool = home / "project" / "bin" / "cc"
    tool.parent.mkdir()
    tool.write_text('#!/bin/sh\ncat "${0%/*}/../data"; cat "${0%/*}/../.git/config"\n', "utf-8")
    tool.chmod(0o755)
    (home / "project" / "data").write_text("data", "utf-8")
    child.confine(Confinement.here())
    try:
        ended = child.run((str(tool),), timeout=SECONDS)
    finally:
        child.unconfine()
    assert ended.stdout == b"data", ended.stderr
    assert not ended.ok


def test_its_limits_are_those_of_any_other(confined: None, work: Path) -> None:
    text = "ulimit -v; ulimit -c; ulimit -u; head -c 100000 /dev/zero > big"
    ended = child.run(("bash", "-c", text), timeout=SECONDS, memory=1 << 30, file_size=1 << 12, scratch=work)
    assert ended.stdout.split()[:2] == [b"1048576", b"0"]
    assert int(ended.stdout.split()[2]) <= confinement.PROCESSES
    assert (work / "big").stat().st_size <= 1 << 12


def test_what_it_leaves_behind_ends_with_it(confined: None, work: Path) -> None:
    before = set(child.children())
    ended = child.run(("sh", "-c", "setsid sleep 600 & setsid sleep 600 & exit 0"), timeout=SECONDS)
    assert ended.ok
    assert child.run(("sleep", "600"), timeout=0.5).timed_out
    assert set(child.children()) == before


def test_what_cannot_be_started_is_the_same_error(confined: None, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        child.run(("no-such-program",), timeout=SECONDS)
    path = tmp_path / "text"
    path.write_text("no program", "utf-8")
    with pytest.raises(PermissionError):
        child.run((str(path),), timeout=SECONDS)


def failing_bwrap(folder: Path, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.mkdir()
    for name in ("bwrap", "prlimit"):
        path = folder / name
        path.write_text(f"#!/bin/sh\n{text}\n", "utf-8")
        path.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")


def test_a_machine_that_cannot_is_told_in_a_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = "bwrap: No permissions to create new namespace"
    failing_bwrap(tmp_path / "tools", f"echo '{words}' >&2; exit 1", monkeypatch)
    with pytest.raises(Problem, match=words) as told:
        child.confine(Confinement.here())
    assert told.value.hint == confinement.HINT
    assert not child.confines()
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    with pytest.raises(Problem, match="needs bwrap, which is not installed"):
        Confinement.here()


def test_a_bubblewrap_that_cannot_forbid_namespaces_is_asked_for_the_rest(
    able: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = shutil.which("bwrap")
    text = f"""for word; do test "$word" != {confinement.NO_MORE} || exit 1; done; exec {real} "$@\""""
    failing_bwrap(tmp_path / "tools", text, monkeypatch)
    (tmp_path / "tools" / "prlimit").unlink()
    child.confine(Confinement.here())
    try:
        assert child.run(("echo", "here"), timeout=SECONDS).stdout == b"here\n"
    finally:
        child.unconfine()


def test_a_confinement_that_fails_later_is_no_end_of_the_program(
    confined: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    failing_bwrap(tmp_path / "tools", "echo 'bwrap: no more namespaces' >&2; exit 1", monkeypatch)
    child._CONFINED[:] = [Confinement.here()]
    with pytest.raises(Problem, match="no more namespaces"):
        child.run(("true",), timeout=SECONDS)
