"""`check`: known disagreements of real compilers are found, and the answer has its documented shape."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from .calling import TARGET, abiprobe, compiler, needed

RISCV = "riscv64-lp64d"
ZERO_WIDTH = "struct S { float a; int : 0; float b; };\nvoid f(struct S);\n"
ZERO_LENGTH = "struct U { float f; short z[0]; };\nstruct U g(void);\n"
EIGHTH = "void h(long, long, long, long, long, long, long, __int128);\n"

KNOWN = [
    (ZERO_WIDTH, RISCV, "gcc-12", set()),
    (ZERO_WIDTH, RISCV, "clang-22", {"riscv:fp.flatten-zero-width"}),
    (ZERO_WIDTH, RISCV, "clang-14", {"riscv:fp.flatten-zero-width"}),
    (ZERO_LENGTH, TARGET, "gcc-12", {"x86_64:class.no-element"}),
    (ZERO_LENGTH, TARGET, "clang-22", set()),
    (ZERO_LENGTH, TARGET, "clang-14", set()),
    (EIGHTH, TARGET, "clang-14", {"x86_64:class.int128"}),
    (EIGHTH, TARGET, "clang-16", {"x86_64:class.int128"}),
    (EIGHTH, TARGET, "clang-19", set()),
    (EIGHTH, TARGET, "clang-22", set()),
    (EIGHTH, TARGET, "gcc-12", set()),
]


def check(folder: Path, text: str, target: str, subject: str, *options: str) -> tuple[int, Any]:
    """Exit status and JSON of a check of declarations on standard input."""
    arguments = ("check", "-", "--target", target, "--cc", subject, "--opt", "O0", "--format", "json")
    ended = abiprobe(*arguments, *options, cwd=folder, stdin=text)
    assert not ended.stderr
    return ended.returncode, json.loads(ended.stdout)


@pytest.mark.parametrize(("text", "target", "subject", "clauses"), KNOWN)
def test_what_compilers_are_known_to_do(
    tmp_path: Path, text: str, target: str, subject: str, clauses: set[str]
) -> None:
    status, answer = check(tmp_path, text, target, needed(subject, target), "--strict")
    found = {verdict["clause"] for verdict in answer["verdicts"] if verdict["verdict"] == "deviates"}
    assert found == clauses
    assert status == bool(clauses)


def test_the_shape_of_the_answer(tmp_path: Path) -> None:
    name = compiler()
    text = "struct S { int a; double b[2]; };\nlong f(struct S s, char c);\n"
    status, answer = check(tmp_path, text, TARGET, name)
    assert status in {0, 1}
    predicted = {"schema", "target", "records", "functions", "skipped", "elsewhere"}
    observed = {"observations", "verdicts", "open", "pairs", "uncompared", "contradicts_itself"}
    assert set(answer) == predicted | observed
    assert (answer["schema"], answer["target"]) == (2, TARGET)
    assert answer["records"]["struct S"]["size"] == 24
    assert [member["path"] for member in answer["records"]["struct S"]["members"]] == ["a", "b[0]", "b[1]"]
    assert [param["passing"] for param in answer["functions"]["f"]["params"]] == ["direct", "direct"]
    verdicts = answer["verdicts"]
    assert {(item["name"], item["kind"]) for item in verdicts} >= {
        ("struct S", "layout"),
        ("f", "caller"),
        ("f", "callee"),
        ("f", "result"),
    }
    for item in verdicts:
        assert {"subject", "opt", "probe", "kind", "verdict", "clause", "detail"} <= set(item)
        assert item["subject"] == name
    layout = next(item["layout"] for item in answer["observations"] if item["name"] == "struct S")
    assert (layout["size"], layout["align"]) == (24, 8)
    call = next(item for item in answer["observations"] if item["name"] == "f")
    assert {"caller", "callee"} <= set(call)


def test_several_targets_give_a_list(tmp_path: Path) -> None:
    name = needed("zig", RISCV)
    both = f"{TARGET},{RISCV}"
    arguments = ("check", "-", "-t", both, "--cc", name, "--opt", "O0", "--format", "json")
    ended = abiprobe(*arguments, cwd=tmp_path, stdin=EIGHTH)
    assert [answer["target"] for answer in json.loads(ended.stdout)] == [TARGET, RISCV]


def test_the_text_names_clause_and_declaration(tmp_path: Path) -> None:
    subject = needed("clang-22", RISCV)
    (tmp_path / "user.h").write_text(ZERO_WIDTH)
    ended = abiprobe("check", "user.h", "-t", RISCV, "--cc", subject, "--no-known", cwd=tmp_path)
    assert ended.returncode == 1
    assert "riscv:fp.flatten-zero-width" in ended.stdout
    assert "struct S { float a; int : 0; float b; };" in ended.stdout


def test_where_nothing_travels_a_call_still_preserves(tmp_path: Path) -> None:
    status, answer = check(tmp_path, "void f(void);\n", TARGET, compiler())
    assert status == 0
    assert {(verdict["kind"], verdict["verdict"]) for verdict in answer["verdicts"]} == {
        ("caller", "unobserved"),
        ("callee", "unobserved"),
        ("preservation", "agrees"),
    }


def test_a_crash_of_the_embedded_compiler_is_a_crash(tmp_path: Path) -> None:
    """Its driver ends in order, and says so in words of its own."""
    faux = tmp_path / "cc"
    faux.write_text(
        "#!/bin/sh\n"
        """case "$*" in *-###*|*--version*) exit;; esac
for last; do :; done
while [ "$1" != -c ]; do shift; done
case "$(cat "$2")" in *abi_*) ;; *) touch "$last"; exit;; esac
echo "zig: error: clang frontend command failed with exit code 136 (use -v to see invocation)" >&2
exit 1
"""
    )
    faux.chmod(0o755)
    ended = abiprobe(
        *("check", "-", "--target", TARGET, "--cc", f"clang:{faux}", "--opt", "O0", "--witness", "object"),
        cwd=tmp_path,
        stdin="struct S { int a; };",
    )
    assert ended.returncode == 4, ended.stdout
    assert "1 crashed: zig: error: clang frontend command failed with exit code 136" in ended.stdout


def test_a_declaration_that_cannot_be_asked_is_skipped_and_the_list_says_what_was(tmp_path: Path) -> None:
    name = compiler()
    text = "struct S { int a; };\nvoid f(struct S);\n__ibm128 d(void);\n"
    ended = abiprobe("check", "-", "-t", TARGET, "--cc", name, "--opt", "O0", "-v", cwd=tmp_path, stdin=text)
    lines = ended.stdout.splitlines()
    assert lines[0] == "read 1 record, 1 function; skipped 1:"
    assert lines[1].startswith("  1: __ibm128 is not supported on this target (d, <stdin>:3:")
    listed = ended.stdout.partition(f"\n{TARGET}\n")[2]
    assert "  struct S\n" in listed
    assert "  void f(struct S p0);\n" in listed
    assert f"    {name} -O0: " in listed
    said = "not tested: 1 declaration (d), so the exit status is 3 unless it is 1 or 4; --allow-skipped allows it"
    assert (ended.returncode, lines[-1]) == (3, said)
    status, answer = check(tmp_path, text, TARGET, name, "--allow-skipped")
    assert status == 0
    assert [(item["reason"], item["count"]) for item in answer["skipped"]] == [
        ("__ibm128 is not supported on this target", 1)
    ]


def test_a_record_that_no_function_uses_is_skipped_without_an_exit_status_of_its_own(tmp_path: Path) -> None:
    text = "struct D { __ibm128 a; };\nstruct S { int a; };\n"
    arguments = ("check", "-", "-t", TARGET, "--cc", compiler(), "--opt", "O0")
    ended = abiprobe(*arguments, cwd=tmp_path, stdin=text)
    assert ended.returncode == 0
    assert ended.stdout.splitlines()[-1] == "not tested: 1 declaration (struct D), which no function uses"
    assert abiprobe(*arguments, cwd=tmp_path, stdin=f"{text}void f(struct D *);").returncode == 3


def test_records_are_asked_at_each_level(tmp_path: Path) -> None:
    name = needed("gcc-12", TARGET)
    packing = tmp_path / "packing"
    packing.write_text(
        f'#!/bin/sh\ncase $* in *-O2*) exec {name} -fpack-struct=4 "$@";; esac\nexec {name} "$@"\n'
    )
    packing.chmod(0o755)
    arguments = ("--opt", "O0,O2", "--witness", "object", "--format", "json")
    ended = abiprobe(
        *("check", "-", "-t", TARGET, "--cc", f"gcc:{packing}", *arguments),
        cwd=tmp_path,
        stdin="struct S { int a; double b; };",
    )
    found = {item["opt"]: item["verdict"] for item in json.loads(ended.stdout)["verdicts"]}
    assert (ended.returncode, found) == (1, {"O0": "agrees", "O2": "deviates"})


def test_a_target_without_a_compiler_is_told(tmp_path: Path) -> None:
    other = "mips64el-n64"
    name = needed("tcc", TARGET)
    arguments = ("check", "-", "-t", f"{other},{TARGET}", "--cc", name, "--opt", "O0")
    ended = abiprobe(*arguments, cwd=tmp_path, stdin="int f(int);")
    said = f"nothing was compared of {other}: no compiler that was named builds for it"
    assert (ended.returncode, ended.stdout.splitlines()[-1]) == (3, said)


def test_a_mistyped_option_of_a_compiler_is_told_in_its_own_words(tmp_path: Path) -> None:
    name = needed("clang-22", TARGET)
    ended = abiprobe(
        "check", "-", "-t", TARGET, "--cc", f"{name} -mllvm -nonsense", cwd=tmp_path, stdin="int f(int);"
    )
    assert ended.returncode == 2
    assert "-nonsense" in ended.stderr
    assert ended.stderr.count("\n") == 1


def test_what_a_compiler_lacks_is_said(tmp_path: Path) -> None:
    name = needed("gcc-12", TARGET)
    ended = abiprobe(
        "check", "-", "-t", TARGET, "--cc", name, "--opt", "O0", cwd=tmp_path, stdin="_BitInt(37) f(int);"
    )
    assert f"{TARGET} {name}: 1 not tested: the compiler has no _BitInt" in ended.stdout


def test_a_member_in_the_middle_breaks_the_baseline(tmp_path: Path) -> None:
    name = compiler()
    header, other = tmp_path / "a.h", tmp_path / "b.h"
    header.write_text("struct S { num a; double b; };\ndouble f(struct S s);\n", "utf-8")
    other.write_text("void g(num a);\n", "utf-8")
    entry = {"directory": str(tmp_path), "file": "a.c", "command": "cc -Dnum=int a.c"}
    (tmp_path / "compile_commands.json").write_text(json.dumps([entry]), "utf-8")
    asked = ("check", "a.h", "b.h", "-t", f"{TARGET},{RISCV}", "--cc", name, "--opt", "O0")
    asked = (*asked, "--compile-commands", ".")
    first = abiprobe(*asked, "--write-baseline", "abi.json", cwd=tmp_path)
    assert first.returncode == 0, first.stdout + first.stderr
    again = abiprobe(*asked, "--baseline", "abi.json", cwd=tmp_path)
    unchanged = f"since abi.json, on {TARGET}, {RISCV}: no change\n"
    assert (again.returncode, unchanged in again.stdout) == (0, True)
    header.write_text("struct S { num a; long n; double b; };\ndouble f(struct S s);\n", "utf-8")
    changed = abiprobe(*asked, "--baseline", "abi.json", cwd=tmp_path)
    assert changed.returncode == 1
    in_registers = "direct, bytes 0 to 4 in a0; bytes 8 to 16 in fa0"
    for line in (
        f"since abi.json, on {TARGET}, {RISCV}: 3 ABI breaks",
        "  ABI break: struct S: member n (long) added at byte 8; moves member b by 8 bytes; size 16 -> 24 bytes",
        f"  on {RISCV}:",
        f"    ABI break: f(): parameter 1 (struct S): {in_registers} -> indirect, bytes 0 to 8 in a0",
    ):
        assert f"{line}\n" in changed.stdout
    values = json.loads(abiprobe(*asked, "--baseline", "abi.json", "--format", "json", cwd=tmp_path).stdout)
    assert all(any(one["breaks"] for one in value["changed"]) for value in values)


def test_a_file_without_declarations_is_skipped_beside_another(tmp_path: Path) -> None:
    name = compiler()
    (tmp_path / "a.h").write_text("struct S { int a; };\n", "utf-8")
    (tmp_path / "none.h").write_text("#define NOTHING\n", "utf-8")
    asked = ("check", "a.h", "none.h", "-t", TARGET, "--cc", name)
    found = abiprobe(*asked, cwd=tmp_path)
    assert (found.returncode, "none.h declares no record and no function" in found.stdout) == (0, True)
    missing = abiprobe(*asked, "missing.h", cwd=tmp_path)
    assert (missing.returncode, missing.stderr.startswith("abiprobe: missing.h: ")) == (2, True)
    broken = abiprobe(*asked, "--baseline", "a.h", cwd=tmp_path)
    assert (broken.returncode, broken.stderr.count("\n")) == (2, 1)
