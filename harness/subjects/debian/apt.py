"""apt with a state of its own in the cache, which knows later suites and installs nothing; it needs no root."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from urllib.parse import unquote, urlsplit

import msgspec

from abiprobe.harness.base import child
from abiprobe.harness.base.problem import Problem
from abiprobe.harness.base.progress import steps
from abiprobe.harness.base.removal import remove_tree
from abiprobe.harness.subjects.debian.mirror import mirror
from abiprobe.harness.subjects.installing import expect_room
from abiprobe.harness.subjects.releases import size_of

NEWEST = ("unstable", "experimental")
OTHERS = ("testing", "stable")
"""Asked as well where a package, or what it depends on, is not in the newest suites."""
PROGRAMS = ("apt-get", "apt-config", "apt-cache", "dpkg", "dpkg-deb")
HOOKS = ("APT::Update::Pre-Invoke", "APT::Update::Post-Invoke", "APT::Update::Post-Invoke-Success")
"""The actions of the machine's own apt around an update, which are no business of ours."""
SECONDS = 1800.0
COMPILERS = re.compile(
    r"(?:gcc|g\+\+)-\d+(?:-\w+-linux-gnu\w*|-\w+-\w+-linux-gnu\w*)?|gcc-snapshot|clang-\d+"
)

FIELD = re.compile(
    r"^(Package|Version|Architecture|Section|Depends|Provides|Filename|Size|SHA256): (.*)$", re.MULTILINE
)
NAME = re.compile(r" *([a-z0-9][a-z0-9+.-]+)")


class Archive(msgspec.Struct, frozen=True):
    """A package to fetch: its address, the name of its file, its size in bytes and its SHA-256."""

    uri: str
    file: str
    bytes: int
    sha256: str

    @property
    def package(self) -> str:
        """The name of the package."""
        return self.file.partition("_")[0]


class Available(msgspec.Struct, frozen=True):
    """A package that the index has: its section, its file, what it provides, and what it depends on, each with its alternatives."""

    section: str
    archive: Archive
    provides: tuple[str, ...]
    depends: tuple[tuple[str, ...], ...]


class Apt:
    """A state of apt in the folder `home`, for another architecture than this machine's if one is named.

    It knows the packages of some `suites`, and asks `others` as well where one cannot be had there.
    """

    def __init__(
        self,
        home: Path,
        architecture: str = "",
        suites: Sequence[str] = NEWEST,
        others: Sequence[str] = OTHERS,
    ) -> None:
        self.home, self.other = home, architecture
        self.suites, self.others = tuple(suites), tuple(others)

    @property
    def archives(self) -> Path:
        """The folder to which packages are fetched."""
        return self.home / "cache" / "archives"

    @property
    def has_lists(self) -> bool:
        """Return whether an index of packages has been fetched."""
        return any((self.home / "state" / "lists").glob("*_Packages*"))

    def update(self, *others: str) -> None:
        """Fetch the index of its suites, and of `others`; raises `Problem` where none of them can be had."""
        for program in PROGRAMS:
            if shutil.which(program) is None:
                raise Problem(
                    f"compilers of Debian's packages need {program}, which is not installed here",
                    "clang-12..clang-22 come from pip",
                )
        for folder in ("state/lists/partial", "cache/archives/partial"):
            (self.home / folder).mkdir(parents=True, exist_ok=True)
        # Nothing counts as installed, so every dependency is fetched.
        (self.home / "status").touch()
        (self.home / "debian.sources").write_text(
            mirror().stanza((*self.suites, *others), self.architecture), "utf-8"
        )
        (self.home / "apt.conf").write_text(self.configuration(), "utf-8")
        with steps("fetching the index of Debian's packages", seconds=SECONDS):
            done = self.get("update")
        if not done.ok and not self.has_lists:
            raise Problem(
                f"apt cannot fetch the index of Debian's packages: {words(done)}", "see: apt-get update"
            )

    @cached_property
    def architecture(self) -> str:
        """The architecture of the packages, as Debian calls it."""
        if self.other:
            return self.other
        done = child.run(("dpkg", "--print-architecture"), timeout=SECONDS)
        return done.stdout.decode("ascii", "replace").strip()

    def configuration(self) -> str:
        """The settings that differ from those of the machine's own apt, whose proxies and keys are kept."""
        settings = {
            "Dir::State": str(self.home / "state"),
            "Dir::State::status": str(self.home / "status"),
            "Dir::Cache": str(self.home / "cache"),
            "Dir::Cache::archives": "archives/",
            "Dir::Cache::pkgcache": "pkgcache.bin",
            "Dir::Cache::srcpkgcache": "srcpkgcache.bin",
            "Dir::Etc::sourcelist": str(self.home / "debian.sources"),
            "Dir::Etc::sourceparts": "/dev/null",
            "Dir::Etc::preferences": "/dev/null",
            "Dir::Etc::preferencesparts": "/dev/null",
            # The cache may be a folder that the user of apt's own may not enter.
            "APT::Sandbox::User": "root",
            "APT::Architecture": self.architecture,
            "APT::Install-Recommends": "false",
            "APT::Install-Suggests": "false",
            "Acquire::Languages": "none",
            "Acquire::ForceHash": "SHA256",
            # A suite may have become stable.
            "Acquire::AllowReleaseInfoChange": "true",
        }
        cleared = "".join(f"#clear {name};\n" for name in HOOKS)
        return cleared + "".join(f'{name} "{value}";\n' for name, value in settings.items())

    def get(self, *arguments: str) -> child.Exit:
        """Run apt-get; raises `Problem` if there is no room for what it writes."""
        done = self._run("apt-get", "-qq", "--yes", *arguments)
        if not done.ok:
            expect_room(self.home, done.stderr)
        return done

    def _run(self, program: str, *arguments: str, cwd: Path | None = None) -> child.Exit:
        command = (program, "--config-file", str(self.home / "apt.conf"), *arguments)
        return child.run(command, timeout=SECONDS, cwd=cwd)

    def archives_of(self, package: str) -> tuple[Archive, ...]:
        """A package and what it depends on; raises `Problem` where that cannot be had."""
        done = self.print_uris(package)
        if not done.ok:
            self.update(*self.others)
            done = self.print_uris(package)
        if not done.ok:
            raise Problem(
                f"Debian has no {package} that can be installed: {words(done)}",
                "see: abiprobe toolchains list",
            )
        found = re.findall(
            r"^'(\S+)' (\S+) (\d+) SHA256:(\w+)", done.stdout.decode("utf-8", "replace"), re.MULTILINE
        )
        return tuple(Archive(uri, file, int(size), digest) for uri, file, size, digest in found)

    def print_uris(self, package: str) -> child.Exit:
        """Run apt to print the archives that it would fetch for a package if it had fetched none yet."""
        nothing = self.home / "cache" / "nothing"
        (nothing / "partial").mkdir(parents=True, exist_ok=True)
        return self.get("--option", f"Dir::Cache::archives={nothing}", "--print-uris", "install", package)

    def fetch(self, package: str, archives: Sequence[Archive]) -> tuple[Path, ...]:
        """Fetch packages, which apt checks by their digests; raises `Problem` where that fails."""
        paths = tuple(self.path_of(one) for one in archives)
        return self._fetched(
            package, archives, paths, lambda: self.get("--download-only", "install", package)
        )

    def download(self, archives: Sequence[Archive]) -> tuple[Path, ...]:
        """Fetch packages without what they depend on, which apt checks by their digests; raises `Problem` where that fails."""
        if not archives:
            return ()
        self.archives.mkdir(parents=True, exist_ok=True)
        names = [one.package for one in archives]
        paths = tuple(self.archives / one.file for one in archives)

        def get() -> child.Exit:
            return self._run("apt-get", "-qq", "download", *names, cwd=self.archives)

        return self._fetched(names[0], archives, paths, get)

    def _fetched(
        self,
        name: str,
        archives: Sequence[Archive],
        paths: tuple[Path, ...],
        get: Callable[[], child.Exit],
    ) -> tuple[Path, ...]:
        """The paths at which packages are once apt has fetched them; raises `Problem` where it has not."""
        size = sum(one.bytes for one in archives)
        with steps(f"fetching {name}", size, done=lambda: size_of(self.archives)):
            done = get()
        if not done.ok or not all(map(Path.is_file, paths)):
            expect_room(self.home, done.stderr)
            raise Problem(f"apt cannot fetch {name}: {words(done)}", "see: apt-get update")
        return paths

    def path_of(self, archive: Archive) -> Path:
        """Return the path of a fetched package; apt leaves those of a mirror on this machine where they are."""
        address = urlsplit(archive.uri)
        return Path(unquote(address.path)) if address.scheme == "file" else self.archives / archive.file

    def compilers(self) -> dict[str, str]:
        """The packages of compilers that the index has, with their versions; empty without an index."""
        if not self.has_lists or shutil.which("apt-cache") is None:
            return {}
        names = [
            name
            for stem in ("gcc-", "g++-", "clang-")
            for name in self._run("apt-cache", "pkgnames", stem).stdout.decode("utf-8", "replace").split()
            if COMPILERS.fullmatch(name)
        ]
        said = self._run("apt-cache", "policy", *names).stdout.decode("utf-8", "replace")
        found = re.findall(r"^(\S+):\n.*\n  Candidate: (\S+)", said, re.MULTILINE)
        return {name: version for name, version in found if version != "(none)"}

    def available(self) -> dict[str, Available]:
        """Every package of the index, by its name."""
        said = self._run("apt-cache", "dumpavail").stdout.decode("utf-8", "replace")
        stanzas = (dict(FIELD.findall(stanza)) for stanza in said.split("\n\n"))
        return {fields["Package"]: available(fields) for fields in stanzas if "Filename" in fields}

    def forget(self) -> None:
        """Remove the packages that were fetched; the index stays."""
        remove_tree(self.archives)


def available(fields: Mapping[str, str]) -> Available:
    """A package by the fields that the index has of it."""
    version = fields["Version"].replace(":", "%3a")
    file = f"{fields['Package']}_{version}_{fields['Architecture']}.deb"
    archive = Archive(fields["Filename"], file, int(fields["Size"]), fields["SHA256"])
    provides, depends = (names_in(fields.get(one, "")) for one in ("Provides", "Depends"))
    return Available(fields.get("Section", ""), archive, tuple(one[0] for one in provides), depends)


def names_in(text: str) -> tuple[tuple[str, ...], ...]:
    """The names of packages in a list, each with its alternatives."""
    clauses = ([NAME.match(one) for one in clause.split("|")] for clause in text.split(","))
    return tuple(names for clause in clauses if (names := tuple(one[1] for one in clause if one)))


def words(done: child.Exit) -> str:
    """The first error in apt's words."""
    said = done.stderr.decode("utf-8", "replace").splitlines()
    return next(
        (line.removeprefix("E: ") for line in said if line.startswith("E: ")),
        f"exit status {done.returncode}",
    )
