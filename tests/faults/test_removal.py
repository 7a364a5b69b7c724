"""What a compiler leaves in its folder goes again, and where it cannot go that ends no command."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from abiprobe.harness.base import removal, scratch
from abiprobe.harness.base.removal import Left, remove_tree, temporary

OPEN = Path("/proc/self/fd")
DEEP = 5000
"""Levels: more than frames of Python, than open files, and than bytes of a path."""


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Path]:
    """A folder that pytest, which removes by recursion, does not have to remove."""
    folder = tmp_path / "place"
    folder.mkdir()
    yield folder
    subprocess.run(("rm", "-rf", folder), check=True)


def nest(folder: Path, levels: int) -> None:
    """Make folders within one another, each with a file."""
    here = os.open(folder, os.O_RDONLY)
    for level in range(levels):
        name = f"d{level % 7}" * 20
        os.mkdir(name, dir_fd=here)
        inner = os.open(name, os.O_RDONLY, dir_fd=here)
        os.close(os.open("file", os.O_CREAT | os.O_WRONLY, dir_fd=inner))
        os.close(here)
        here = inner
    os.close(here)


def test_a_deep_folder_is_removed(place: Path) -> None:
    tree = place / "tree"
    tree.mkdir()
    nest(tree, DEEP)
    assert remove_tree(tree) == ()
    assert [*place.iterdir()] == []


def test_few_files_are_open_at_a_time(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tree = place / "tree"
    tree.mkdir()
    nest(tree, 50)
    before = len([*OPEN.iterdir()])
    most = 0
    listed = os.listdir

    def counting(folder: int) -> list[str]:
        nonlocal most
        most = max(most, len(listed("/proc/self/fd")))
        return listed(folder)

    monkeypatch.setattr(removal.os, "listdir", counting)
    assert remove_tree(tree) == ()
    # The folder above, the outermost one, the one that is emptied, and that in which the open files are looked up.
    assert most - before <= 4
    monkeypatch.undo()
    assert len([*OPEN.iterdir()]) == before


def test_folders_that_forbid_everything_are_removed(place: Path) -> None:
    tree = place / "tree"
    inner = tree / "a" / "b"
    inner.mkdir(parents=True)
    (inner / "file").touch()
    for folder in (inner, inner.parent, tree):
        folder.chmod(0)
    assert remove_tree(tree) == ()
    assert not tree.exists()


def test_a_link_is_removed_and_not_followed(place: Path) -> None:
    outside = place / "outside"
    outside.mkdir()
    (outside / "file").touch()
    tree = place / "tree"
    (tree / "a").mkdir(parents=True)
    (tree / "a" / "link").symlink_to(outside)
    (tree / "link").symlink_to(outside)
    assert remove_tree(tree) == ()
    assert (outside / "file").exists()
    tree.symlink_to(outside)
    assert remove_tree(tree)
    assert (outside / "file").exists()


def test_names_that_removal_itself_gives_are_taken(place: Path) -> None:
    tree = place / "tree"
    for number in range(3):
        (tree / f".removed-{number}" / "a" / "b").mkdir(parents=True)
    (tree / "c" / "d" / "e").mkdir(parents=True)
    (tree / ".removed-3").touch()
    assert remove_tree(tree) == ()
    assert not tree.exists()


def test_what_is_not_there_is_removed(place: Path) -> None:
    assert remove_tree(place / "nothing") == ()
    assert remove_tree(place / "no" / "thing") == ()


def refusing(name: str) -> object:
    """`os.unlink` of a file system that keeps the files of one name, as it does immutable ones."""
    unlink = os.unlink

    def refused(path: str, *, dir_fd: int) -> None:
        if path == name:
            raise PermissionError(errno.EPERM, os.strerror(errno.EPERM), path)
        unlink(path, dir_fd=dir_fd)

    return refused


def test_what_cannot_be_removed_is_told_and_the_rest_goes(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = place / "tree"
    (tree / "a" / "b").mkdir(parents=True)
    (tree / "a" / "b" / "kept").touch()
    (tree / "a" / "other").touch()
    (tree / "z").mkdir()
    with monkeypatch.context() as patch:
        patch.setattr(removal.os, "unlink", refusing("kept"))
        left = remove_tree(tree)
    assert left[0] == Left("kept", os.strerror(errno.EPERM))
    assert [path.name for path in tree.rglob("*") if path.is_file()] == ["kept"]
    assert remove_tree(tree) == ()


MOUNTING = 'mount --bind "$1" "$2" && shift 2 && exec "$@"'
REMOVING = """
import sys
from pathlib import Path
from abiprobe.harness.base.removal import remove_tree
print(remove_tree(Path(sys.argv[1])))
"""


def test_what_a_mount_point_holds_is_not_touched(place: Path) -> None:
    if not shutil.which("unshare"):
        pytest.skip("unshare")
    tree, other = place / "tree", place / "other"
    point = tree / "a" / "point"
    point.mkdir(parents=True)
    other.mkdir()
    (other / "file").touch()
    words = (sys.executable, "-c", REMOVING, str(tree))
    done = subprocess.run(
        ("unshare", "--user", "--map-root-user", "--mount", "sh", "-c", MOUNTING, "sh", other, point, *words),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        pytest.skip("unshare is not allowed to mount")
    assert os.strerror(errno.EBUSY) in done.stdout
    assert (other / "file").exists()


def test_somebody_who_adds_to_it_meanwhile_changes_nothing(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = place / "tree"
    (tree / "a").mkdir(parents=True)
    rmdir = os.rmdir
    added = False

    def adding(path: str, *, dir_fd: int) -> None:
        nonlocal added
        if path == tree.name and not added:
            added = True
            (tree / "late" / "later").mkdir(parents=True)
        rmdir(path, dir_fd=dir_fd)

    monkeypatch.setattr(removal.os, "rmdir", adding)
    assert remove_tree(tree) == ()
    assert added
    assert not tree.exists()


def test_a_temporary_folder_goes_whatever_is_in_it(place: Path) -> None:
    with temporary(parent=place) as folder:
        nest(Path(folder), 1100)
    assert [*place.iterdir()] == []


NESTING = """
import os, signal, sys
from abiprobe.harness.base.scratch import scratch
with scratch():
    os.chdir(os.environ["TMPDIR"])
    for _ in range(1500):
        os.mkdir("d")
        os.chdir("d")
    if sys.argv[1] == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.parametrize("end", ["kill", "leave"])
def test_no_run_leaves_a_deep_folder_to_the_next(place: Path, end: str) -> None:
    env = {**os.environ, "TMPDIR": str(place)}
    done = subprocess.run(
        (sys.executable, "-c", NESTING, end), env=env, capture_output=True, text=True, check=False
    )
    assert "Traceback" not in done.stderr
    swept = subprocess.run(
        (sys.executable, "-c", "from abiprobe.harness.base.scratch import sweep; sweep()"),
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (swept.returncode, swept.stderr) == (0, "")
    assert [*place.iterdir()] == []


def test_a_folder_that_stays_is_a_line_and_no_error(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    tree = place / "tree\x1b"
    tree.mkdir()
    (tree / "kept").touch()
    monkeypatch.setattr(removal.os, "unlink", refusing("kept"))
    scratch.remove_telling(tree)
    (line,) = capsys.readouterr().err.splitlines()
    assert line == f"abiprobe: cannot remove {place}/tree\\x1b (Operation not permitted): remove it yourself"
