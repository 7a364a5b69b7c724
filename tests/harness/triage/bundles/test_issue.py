"""What an issue is made of: a unit of plain C, its assembly, and a link that carries both to Compiler Explorer."""

from __future__ import annotations

import base64
import json

import msgspec
import pytest

from abiprobe.harness.input import read
from abiprobe.harness.subjects.find import build, installed, parse_subject
from abiprobe.harness.subjects.subject import Built
from abiprobe.harness.triage.bundles import explorer, issue
from abiprobe.harness.triage.bundles.assembly import LINES, assembly, plain
from abiprobe.harness.triage.bundles.snippet import is_shown, snippet
from abiprobe.harness.triage.cases import Case
from abiprobe.oracles.language.question import Question
from abiprobe.oracles.registry import find_target
from abiprobe.results.causes.fingerprint import Fingerprint, Symptom

TARGET = "x86_64-sysv"
DECLARATIONS = (
    "struct S { float a; int : 0; float b; }; struct S f(struct S a, int b);",
    "void f(const int a, double b);",
    "typedef int V __attribute__((vector_size(16))); V f(V a);",
    "struct S { const int a[3]; _Alignas(16) char b; };",
    "union U { int : 3; };",
    "int f(int a, ...); void g(void) { f(1, 2.0, 3L); }",
    "void f(int (*a)[3], void (*b)(int));",
)


def declared(text: str) -> Question:
    found = read(text, filename="t.h", triple="x86_64-linux-gnu")
    return (found.functions or found.records[-1:])[0]


@pytest.mark.parametrize("text", DECLARATIONS)
def test_a_compiler_takes_the_unit_of_any_question(text: str) -> None:
    subject = next(
        (
            one
            for name in ("clang", "zig", "gcc-12", "gcc")
            if installed(one := parse_subject(name), (find_target(TARGET),))
        ),
        None,
    )
    if subject is None:
        pytest.skip("no compiler is installed for x86_64-sysv")
    built = build(subject, find_target(TARGET), "O0")
    assert built is not None
    question = declared(text)
    assert is_shown(question)
    shown = assembly(built.command, snippet(question))
    assert ("caller:" in shown and "callee:" in shown) or "size_of_it:" in shown


def test_assembly_for_people_has_no_directives_and_an_end() -> None:
    text = "\t.text\nf:\n\t.cfi_startproc\n\tret  # done\n\t# note\n\n.Lfunc_end0:\n\t.quad 8\n"
    assert plain(text).split("\n") == ["f:", "\tret", "\t.quad 8"]
    assert plain("\tnop\n" * (LINES + 2)).endswith("... 2 more lines")


@pytest.mark.parametrize(
    ("family", "version", "target", "name"),
    [
        ("clang", (16, 0, 6), "riscv64-lp64d", "cclang1600"),
        ("clang", (99, 1), "x86_64-sysv", "cclang_trunk"),
        ("gcc", (12, 2, 0), "x86_64-sysv", "cg122"),
        ("gcc", (12, 2, 0), "riscv64-lp64d", "rv64-cgcc1220"),
        ("gcc", (4, 9), "x86_64-sysv", None),
        ("gcc", (12, 2), "upmem-dpu", None),
        ("rustc", (1, 95, 0), "x86_64-sysv", "r1950"),
        ("zig-lang", (0, 17, 1), "x86_64-sysv", "z0171"),
        ("tcc", (0, 9, 27), "x86_64-sysv", None),
        ("clang", (), "x86_64-sysv", None),
    ],
)
def test_compilers_as_the_site_names_them(
    family: str, version: tuple[int, ...], target: str, name: str | None
) -> None:
    found = explorer.compiler(family, version, target, ("-O2",))
    assert (found and found["id"]) == name


def test_a_link_carries_the_unit_and_the_compilers() -> None:
    beside = [{"id": "cg122", "options": "-O2"}]
    other = [{"id": "r1950", "options": ""}]
    sessions = [("c", "int f(void);", beside), ("rust", "fn f() {}", other)]
    site, _, data = explorer.link(sessions).partition("clientstate/")
    assert site == "https://godbolt.org/"
    session, second = json.loads(base64.urlsafe_b64decode(data))["sessions"]
    assert (second["language"], second["compilers"]) == ("rust", other)
    assert session["source"] == "int f(void);"
    assert session["language"] == "c"
    assert session["compilers"] == beside


def case(*deviating: str, agreeing: tuple[str, ...] = ()) -> Case:
    asked, others = ((tuple((name, "O0") for name in names)) for names in (deviating, agreeing))
    what = Fingerprint(TARGET, Symptom.MISPLACED, "x86_64:pass.integer")
    return Case("c", declared("void f(int a);"), what, asked, others, (*asked, *others))


def test_an_issue_is_about_the_newest_that_deviates(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(issue, "ready", lambda _, asked: Built((asked[0],)))
    monkeypatch.setattr(
        issue, "version_of", lambda built: f"clang version {built.command[0].rpartition('-')[2]}.1"
    )
    assert issue.newest(case("clang-9", "clang-22", "clang-16", "gcc-30"), "clang") == ("clang-22", "O0")


def test_who_follows_the_text_is_a_sentence() -> None:
    assert issue.follows(case("a", agreeing=("b",))) == "b follows the text."
    assert issue.follows(case("a", agreeing=("b", "c"))) == "b and c follow the text."
    assert issue.follows(case("a")) == "No other compiler was tested."
    assert issue.follows(case("a", "b")) == "All compilers that were tested deviate."
    silent = msgspec.structs.replace(case("a"), everyone=(("a", "O0"), ("b", "O0")))
    assert issue.follows(silent) == "No compiler that was tested follows the text."


def test_a_clause_comes_with_its_document() -> None:
    text = issue.clause_text("riscv:fp.nan-box")
    assert text.startswith("RISC-V ABIs Specification")
    assert text.splitlines()[-1].startswith("https://github.com/riscv-non-isa/")
    assert "sheet" not in text
    assert issue.clause_text("") == ""
