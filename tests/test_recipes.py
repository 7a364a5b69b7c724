"""The commands of the CI recipes run as they stand in the documentation, on fewer questions."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from abiprobe.harness.subjects.find import installed, parse_subject
from abiprobe.oracles.registry import find_target

RECIPES = Path(__file__).parent.parent / "docs" / "how-to" / "ci.md"
SMALLER = {
    "riscv64-lp64d x86_64-sysv --corpus": "x86_64-sysv --cc gcc-12,clang-16 --opt O0 --no-tours",
    "--cases 3000": "--cases 10 --pairs none --no-triage",
    'abiprobe triage "$run"': 'abiprobe triage "$run" --budget 1s',
}


def scripts(part: str) -> list[str]:
    """The shell blocks of one recipe, in their order."""
    text = RECIPES.read_text("utf-8").split(f"### {part}\n")[1].split("```")[1]
    return [textwrap.dedent(block) for block in re.findall(r"run: \|\n((?: {10}.*\n)+)", text)]


def shell(script: str, folder: Path, **more: str) -> subprocess.CompletedProcess[str]:
    """A step of a job, as the runner does it."""
    for long, short in SMALLER.items():
        script = script.replace(long, short)
    path = os.pathsep.join((str(folder / "bin"), os.environ["PATH"]))
    return subprocess.run(
        ("bash", "-e", "-o", "pipefail", "-c", script),
        cwd=folder,
        env={**os.environ, "PATH": path, **more},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


def own_program(folder: Path) -> None:
    """Put an `abiprobe` into the folder's `bin` that is the one under test."""
    (folder / "bin").mkdir()
    program = folder / "bin" / "abiprobe"
    program.write_text(
        f'#!/bin/sh\nexec {sys.executable} -c "from abiprobe.harness.cli.main import main; main()" "$@"\n',
        "utf-8",
    )
    program.chmod(0o755)


def test_two_nights_on_github(tmp_path: Path) -> None:
    for name in ("gcc-12", "clang-16"):
        if not installed(parse_subject(name), (find_target("x86_64-sysv"),)):
            pytest.skip(f"{name} is not installed")
    own_program(tmp_path)
    probe, report = scripts("GitHub Actions")
    summary = tmp_path / "summary.md"
    for _ in range(2):
        each = probe.replace("${{ github.run_number }}", "7").replace("${{ matrix.part }}/3", "1/1")
        done = shell(each.replace("${{ matrix.part }}", "1"), tmp_path)
        assert done.returncode == 0, done.stderr
        done = shell(report, tmp_path, GITHUB_STEP_SUMMARY=str(summary))
        assert done.returncode == 0, done.stderr
        subprocess.run(("rm", "-r", str(tmp_path / "shards")), check=True)
    found = {path.name for path in (tmp_path / "report").iterdir()}
    assert found == {"index.html", "junit.xml", "abiprobe.sarif", "summary.md", "diff.md", "accept.toml"}
    assert "no change in " in (tmp_path / "report" / "diff.md").read_text("utf-8")
    assert summary.read_text("utf-8").count("## abiprobe") == 2


ACTION = Path(__file__).parent.parent / ".ci" / "action"
COMMENT = ACTION.with_name("comment")
GH = """\
#!/bin/sh
echo "$@" >> "$CALLS"
case $* in *--paginate*) cat "$OLD" ;; *body=@*) for word; do body=$word; done; cat "${body#body=@}" > "$BODY" ;; esac
"""
"""GitHub's program: it keeps how it was called, knows the comments in `$OLD`, and keeps the last one written."""


def commands(folder: Path, **scripts: str) -> dict[str, str]:
    """An environment in which programs of these names are there, abiprobe among them."""
    (folder / "bin").mkdir()
    own = f'#!/bin/sh\nexec {sys.executable} -c "from abiprobe.harness.cli.main import main; main()" "$@"\n'
    for name, text in {"abiprobe": own, **scripts}.items():
        program = folder / "bin" / name
        program.write_text(text, "utf-8")
        program.chmod(0o755)
    return {**os.environ, "PATH": os.pathsep.join((str(folder / "bin"), os.environ["PATH"]))}


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
def test_the_action_runs_twice(tmp_path: Path) -> None:
    name = next(
        (name for name in ("zig", "gcc-12") if installed(parse_subject(name), (find_target("x86_64-sysv"),))),
        None,
    )
    if name is None:
        pytest.skip("neither gcc-12 nor zig is installed")
    (tmp_path / "a.h").write_text("struct S { int a; };\nvoid f(struct S s);\n", "utf-8")
    output, summary = tmp_path / "output", tmp_path / "summary"
    given = {
        "TARGETS": "x86_64-sysv",
        "COMPILERS": name,
        "BUDGET": "5m",
        "OPTIONS": "--cases 5 --opt O0 --no-tours --no-triage --known-only none.toml",
        "HEADERS": "*.h",
        "SEED": "7",
        "GITHUB_OUTPUT": str(output),
        "GITHUB_STEP_SUMMARY": str(summary),
    }
    (tmp_path / "none.toml").touch()
    environment = {**commands(tmp_path), **given}
    for _ in range(2):
        words = ("bash", str(ACTION))
        done = subprocess.run(
            words, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False, timeout=300
        )
        assert done.returncode == 0, done.stdout + done.stderr
    written = dict(line.split("=") for line in output.read_text("utf-8").splitlines())
    assert written["status"] in {"0", "1"}
    found = {path.name for path in (tmp_path / written["report"]).iterdir()}
    assert found == {"index.html", "junit.xml", "abiprobe.sarif", "summary.md", "accept.toml"}
    text = summary.read_text("utf-8")
    assert (text.count("## abiprobe"), text.count("### Since the last run"), text.count("### Headers")) == (
        2,
        1,
        2,
    )
    assert "no change in " in text
    assert "read 1 record, 1 function" in text


COMPONENT = ACTION.parent.parent / "templates" / "abiprobe.yml"
VENV = """\
#!/bin/sh
mkdir -p "$3/bin"
cp "$OWN" "$3/bin/abiprobe"
printf '#!/bin/sh\\necho "$@" >> "$CALLS"\\n' > "$3/bin/pip"
chmod +x "$3/bin/pip"
"""
"""Python's program as the component uses it: a virtual environment has abiprobe already, and a pip that keeps what it is asked."""


def component(**inputs: str) -> tuple[dict[str, str], list[str]]:
    """The variables and the script of the component's job."""
    head, _, body = COMPONENT.read_text("utf-8").partition("\n---\n")
    known = YAML(typ="safe").load(head)["spec"]["inputs"]
    assert inputs.keys() <= known.keys()

    def value(found: re.Match[str]) -> str:
        return inputs[found[1]] if found[1] in inputs else str(known[found[1]]["default"])

    job = YAML(typ="safe").load(re.sub(r"\$\[\[ inputs\.(\w+) \]\]", value, body))["abiprobe"]
    return job["variables"], job["script"]


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
@pytest.mark.long
def test_the_gitlab_component_runs(tmp_path: Path) -> None:
    name = next(
        (name for name in ("zig", "gcc-12") if installed(parse_subject(name), (find_target("x86_64-sysv"),))),
        None,
    )
    if name is None:
        pytest.skip("neither gcc-12 nor zig is installed")
    source, job, own = tmp_path / "source", tmp_path / "job", tmp_path / "bin" / "abiprobe"
    (source / ".ci").mkdir(parents=True)
    shutil.copy(ACTION, source / ".ci")
    git = ("git", "-C", str(source), "-c", "user.name=me", "-c", "user.email=me@example.org")
    for words in (("init", "-q", "-b", "main"), ("add", "."), ("commit", "-q", "-m", "it")):
        subprocess.run((*git, *words), check=True)
    job.mkdir()
    (job / "a.h").write_text("struct S { int a; };\nvoid f(struct S s);\n", "utf-8")
    (job / "none.toml").touch()
    variables, script = component(
        source=str(source),
        targets="x86_64-sysv",
        compilers=name,
        budget="5m",
        options="--cases 5 --opt O0 --no-tours --no-triage --known-only none.toml",
        headers="*.h",
    )
    environment = {
        **commands(tmp_path, python3=VENV),
        **variables,
        "CI_PIPELINE_IID": "7",
        "TMPDIR": str(tmp_path),
    }
    environment |= {"OWN": str(own), "CALLS": str(tmp_path / "calls")}
    done = subprocess.run(
        ("bash", "-c", "\n".join(("set -eo pipefail", *script))),
        cwd=job,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    found = {path.name for path in (job / "abiprobe-report").iterdir()}
    assert found == {"index.html", "junit.xml", "abiprobe.sarif", "summary.md", "accept.toml"}
    assert "## abiprobe" in done.stdout
    assert "read 1 record, 1 function" in done.stdout
    assert re.fullmatch(r"install \S+/abiprobe\[embedded\]\n", (tmp_path / "calls").read_text("utf-8"))


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
@pytest.mark.parametrize(
    ("old", "call"),
    [("", "--method POST repos/me/it/issues/5/comments"), ("41\n", "PATCH repos/me/it/issues/comments/41")],
)
def test_one_comment_is_kept_up_to_date(tmp_path: Path, old: str, call: str) -> None:
    for name, text in (("old", old), ("summary.md", "0 new causes\n")):
        (tmp_path / name).write_text(text, "utf-8")
    calls, body = tmp_path / "calls", tmp_path / "body"
    given = {
        "CALLS": str(calls),
        "OLD": str(tmp_path / "old"),
        "BODY": str(body),
        "REPOSITORY": "me/it",
        "NUMBER": "5",
    }
    subprocess.run(
        ("bash", str(COMMENT), "summary.md"),
        cwd=tmp_path,
        env={**commands(tmp_path, gh=GH), **given},
        check=True,
    )
    assert call in calls.read_text("utf-8").splitlines()[1]
    assert body.read_text("utf-8") == "<!-- abiprobe -->\n0 new causes\n"


def test_the_container_has_what_the_readme_installs() -> None:
    readme = (RECIPES.parents[2] / "README.md").read_text("utf-8")
    line = next(line for line in readme.splitlines() if line.startswith("apt-get install"))
    recipe = ACTION.with_name("Containerfile").read_text("utf-8")
    assert set(line.split()[3:]) <= set(recipe.split())


def test_two_nights_of_public_pages(tmp_path: Path) -> None:
    script = Path(__file__).parent.parent / ".ci" / "pages"
    if not installed(parse_subject("gcc-12"), (find_target("x86_64-sysv"),)):
        pytest.skip("gcc-12 is not installed")
    own_program(tmp_path)
    settings = {
        "TARGETS": "x86_64-sysv",
        "COMPILERS": "gcc-12",
        "BUDGET": "2s",
        "TRIAGE": "1s",
        "KEEP": "1",
        "INSTALL": "clang-1",
        "SITE": "--no-maps --no-bundles --no-edges",
        "URL": "https://abi.example/pages",
    }
    for night in (1, 2):
        done = shell(script.read_text("utf-8"), tmp_path, **settings, SEED=str(night))
        assert done.returncode == 0, done.stderr
        # A compiler that cannot be had stops nothing.
        assert "not installed: clang-1" in done.stderr
        time.sleep(1.1)
    assert "https://abi.example/pages/index.html" in (tmp_path / "public/sitemap.xml").read_text()
    nights = json.loads((tmp_path / "public/site.json").read_text())["past"]["nights"]
    assert len(nights) == 2
    assert "Over the nights" in (tmp_path / "public/index.html").read_text()
    assert len(list((tmp_path / ".abiprobe/runs").glob("*/triage.json"))) == 1


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
def test_a_night_that_is_a_mistake_publishes_nothing(tmp_path: Path) -> None:
    own_program(tmp_path)
    script = (Path(__file__).parent.parent / ".ci" / "pages").read_text("utf-8")
    settings = {"TARGETS": "vax", "BUDGET": "1s", "TRIAGE": "1s", "KEEP": "1", "SEED": "1"}
    done = shell(script, tmp_path, **settings)
    assert done.returncode == 2
    assert not (tmp_path / "public").exists()
