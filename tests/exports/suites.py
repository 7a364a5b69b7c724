"""Runs exported tests as the suites that they are made for do: lit, DejaGnu with gcc's own library, FileCheck, zig test, make.

Each runner gives, by the name of a test's file, whether it failed. `Missing` names a tool that is not there.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from abiprobe.harness.machines.executors.executor import Absent
from abiprobe.harness.machines.executors.qemu_user import qemu_user
from abiprobe.harness.machines.targets import platform_of
from abiprobe.harness.subjects.find import build, parse_subject
from abiprobe.harness.triage.exports.suites import REGISTERED
from abiprobe.oracles.registry import find_target

HERE = Path(__file__).parent
SECONDS = 600
TESTSUITE = "ABIPROBE_GCC_TESTSUITE"
"""The folder gcc/testsuite of the sources of gcc."""
COMPILETEST = "ABIPROBE_COMPILETEST"
"""The program that runs the tests of rust, which comes with the sources of rustc alone."""
RUST_FOLDERS = ("etc/natvis", "tools/compiletest", "tools/run-make-support")
"""What compiletest looks for in the sources of rust."""
BOOTSTRAP = {"RUSTC_BOOTSTRAP": "1"}
OLD_RUSTC = "1.63"
FILECHECKS = ("FileCheck", *(f"FileCheck-{version}" for version in range(24, 13, -1)))


class Missing(Exception):  # noqa: N818 - it is no error that a machine lacks a tool
    """Raised with the name of a tool that is not installed."""


class LinkError(Exception):
    """Raised with the name of a gcc that has no library for a target."""


def need(*names: str) -> str:
    """The first of some programs that is there."""
    for name in names:
        if found := shutil.which(name):
            return found
    raise Missing(names[-1] if len(names) == 1 else names[0])


def run(
    words: Sequence[str], folder: Path, env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a program in a folder."""
    return subprocess.run(
        words,
        cwd=folder,
        env={**os.environ, **(env or {})},
        capture_output=True,
        text=True,
        errors="replace",
        timeout=SECONDS,
        check=False,
    )


def command(subject: str, target: str, level: str = "O0") -> tuple[str, ...]:
    """The command of a compiler of C for a target."""
    built = build(parse_subject(subject), find_target(target), level)
    if built is None:
        raise Missing(subject)
    return built.command


def emulator(machine: str) -> str:
    """What runs programs of a machine; nothing for this one."""
    if machine in {"x86_64", "i386"}:
        return ""
    found = qemu_user(machine)
    if isinstance(found, Absent):
        raise Missing(f"qemu-{machine}")
    return shlex.join((found.program, *found.options))


def lit(clang: str, folder: Path) -> dict[str, bool]:
    """lit on the tests of clang in a folder."""
    try:
        import lit.main  # noqa: F401 - whether it is there
    except ImportError:
        raise Missing("lit") from None
    program = alone(command(clang, "x86_64-sysv")[0], folder)
    shutil.copy(HERE / "lit.cfg.py", folder / "lit.cfg.py")
    env = {
        "EXPORTS_CLANG": program,
        "EXPORTS_FILECHECK": need(*FILECHECKS),
        "EXPORTS_FEATURES": " ".join(f"{name}-registered-target" for name in set(REGISTERED.values())),
    }
    told = folder / "lit.json"
    run((sys.executable, "-c", "from lit.main import main; main()", "-q", "-o", str(told), "."), folder, env)
    codes = {re.split(r"[ /]", one["name"])[-1]: one["code"] for one in json.loads(told.read_text())["tests"]}
    assert set(codes.values()) <= {"PASS", "FAIL"}, codes
    return {name: code == "FAIL" for name, code in codes.items()}


def alone(program: str, folder: Path) -> str:
    """A clang that takes -cc1 as its first option; the scripts in abiprobe's cache put one of their own there."""
    path = Path(program)
    text = path.read_bytes()[:4096]
    if not text.startswith(b"#!"):
        return program
    script = text.decode().replace(" -no-canonical-prefixes", "").replace("${0%/*}", str(path.parent))
    made = folder / path.name
    made.write_text(script, "utf-8")
    made.chmod(0o755)
    return str(made)


def dejagnu(
    folder: Path, target: str, subject: str, other: str, level: str
) -> tuple[dict[str, bool], dict[str, bool]]:
    """gcc's dg.exp and compat.exp on the tests in a folder: by name whether one, and whether a pair, failed.

    The subject is a gcc, whose options the suite gives; the other compiler may be another one.
    """
    runtest = need("runtest")
    suite = os.environ.get(TESTSUITE, "")
    if not (Path(suite) / "lib" / "gcc-dg.exp").exists():
        raise Missing("the testsuite of gcc")
    tests = folder / "gcc" / "testsuite"
    lay_out(Path(suite), folder, tests)
    qemu = emulator(machine_of(target))
    if qemu:
        text = (HERE / "qemu.exp.in").read_text().replace("@QEMU@", qemu)
        (folder / "qemu.exp").write_text(text)
    options = target_options(target)
    site = {
        "rootme": ".",
        "tmpdir": str(folder),
        "srcdir": str(tests),
        "CFLAGS": "",
        "target_triplet": {"i386-sysv": "x86_64-linux-gnu"}.get(
            target, platform_of(find_target(target)).triple
        ),
        "GCC_UNDER_TEST": shlex.join((*without(command(subject, target), options),)),
        "ALT_CC_UNDER_TEST": shlex.join((*without(command(other, target), options),)),
    }
    lines = [f'set {name} "{text}"' for name, text in site.items()]
    lines.append(f"set COMPAT_OPTIONS [list [list {{-{level}}} {{-{level}}}]]")
    lines.append(f'lappend boards_dir "{folder}"')
    (folder / "site.exp").write_text("\n".join((*lines, "")))
    board = "qemu" if qemu else "/".join(("unix", *options))
    words = (runtest, "--tool", "gcc", "--srcdir", str(tests), "--target_board", board, "dg.exp=abi-*.c")
    run((*words, "compat.exp=abi-*"), folder)
    steps = (folder / "gcc.log").read_text("utf-8", "replace").split("Executing on host: ")
    if any("ld returned 1" in one for one in steps if re.search(r"abi-|c_compat_", one.partition("\n")[0])):
        raise LinkError(subject)
    return outcomes((folder / "gcc.sum").read_text())


def lay_out(suite: Path, folder: Path, tests: Path) -> None:
    """Put the library of gcc's testsuite beside the tests in a folder."""
    compat = tests / "gcc.dg" / "compat"
    compat.mkdir(parents=True)
    for name in ("lib", "config"):
        (tests / name).symlink_to(suite / name)
    shutil.copy(suite / "gcc.dg" / "dg.exp", tests / "gcc.dg")
    shutil.copy(suite / "gcc.dg" / "compat" / "compat.exp", compat)
    for path in folder.glob("abi-*.c"):
        is_part = re.search(r"_(main|x|y)\.c$", path.name)
        shutil.copy(path, compat if is_part else tests / "gcc.dg")


def machine_of(target: str) -> str:
    """The processor of a target as qemu calls it."""
    return target.partition("-")[0]


def target_options(target: str) -> tuple[str, ...]:
    """What a board of DejaGnu says to build for the target."""
    return ("-m32",) if target == "i386-sysv" else ()


def without(words: Sequence[str], board: Sequence[str]) -> tuple[str, ...]:
    """A command without the options that the test or the board gives; clang keeps its triple."""
    kept = ("--target=", "-Wl", "-B", "-D_Float128")
    options = [
        one for one in words[1:] if one.startswith(kept) and not (board and one.startswith("--target"))
    ]
    return (words[0], *options, *library_of(words[0]))


def library_of(program: str) -> tuple[str, ...]:
    """Where a gcc from abiprobe's cache finds the C library of a target, which is not in the cache."""
    name = Path(program).name.partition("-gcc")[0]
    library = f"/usr/{name}/lib"
    is_cached = "/releases/" in program and Path(library, "crt1.o").exists()
    return (f"-B{library}/", f"-L{library}") if is_cached else ()


def outcomes(summary: str) -> tuple[dict[str, bool], dict[str, bool]]:
    """What a summary of DejaGnu says of single tests and of pairs.

    A pair that is not built says nothing, and neither does a test of a call; that of a layout fails as it is compiled.
    """
    alone: dict[str, bool] = {}
    pairs: dict[str, bool] = {}
    lines = re.findall(r"^(PASS|FAIL|UNRESOLVED): gcc\.dg/(\S+) (.*)$", summary, re.MULTILINE)
    of_calls = any(path.startswith("compat/") for _, path, _ in lines)
    for code, path, what in lines:
        assert code == "PASS" or "execut" in what or not of_calls, f"{code}: {path} {what}"
        assert code != "UNRESOLVED" or not of_calls, f"{code}: {path} {what}"
        found, name = (pairs, path.partition("/")[2]) if path.startswith("compat/") else (alone, path)
        found[name] = found.get(name, False) or code != "PASS"
    return alone, pairs


def rustc(program: str, path: Path) -> bool:
    """Return whether a test of rust's suite fails: by compiletest if `ABIPROBE_COMPILETEST` names it, else as that would run it."""
    runner = os.environ.get(COMPILETEST, "")
    if runner and program != old_rustc():
        return compiletest(runner, program, path)
    flags = shlex.split(
        " ".join(re.findall(r"^//@ compile-flags: (.*)$", path.read_text("utf-8"), re.MULTILINE))
    )
    words = (program, *flags, "-C", "panic=abort")
    if is_check(path):
        return checked(words, path)
    return verified(words, path)


def is_check(path: Path) -> bool:
    """Return whether a test asks for the check alone."""
    return "//@ check-pass" in path.read_text("utf-8")


def compiletest(runner: str, program: str, path: Path) -> bool:
    """Rust's own runner on one test, in a tree like that of rust."""
    suite, mode = ("ui", "ui") if is_check(path) else ("codegen-llvm", "codegen")
    root = path.parent / "rust"
    tests, made = root / "tests" / suite, root / "build" / suite
    for folder in (tests, made, root / "library", *(root / "src" / name for name in RUST_FOLDERS)):
        folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(path, tests)
    where = Path(run((program, "--print", "sysroot"), root).stdout.strip())
    host = re.findall(r"^host: (.*)$", run((program, "-vV"), root).stdout, re.MULTILINE)[0]
    options = {
        "compile-lib-path": where / "lib",
        "run-lib-path": where / "lib",
        # What rustup puts on PATH starts another program.
        "rustc-path": where / "bin" / "rustc",
        "python": sys.executable,
        "src-root": root,
        "src-test-suite-root": tests,
        "build-root": root / "build",
        "build-test-suite-root": made,
        "sysroot-base": where,
        "stage": 2,
        "stage-id": f"stage2-{host}",
        "mode": mode,
        "suite": suite,
        "target": host,
        "host": host,
        "llvm-filecheck": need(*FILECHECKS),
        "llvm-components": "aarch64 arm riscv systemz x86",
        "minicore-path": HERE / "minicore.rs",
        "channel": "nightly",
        "nightly-branch": "main",
        "git-merge-commit-email": "nobody",
        "jsondocck-path": "none",
        "cc": "cc",
        "cxx": "c++",
        "cflags": "",
        "cxxflags": "",
        "jobs": 1,
    }
    words = (runner, *(f"--{name}={value}" for name, value in options.items()))
    done = run(words, root, BOOTSTRAP)
    told = re.findall(r'^\{"event":"(ok|failed)","message"', done.stdout, re.MULTILINE)
    assert len(told) == 1, done.stdout + done.stderr
    return told == ["failed"]


def checked(words: Sequence[str], path: Path) -> bool:
    """compiletest's check-pass: whether an assertion of the test fails."""
    done = run(
        (*words, "--emit", "metadata", "-o", str(path.with_suffix(".rmeta")), str(path)),
        path.parent,
        BOOTSTRAP,
    )
    assert done.returncode == 0 or "assertion failed" in done.stderr, done.stderr
    return done.returncode != 0


def verified(words: Sequence[str], path: Path) -> bool:
    """compiletest's mode codegen: whether FileCheck finds another signature."""
    folder = path.parent
    minicore, out = folder / "libminicore.rlib", folder / "unit.ll"
    base = (*words, "--cap-lints", "allow")
    library = (
        "--crate-type",
        "rlib",
        "--crate-name",
        "minicore",
        "-o",
        str(minicore),
        str(HERE / "minicore.rs"),
    )
    unit = ("--extern", f"minicore={minicore}", "--emit", "llvm-ir", "-o", str(out), str(path))
    for one in (library, unit):
        made = run((*base, *one), folder, BOOTSTRAP)
        assert made.returncode == 0, made.stderr
    return run((need(*FILECHECKS), "--input-file", str(out), str(path)), folder).returncode != 0


def old_rustc() -> str:
    """Debian 12's rustc, whose layout of `i128` is not that of C; empty where there is none."""
    program = Path("/usr/bin/rustc")
    if not program.exists():
        return ""
    told = run((str(program), "--version"), HERE).stdout
    return str(program) if told.startswith(f"rustc {OLD_RUSTC}.") else ""


def zig(program: str, folder: Path, target: str, level: str) -> bool:
    """`zig test` on main.zig and cfuncs.c, as test/c_abi/main.zig says it: whether it fails."""
    machine = {"i386": "x86"}.get(machine_of(target), machine_of(target))
    sources = [name for name in ("main.zig", "cfuncs.c") if (folder / name).exists()]
    qemu = emulator(machine_of(target)).split()
    runs = [word for one in qemu for word in ("--test-cmd", one)] + (["--test-cmd-bin"] if qemu else [])
    mode = "ReleaseFast" if level != "O0" else "Debug"
    caches = ("--cache-dir", str(folder / "zig"), "--global-cache-dir", str(folder / "zig-global"))
    done = run(
        (program, "test", *sources, "-target", f"{machine}-linux-none", "-fllvm", "-O", mode, *caches, *runs),
        folder,
    )
    assert done.returncode == 0 or "WRONG" in done.stderr or "expected" in done.stderr, done.stderr
    return done.returncode != 0


def make(folder: Path, compiler: Sequence[str], rule: str = "all") -> bool:
    """`make CC=...`: whether it fails."""
    done = run((need("make"), rule, f"CC={shlex.join(compiler)}"), folder)
    run((need("make"), "clean"), folder)
    return done.returncode != 0
