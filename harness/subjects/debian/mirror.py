"""The Debian mirror that this machine's own apt is configured with."""

from __future__ import annotations

import platform
import re
import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from abiprobe.harness.base import child
from abiprobe.harness.base.problem import Problem

ALIASES = ("stable", "testing", "unstable", "sid", "experimental")
COMPONENT = "main"
CARRIED = ("Signed-By", "Trusted")
"""Other fields of a source that concern whether its packages may be trusted."""
ONE_LINE = re.compile(
    r"deb\s+(?:\[(?P<options>[^]]*)\]\s+)?(?P<uri>\S+)\s+(?P<suite>\S+)\s+(?P<components>.+)"
)
SECONDS = 30.0


class Source(msgspec.Struct, frozen=True):
    """A source of packages: its address, suites and components, and by whom it has to be signed."""

    uri: str
    suites: tuple[str, ...]
    components: tuple[str, ...]
    trust: Mapping[str, str]

    def stanza(self, suites: tuple[str, ...], architecture: str) -> str:
        """A stanza for other suites of the same mirror."""
        fields = {
            "Types": "deb",
            "URIs": self.uri,
            "Suites": " ".join(suites),
            "Components": COMPONENT,
            "Architectures": architecture,
            "Targets": "Packages",
            **self.trust,
        }
        return "".join(f"{name}: {value}\n" for name, value in fields.items())


def mirror() -> Source:
    """The source of Debian itself; raises `Problem` where there is none."""
    release = system()
    hint = "compilers of Debian's packages can be installed on Debian only; clang-12..clang-22 come from pip"
    if release.get("ID") != "debian":
        raise Problem(f"this machine runs {release.get('NAME', 'no Debian')}", hint)
    own = release.get("VERSION_CODENAME", "")
    found = [one for one in sources() if COMPONENT in one.components and {own, *ALIASES} & {*one.suites}]
    # Others offer a suite called `stable`, too.
    found.sort(
        key=lambda one: (own not in one.suites, "debian-archive" not in one.trust.get("Signed-By", ""))
    )
    if not found:
        raise Problem("the sources of this machine's apt have no Debian suite", hint)
    return found[0]


def system() -> Mapping[str, str]:
    """Return this machine's description of its distribution; empty if it has none."""
    try:
        return platform.freedesktop_os_release()
    except OSError:
        return {}


def sources() -> Iterator[Source]:
    """Every source of binary packages that apt is configured with."""
    asked = ("LIST", "Dir::Etc::sourcelist/f", "PARTS", "Dir::Etc::sourceparts/d")
    said = child.run(("apt-config", "shell", *asked), timeout=SECONDS).stdout.decode("utf-8", "replace")
    paths = dict(word.split("=", 1) for word in shlex.split(said) if "=" in word)
    parts = Path(paths.get("PARTS", "/nonexistent"))
    files = [
        Path(paths.get("LIST", "/nonexistent")),
        *sorted(parts.glob("*.list")),
        *sorted(parts.glob("*.sources")),
    ]
    for path in filter(Path.is_file, files):
        text = path.read_text("utf-8", "replace")
        yield from stanzas(text) if path.suffix == ".sources" else lines(text)


def lines(text: str) -> Iterator[Source]:
    """The sources of a list of one line each."""
    for line in text.splitlines():
        found = ONE_LINE.fullmatch(line.partition("#")[0].strip())
        if found is None:
            continue
        options = dict(word.split("=", 1) for word in (found["options"] or "").split() if "=" in word)
        trust = {name: options[name.lower()] for name in CARRIED if name.lower() in options}
        yield Source(found["uri"], (found["suite"],), tuple(found["components"].split()), trust)


def stanzas(text: str) -> Iterator[Source]:
    """The sources of a file of stanzas."""
    kept = "\n".join(line for line in text.splitlines() if not line.startswith("#"))
    for stanza in re.split(r"\n\s*\n", kept):
        fields = {
            name.title(): value.rstrip()
            for name, value in re.findall(r"^(\S+):[ \t]*(.*(?:\n[ \t].*)*)", stanza, re.MULTILINE)
        }
        if "deb" not in fields.get("Types", "").split() or fields.get("Enabled", "yes").lower() == "no":
            continue
        trust = {name: fields[name] for name in CARRIED if name in fields}
        for uri in fields.get("Uris", "").split():
            suites = tuple(fields.get("Suites", "").split())
            yield Source(uri, suites, tuple(fields.get("Components", "").split()), trust)
