"""Confinement of untrusted programs: namespaces of their own, made by bubblewrap for each of them.

They have no network, see no processes but their own, and can write only to their work folder and to a /tmp that ends with
them. The file system is read-only; homes and other places of the user's are hidden, but for the program itself and what its
options name. Of the environment they get what compilers read.
"""

from __future__ import annotations

import errno
import os
import re
import resource
import shutil
import signal
import site
import sys
import sysconfig
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from abiprobe.harness.base.problem import Problem

if TYPE_CHECKING:
    from typing import Self

TEMPORARY = "/tmp"  # noqa: S108 - in the namespace, where it is empty and nobody else's
PRIVATE = (TEMPORARY, "/home", "/root", "/run", "/var", "/srv", "/mnt", "/media", "/boot", "/sys")
"""Folders that are hidden beside the home of the user."""
WORKSPACES = ("CI_PROJECT_DIR", "GITHUB_WORKSPACE")
"""Variables by which CI names a checkout; a checkout knows how to fetch more, and may know how to write."""
CREDENTIALS = (("RUNNER_TEMP", ""), ("CI_PROJECT_DIR", ".tmp"))
"""Variables, and what stands behind them, of folders where CI keeps files with credentials."""
SECRET = ("shadow", "shadow-", "gshadow", "gshadow-", "sudoers", "sudoers.d", "ssh", "ssl/private")
"""Files of /etc that root alone may read."""
KEPT = re.compile(
    r"PATH|HOME|TMPDIR|TZ|LANG|LANGUAGE|LC_(?:ALL|COLLATE|CTYPE|MESSAGES|MONETARY|NUMERIC|TIME)|"
    r"LLVM_DISABLE_(?:SYMBOLIZATION|CRASH_REPORT)|ZIG_(?:GLOBAL_CACHE_DIR|LOCAL_CACHE_DIR|LIB_DIR)|"
    r"CPATH|C_INCLUDE_PATH|GCC_EXEC_PREFIX|COMPILER_PATH|LIBRARY_PATH|LD_LIBRARY_PATH|SOURCE_DATE_EPOCH|"
    r"PYTHON(?:PATH|HOME|UTF8|SAFEPATH|NOUSERSITE|DONTWRITEBYTECODE|PYCACHEPREFIX)|VIRTUAL_ENV"
)
"""Variables of the environment that reach a confined program; others may be credentials."""
PROCESSES = 512
"""That may run at a time beside one another, where the kernel counts them for the namespace."""
GIT = ".git"
FOLDERS_OF_PROGRAMS = frozenset({"bin", "sbin", "libexec"})
NAMESPACES = (
    *("--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts"),
    *("--unshare-cgroup-try", "--cap-drop", "ALL", "--die-with-parent"),
    *("--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"),
)
NO_MORE = "--disable-userns"
"""Forbids further user namespaces, by which a program reaches more of the kernel; bubblewrap has it since 0.8."""
SHELL = 128
"""bubblewrap ends with this and the number of the signal that ended the program."""
HINT = "install bubblewrap, and allow user namespaces: sysctl user.max_user_namespaces kernel.unprivileged_userns_clone"


class Confinement(msgspec.Struct, frozen=True):
    """The confinement of programs on this machine: the two tools that provide it, and the places that are hidden.

    `options` of bubblewrap are those that not every machine allows.
    """

    bubblewrap: str
    prlimit: str
    hidden: tuple[str, ...]
    secret: tuple[str, ...]
    options: tuple[str, ...] = (NO_MORE,)

    @classmethod
    def here(cls) -> Self:
        """The confinement that this machine may have; raises `Problem` if it lacks the tools."""
        tools = {name: shutil.which(name) for name in ("bwrap", "prlimit")}
        for name, tool in tools.items():
            if tool is None:
                raise Problem(f"--confine needs {name}, which is not installed", HINT)
        home = str(Path.home())
        places = (home, os.path.realpath(home), *PRIVATE, *credentials())
        hidden = tuple(sorted({one for one in places if one != os.sep and is_folder(one)}))
        of_root = [
            str(path) for name in SECRET if os.geteuid() == 0 and (path := Path("/etc", name)).exists()
        ]
        secret = tuple(dict.fromkeys((*of_root, *repositories())))
        return cls(tools["bwrap"] or "", tools["prlimit"] or "", hidden, secret)

    def ways(self) -> Iterator[Confinement]:
        """Yield how it may be tried, the strictest first: an older bubblewrap, or one in a container, cannot do all."""
        yield self
        if self.options:
            yield msgspec.structs.replace(self, options=())

    def command(
        self,
        argv: Sequence[str],
        writable: Sequence[Path],
        limits: Mapping[int, int],
        status: int,
        programs: Sequence[str] = (),
    ) -> list[str]:
        """The command that runs `argv` confined, which starts `programs`; bubblewrap writes to `status` whether it came to that.

        Raises `OSError` for a program that cannot be started.
        """
        program = found(argv[0])
        others = (folder for one in programs for folder in folders_of(one))
        shown = (*python_folders(), *folders_of(program), *others, *named(argv[1:]))
        words = [self.bubblewrap, *NAMESPACES, *self.options]
        for place in self.hidden:
            words += ("--tmpfs", place)
        again = tuple(dict.fromkeys(one for one in shown if self.hides(one)))
        for path in again:
            words += ("--ro-bind-try", path, path)
        kept = (path for folder in again if os.path.lexists(path := os.path.join(folder, GIT)))  # noqa: PTH118 - for each program
        for path in dict.fromkeys((*self.secret, *kept)):
            if not self.hides(path) or any(is_within(path, folder) for folder in again):
                words += ("--tmpfs", path) if Path(path).is_dir() else ("--ro-bind", os.devnull, path)
        # bubblewrap itself is started in the first of them, where a relative path would mean another.
        folders = tuple(dict.fromkeys(str(folder.absolute()) for folder in writable))
        for folder in folders:
            words += ("--bind", folder, folder)
        words += ("--chdir", folders[0] if folders else TEMPORARY)
        words += ("--json-status-fd", str(status), "--", self.prlimit, *bounds(limits), "--", program)
        return [*words, *argv[1:]]

    def hides(self, path: str) -> bool:
        """Return whether a path lies within a hidden place, and is none itself."""
        return any(is_within(path, place) for place in self.hidden) and not any(
            place == path or is_within(place, path) for place in self.hidden
        )


def credentials() -> Iterator[str]:
    """Folders where CI keeps files with credentials."""
    yield from (f"{place}{rest}" for name, rest in CREDENTIALS if (place := os.environ.get(name)))


def repositories() -> Iterator[str]:
    """Yield the Git data of the checkouts that this process works in: they hold addresses, and credentials for them."""
    folders = [Path.cwd(), *(Path(place) for name in WORKSPACES if (place := os.environ.get(name)))]
    for folder in dict.fromkeys(one for start in folders for one in (start, *start.parents)):
        yield from map(str, filter(Path.exists, kept_by_git(folder / GIT)))


def kept_by_git(path: Path) -> Iterator[Path]:
    """A repository by its folder, or by the file that stands for it in a worktree or submodule, and what it shares with others."""
    yield path
    if not path.is_file():
        return
    with suppress(OSError, UnicodeDecodeError):
        # Either file holds one line with a path.
        folder = path.parent.joinpath(path.read_text("utf-8").removeprefix("gitdir:").strip())
        yield folder.resolve()
        yield folder.joinpath(folder.joinpath("commondir").read_text("utf-8").strip()).resolve()


def is_folder(path: str) -> bool:
    """Return whether a path is a folder, and no link to one."""
    return os.path.realpath(path) == path and Path(path).is_dir()


def is_within(path: str, folder: str) -> bool:
    """Return whether a path lies in a folder, by name."""
    return path.startswith(folder + os.sep)


def found(program: str) -> str:
    """The path of a program; raises `OSError` as the kernel would if it cannot be started."""
    path = shutil.which(program)
    if path is not None:
        return str(Path(path).absolute())
    number = errno.EACCES if Path(program).exists() else errno.ENOENT
    raise OSError(number, os.strerror(number), program)


def folders_of(program: str) -> Iterator[str]:
    """Yield the folder of a program and what belongs to it: its own, or the one above if that is called `bin`."""
    for path in dict.fromkeys((Path(program), Path(os.path.realpath(program)))):
        folder = path.parent
        above = folder.name in FOLDERS_OF_PROGRAMS and folder.parent != Path.home()
        yield from map(str, (path, folder, *((folder.parent,) if above else ())))


def named(words: Iterable[str]) -> Iterator[str]:
    """The absolute paths in options: `-I/usr/include`, `--sysroot=/opt/root`, `/tmp/unit.c`."""
    for word in words:
        at = word.find(os.sep)
        # The rest of a word may hold several of them.
        if at >= 0:
            yield from (part for part in word[at:].split(",") if part.startswith(os.sep))


def python_folders() -> tuple[str, ...]:
    """Return the folders of this Python and its packages: some confined programs are scripts of ours."""
    own = Path(__file__).parents[2]
    paths = sysconfig.get_paths()
    return (
        *(sys.prefix, sys.base_prefix, paths["purelib"], paths["platlib"], site.getusersitepackages()),
        *(str(own), os.path.realpath(own)),
        *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep)),
    )


def bounds(limits: Mapping[int, int]) -> Iterator[str]:
    """Limits in bytes as prlimit takes them; one that is lower already stays."""
    names = {resource.RLIMIT_AS: "as", resource.RLIMIT_FSIZE: "fsize"}
    yield from ("--core=0", f"--nproc={lowest(resource.RLIMIT_NPROC, PROCESSES)}")
    for what, most in limits.items():
        yield f"--{names[what]}={lowest(what, most)}"


def lowest(what: int, most: int) -> int:
    """A limit, or what it is already if that is less."""
    hard = resource.getrlimit(what)[1]
    return most if hard == resource.RLIM_INFINITY else min(most, hard)


def environment(env: Mapping[str, str], writable: Sequence[Path]) -> dict[str, str]:
    """Return the environment of a confined program; its temporary files go to a folder that it may write."""
    kept = {name: value for name, value in env.items() if KEPT.fullmatch(name)}
    own = kept.get("TMPDIR") in {str(folder) for folder in writable}
    return kept if own else {**kept, "TMPDIR": TEMPORARY}


def expect_started(status: bytes, said: bytes) -> None:
    """Raise `Problem` if bubblewrap did not come to start a program, which is nothing that the program has done."""
    if b'"exit-code"' not in status:
        words = said.decode("utf-8", "replace").strip().partition("\n")[0]
        raise Problem(f"this machine cannot confine programs: {words or 'bwrap says nothing'}", HINT)


def ended(code: int) -> tuple[int, int | None]:
    """The exit status of a program, negative for a signal, as Python has it, and the signal, by that of bubblewrap."""
    number = code - SHELL
    return (-number, number) if number in set(signal.Signals) else (code, None)
