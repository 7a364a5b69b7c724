"""A mirror of Debian in a folder, with packages made on the fly, and programs that act as apt and dpkg do."""

from __future__ import annotations

import hashlib
import io
import shutil
import sys
import tarfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile
from elftools.elf.segments import InterpSegment

SUITES = ("unstable", "experimental")
LINKS = "-> "
"""How the contents of a file begin that is a symbolic link."""


def package(path: Path, fields: Mapping[str, str], files: Mapping[str, bytes]) -> None:
    """Write a binary package: an `ar` archive of two compressed tar files."""
    control = "".join(f"{name}: {value}\n" for name, value in fields.items()).encode()
    members = {
        "debian-binary": b"2.0\n",
        "control.tar.gz": archive({"control": control}),
        "data.tar.gz": archive(files),
    }
    found = b"!<arch>\n"
    for name, data in members.items():
        found += (
            f"{name:<16}{0:<12}{0:<6}{0:<6}{100644:<8}{len(data):<10}`\n".encode()
            + data
            + b"\n" * (len(data) % 2)
        )
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(found)


def archive(files: Mapping[str, bytes]) -> bytes:
    """A compressed tar file with executable files and symbolic links."""
    found = io.BytesIO()
    with tarfile.open(fileobj=found, mode="w:gz", compresslevel=1) as tar:
        for name, data in files.items():
            item = tarfile.TarInfo(f"./{name}")
            item.mode = 0o755
            if data.startswith(LINKS.encode()):
                item.type, item.linkname = tarfile.SYMTYPE, data.decode().removeprefix(LINKS)
                tar.addfile(item)
            else:
                item.size = len(data)
                tar.addfile(item, io.BytesIO(data))
    return found.getvalue()


def add(mirror: Path, name: str, version: str, depends: Sequence[str], files: Mapping[str, bytes]) -> None:
    """Put a package into every suite of a mirror."""
    path = mirror / "pool" / f"{name}_{version}_amd64.deb"
    fields = {
        "Package": name,
        "Version": version,
        "Architecture": "amd64",
        "Maintainer": "nobody <n@example.org>",
    }
    if depends:
        fields["Depends"] = ", ".join(depends)
    package(path, fields | {"Description": name}, files)
    data = path.read_bytes()
    entry = fields | {
        "Description": name,
        "Filename": str(path.relative_to(mirror)),
        "Size": str(len(data)),
        "SHA256": hashlib.sha256(data).hexdigest(),
    }
    text = "".join(f"{field}: {value}\n" for field, value in entry.items()) + "\n"
    for suite in SUITES:
        index = mirror / "dists" / suite / "main" / "binary-amd64" / "Packages"
        index.parent.mkdir(parents=True, exist_ok=True)
        with index.open("a", encoding="utf-8") as file:
            file.write(text)
        listed = index.read_bytes()
        digest = hashlib.sha256(listed).hexdigest()
        release = f"Suite: {suite}\nCodename: {suite}\nArchitectures: amd64\nComponents: main\nSHA256:\n"
        line = f" {digest} {len(listed)} main/binary-amd64/Packages\n"
        (mirror / "dists" / suite / "Release").write_text(release + line, "utf-8")


def loaded(program: str) -> dict[str, bytes]:
    """A program of this machine with its loader and C library, where packages have them; skips if it has none."""
    path = shutil.which(program)
    if path is None:
        pytest.skip(f"{program} is not installed")
    with Path(path).open("rb") as file:
        segment = next(ELFFile(file).iter_segments("PT_INTERP"), None)
        if segment is None:
            pytest.skip(f"a dynamic {program} is not installed")
        assert isinstance(segment, InterpSegment)
        interpreter = Path(segment.get_interp_name())
    real = interpreter.resolve()
    folder = "usr/lib/x86_64-linux-gnu"
    libraries = [real, *real.parent.glob("libc.so.6")]
    return {
        "program": Path(path).resolve().read_bytes(),
        "usr/lib64/" + interpreter.name: f"{LINKS}../lib/x86_64-linux-gnu/{real.name}".encode(),
        **{f"{folder}/{one.name}": one.read_bytes() for one in libraries},
    }


def faux_mirror(folder: Path) -> Path:
    """A mirror with a `gcc-16` and a `clang-24`, which are `echo`, and the C library that both depend on."""
    mirror = folder / "mirror"
    files = loaded("echo")
    program = files.pop("program")
    add(mirror, "libc6", "2.99-1", (), files)
    inner = "usr/libexec/gcc/x86_64-linux-gnu/16"
    gcc = {
        "usr/bin/gcc-16": f"{LINKS}x86_64-linux-gnu-gcc-16".encode(),
        "usr/bin/x86_64-linux-gnu-gcc-16": program,
        "usr/bin/x86_64-linux-gnu-as": program,
        f"{inner}/cc1": program,
        "usr/share/doc/gcc-16/copyright": b"free",
    }
    add(mirror, "gcc-16", "16.2.0-4", ("libc6",), gcc)
    cross = {
        name.replace("x86_64", "riscv64").replace("gcc/", "gcc-cross/"): data for name, data in gcc.items()
    }
    cross["usr/bin/riscv64-linux-gnu-gcc-16"] = program
    add(mirror, "gcc-16-riscv64-linux-gnu", "16.2.0-3", ("libc6",), cross)
    gxx = {
        **gcc,
        "usr/bin/g++-16": f"{LINKS}x86_64-linux-gnu-g++-16".encode(),
        "usr/bin/x86_64-linux-gnu-g++-16": program,
        f"{inner}/cc1plus": program,
    }
    add(mirror, "g++-16", "16.2.0-4", ("libc6",), gxx)
    add(mirror, "g++-18", "18-1", ("libc6",), {"usr/bin/g++-18": program})
    snapshot = {
        "usr/lib/gcc-snapshot/bin/gcc": program,
        "usr/lib/gcc-snapshot/libexec/gcc/x86_64-linux-gnu/17/cc1": program,
        "usr/bin/x86_64-linux-gnu-as": program,
    }
    add(mirror, "gcc-snapshot", "1:20260101-1", ("libc6",), snapshot)
    add(mirror, "gcc-18", "18-1", ("libc6",), {"usr/bin/gcc-18": program})
    add(mirror, "clang-24", "1:24~1", ("libc6",), {"usr/lib/llvm-24/bin/clang": program})
    add(mirror, "clang-25", "1:25-1", ("libnowhere",), {})
    add(mirror, "clang-26", "1:26-1", ("libc6",), {"usr/lib/llvm-26/bin/clang": b"#!/bin/sh\n"})
    add(
        mirror,
        "gcc-17",
        "17.1-1",
        (),
        {"usr/bin/gcc-17": b"-> x86_64-linux-gnu-gcc-17", "usr/bin/x86_64-linux-gnu-gcc-17": program},
    )
    return mirror


APT = '''\
#!{python} -I
"""apt-get, apt-cache and apt-config in as far as they are asked."""
import hashlib, re, shutil, sys
from pathlib import Path

name, words = Path(sys.argv[0]).name, sys.argv[1:]
log = Path({log!r})
with log.open("a") as file:
    print(name, *words, file=file)
if name == "apt-config":
    print("LIST='{sources}'\\nPARTS='/nonexistent'")
    sys.exit()
settings = dict(re.findall(r'^(\\S+) "(.*)";$', Path(words[words.index("--config-file") + 1]).read_text(), re.M))
settings |= dict(word.split("=", 1) for word in words if word.startswith("Dir::"))
stanza = Path(settings["Dir::Etc::sourcelist"]).read_text()
mirror = Path(re.search("^URIs: file:(.*)$", stanza, re.M)[1])
suites = re.search("^Suites: (.*)$", stanza, re.M)[1].split()
listed = Path(settings["Dir::State"], "lists", "mirror_Packages")
if "update" in words:
    found = [mirror / "dists" / suite / "main/binary-amd64/Packages" for suite in suites]
    if not any(path.exists() for path in found):
        sys.exit("E: The repository has no Release file.")
    listed.write_text("".join(path.read_text() for path in found if path.exists()))
    sys.exit()
entries = [dict(re.findall("^(\\\\S+): (.*)$", part, re.M)) for part in listed.read_text().split("\\n\\n") if part]
index = {{entry["Package"]: entry for entry in entries}}
if "pkgnames" in words:
    print(*(one for one in index if one.startswith(words[-1])), sep="\\n")
elif "policy" in words:
    for one in words[words.index("policy") + 1:]:
        print(f"{{one}}:\\n  Installed: (none)\\n  Candidate: {{index[one]['Version']}}")
else:
    wanted, todo = [], [words[-1]]
    while todo:
        one = todo.pop()
        if one not in index:
            sys.exit(f"E: Unable to locate package {{one}}")
        wanted.append(index[one])
        todo += filter(None, index[one].get("Depends", "").split(", "))
    archives = Path(settings["Dir::Cache::archives"])
    archives = archives if archives.is_absolute() else Path(settings["Dir::Cache"], archives)
    for entry in wanted:
        source = mirror / entry["Filename"]
        file = archives / source.name.replace(":", "%3a")
        if "--print-uris" in words and not file.exists():
            print(f"'copy:{{source}}' {{file.name}} {{entry['Size']}} SHA256:{{entry['SHA256']}}")
        elif "--download-only" in words:
            if hashlib.sha256(source.read_bytes()).hexdigest() != entry["SHA256"]:
                sys.exit("E: Failed to fetch: Hash Sum mismatch")
            shutil.copy(source, file)
'''
DPKG = '''\
#!{python} -I
"""dpkg and dpkg-deb in as far as they are asked."""
import io, sys, tarfile
from pathlib import Path

if sys.argv[1:] == ["--print-architecture"]:
    print("amd64")
    sys.exit()
data = Path(sys.argv[2]).read_bytes()[8:]
while data:
    name, size = data[:16].decode().strip(), int(data[48:58])
    if name == "data.tar.gz":
        with tarfile.open(fileobj=io.BytesIO(data[60:60 + size])) as archive:
            archive.extraction_filter = getattr(tarfile, "fully_trusted_filter", None)  # since 3.11.4
            archive.extractall(sys.argv[3])
    data = data[60 + size + size % 2:]
'''


def faux_programs(folder: Path, mirror: Path) -> Path:
    """A folder with faux apt and dpkg programs that know one mirror; what apt is asked goes into `log`."""
    programs = folder / "programs"
    programs.mkdir()
    sources = folder / "sources.list"
    sources.write_text(f"deb [trusted=yes] file:{mirror} bookworm main\n", "utf-8")
    text = APT.format(python=sys.executable, log=str(folder / "log"), sources=sources)
    for name in ("apt-get", "apt-cache", "apt-config"):
        (programs / name).write_text(text, "utf-8")
    for name in ("dpkg", "dpkg-deb"):
        (programs / name).write_text(DPKG.format(python=sys.executable), "utf-8")
    for path in programs.iterdir():
        path.chmod(0o755)
    return programs
