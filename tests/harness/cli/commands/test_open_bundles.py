"""Questions that no text decides, in files: a bundle shows who differs without blame, a timeline says from whom."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from .calling import TARGET, abiprobe, needed

CALL = "struct S { float a; int : 8; }; void f(struct S p);"
LAYOUT = "struct S { char __attribute__((vector_size(32))) a; };"
ASKED = ("--target", TARGET, "--cc", "zig,gcc-12", "--opt", "O0")


@pytest.fixture(autouse=True)
def compilers() -> None:
    needed("zig", TARGET)
    needed("gcc-12", TARGET)


@pytest.mark.parametrize(
    ("text", "failing", "line", "row"),
    [
        (CALL, {"gcc_12-O0-calls-zig-O0", "zig-O0-calls-gcc_12-O0"}, "LOST   a [0..4): given", "xmm0"),
        (LAYOUT, {"gcc_12-O0-beside-zig-O0"}, "DIFFERS  _Alignof, bytes: ", "_Alignof"),
    ],
    ids=["call", "layout"],
)
def test_a_bundle_shows_who_differs(
    text: str, failing: set[str], line: str, row: str, tmp_path: Path
) -> None:
    if shutil.which("make") is None:
        pytest.skip("make is not installed")
    (tmp_path / "f.h").write_text(text, "utf-8")
    done = abiprobe("repro", "f.h", *ASKED, "--out", "bundle", "--format", "json", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    tried = json.loads(done.stdout)["tried"]
    assert set(tried["failed"]) == failing
    assert tried["as_expected"]
    assert any(one.startswith(line) for one in tried["wrong"])
    bundle = tmp_path / "bundle"
    assert row in (bundle / "expected-and-seen.txt").read_text("utf-8")
    issues = [(bundle / name).read_text("utf-8") for name in ("issue-gcc.txt", "issue-llvm.md")]
    for issue in issues:
        assert "The documents leave this open" in issue
        assert "wrong-code" not in issue
        assert "miscompilation" not in issue
        assert "gcc-12 -O0" in issue
        assert "zig -O0" in issue
    assert "Disagree with zig -O0: gcc-12" in issues[0]


def test_a_timeline_says_from_whom_versions_part(tmp_path: Path) -> None:
    (tmp_path / "f.h").write_text(CALL, "utf-8")
    done = abiprobe("bisect", "f.h", *ASKED, "--format", "json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    lines = {line["family"]: line for line in json.loads(done.stdout)}
    assert lines["gcc"]["against"] == [{"subject": "zig", "opt": "O0"}]
    assert lines["clang"]["against"] == [{"subject": "gcc-12", "opt": "O0"}]
    assert {line["first_bad"] for line in lines.values()} == {"gcc-12", "zig"}
    text = abiprobe("bisect", "f.h", *ASKED, cwd=tmp_path).stdout
    assert "the documents leave it open: bad means in disagreement with zig -O0" in text
