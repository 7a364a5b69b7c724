"""Every command and every output of the documents is the program's own.

The commands of a block run in a folder of their own, one after the other, and what they print is compared with what
the document shows. Commands that are not run are named in `plan.toml`, with the reason; their options are checked.
`python -m tests.documents.refresh` writes the real outputs into the documents.
"""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest

from abiprobe.harness.cli.commands.console import PIPED_WIDTH
from abiprobe.harness.cli.main import cli
from tests.harness.cli.commands.calling import abiprobe

from . import options
from .matching import agrees, holds
from .picture import PICTURE, SUBJECTS, picture, printed, said
from .plan import Step, filled, plan, reason_not_run, steps
from .snippets import ROOT, Block, Command, Synopsis, commands, data, documents, every_block, inline, spans
from .workspace import inputs, need, need_program, workspace

BLOCKS = {
    f"{block.document}:{block.line}": (block, tuple(commands(block)))
    for block in every_block()
    if any(isinstance(one, Command) and not reason_not_run(one) for one in commands(block))
}
JSON = {f"{block.document}:{block.line}": block for block in every_block() if block.marked("output")}
NAMED = [command for one in plan().named for command in one.commands]
TOLD = (
    *(
        "README.md",
        "docs/command-line.md",
        "docs/how-to/headers.md",
        "docs/how-to/nights.md",
        "docs/how-to/triage.md",
    ),
    *("docs/limits.md", "docs/tutorial.md", "docs/verdicts.md"),
)
"""Documents whose sentences name options."""
OF_OTHERS = ("--nthreads", "--lf")
"""Options of Dask and pytest that sentences name."""
PYTEST_OPTION = re.compile(r"--abiprobe-[a-z]+(?:-[a-z]+)*")


def every_command() -> list[Command | Synopsis]:
    """All commands in blocks, sentences and tables."""
    found = [one for block in every_block() for one in commands(block)]
    return found + [one for document in (*documents(), *data()) for one in inline(document)]


def lines() -> list[str]:
    """All command lines of abiprobe's own, each once."""
    texts = (one.text for one in every_command())
    return sorted({text for text in texts if text.split()[0] == "abiprobe"})


def run(step: Step, folder: Path) -> str:
    """The standard output of a command."""
    # Workers of pytest-xdist have COLUMNS=80; the documents show what goes into a pipe.
    done = abiprobe(*step.words[1:], cwd=folder, env={"COLUMNS": str(PIPED_WIDTH)})
    assert done.returncode in step.status, (
        f"{' '.join(step.words)}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
    )
    assert "Traceback" not in done.stderr
    return done.stdout


def prepare(folder: Path, found: tuple[Command, ...]) -> None:
    """Make what the commands need; skips where a compiler of theirs is missing."""
    words = {word for command in found for step in steps(command) for word in inputs(step.words)}
    listed = [step.words for command in found for step in steps(command) if "--cc" in step.words]
    for one in listed:
        need(*one[one.index("--cc") + 1].split(","))
    workspace(folder, words)
    folders = {step.words[-1] for command in found for step in steps(command) if "--subject" in step.words}
    for name in folders:
        need_program(folder / name)


@pytest.mark.parametrize("name", BLOCKS)
def test_a_block(name: str, tmp_path: Path) -> None:
    found = tuple(one for one in BLOCKS[name][1] if isinstance(one, Command) and not reason_not_run(one))
    prepare(tmp_path, found)
    for command in found:
        printed = "".join(run(step, tmp_path) for step in steps(command))
        if command.output is not None:
            assert agrees(command.output, printed, command.varies), (
                f"{name} shows another output of {command.text}; "
                f"python -m tests.documents.refresh writes this one:\n{printed}"
            )


@pytest.mark.parametrize("name", JSON)
def test_a_part_of_json(name: str, tmp_path: Path) -> None:
    block = JSON[name]
    (text,) = block.marked("output")
    command = Command(block.document, block.line, tuple(text.split()))
    prepare(tmp_path, (command,))
    printed = run(steps(command)[0], tmp_path)
    assert holds(json.loads(printed), json.loads(block.content)), printed


@pytest.mark.parametrize("text", NAMED)
def test_a_command_within_a_sentence(text: str, tmp_path: Path) -> None:
    workspace(tmp_path, set(text.split()))
    assert run(Step(tuple(map(filled, text.split())), (0,)), tmp_path)


@pytest.mark.parametrize("text", lines())
def test_the_command_line_has_it(text: str) -> None:
    assert options.mistakes(text) == []


def test_a_mistake_is_found() -> None:
    assert options.mistakes("abiprobe reqort RUN")
    assert options.mistakes("abiprobe report RUN --fast")
    assert options.mistakes("abiprobe report RUN [--format text|yaml]")
    assert options.mistakes("abiprobe toolchains install|remove clang-N [--fast]")
    assert not options.mistakes("abiprobe toolchains install|remove clang-N[..clang-M]")


def test_every_option_is_documented() -> None:
    text = (ROOT / "docs" / "command-line.md").read_text("utf-8")
    documented = set(options.OPTION.findall(text)) | set(re.findall(r"--[a-z][a-z-]*", text))
    missing = {
        f"{name} {option}"
        for name, command in options.leaves()
        for option in options.names(command)
        if option.startswith("--") and not {option, option.replace("--", "--no-", 1)} & documented
    }
    assert missing == set()


def test_every_command_takes_json() -> None:
    for document in ("README.md", "docs/command-line.md"):
        assert "Every command takes `--format json`" in " ".join((ROOT / document).read_text("utf-8").split())
    lacking = {
        name for name, command in options.leaves() if not options.choices(command, "--format") >= {"json"}
    }
    assert lacking == set()


def test_options_in_sentences_exist() -> None:
    known = {option for _, command in options.leaves() for option in options.names(command)} | {
        "--config",
        "--version",
    }
    wrong = [
        f"{document}:{line}: {text}"
        for document in TOLD
        for line, text in spans(document)
        for option in re.findall(r"^(--[a-z][a-z-]*)", text)
        if option not in known and not option.startswith(("--abiprobe-", *OF_OTHERS))
    ]
    assert wrong == []


def test_options_of_the_plugin_exist() -> None:
    source = (ROOT / "harness" / "cli" / "pytest_plugin.py").read_text("utf-8")
    shown = {
        option
        for document in documents()
        for option in PYTEST_OPTION.findall((ROOT / document).read_text("utf-8"))
    }
    assert shown
    assert {option for option in shown if f'"{option}"' not in source} == set()


def test_every_command_has_a_synopsis() -> None:
    shown = {
        name
        for one in every_command()
        if one.text.startswith("abiprobe ")
        for name, _ in options.named(one.text)
    }
    assert {name for name, _ in options.leaves()} <= shown
    assert set(cli.commands)


def test_the_plan_names_nothing_that_is_gone() -> None:
    found = [one for one in every_command() if isinstance(one, Command)]
    texts = {one.text for one in found}
    assert [one.command for one in plan().instead if one.command not in texts] == []
    unused = [
        begin for one in plan().not_run for begin in one.begins if not any(t.startswith(begin) for t in texts)
    ]
    assert unused == []
    within = {text for document in (*documents(), *data()) for _, text in spans(document)}
    parts = {text.partition("|")[0] for text in within} | {
        f"abiprobe list {what}" for what in ("toolchains", "clauses")
    }
    assert [text for text in NAMED if text not in parts | within] == []


def test_whatever_is_not_abiprobe_is_not_run_for_a_reason() -> None:
    found = [one for one in every_command() if isinstance(one, Command)]
    assert [
        one.text for one in found if not one.text.startswith("abiprobe ") and not reason_not_run(one)
    ] == []


def test_the_site_has_every_document() -> None:
    listed = set(
        re.findall(
            r"^([a-z-]+(?:/[a-z*-]+)?)$", (ROOT / "docs" / "index.md").read_text("utf-8"), re.MULTILINE
        )
    )
    names = {
        path.removeprefix("docs/").removesuffix(".md") for path in documents() if path.startswith("docs/")
    }
    assert {name for name in names if name != "index" and not name.startswith("findings/")} <= listed
    assert "findings/*" in listed


def test_the_picture_shows_what_is_printed() -> None:
    need(*SUBJECTS)
    assert said(PICTURE.read_text("utf-8")) == said(picture(printed()))


def test_outputs_have_a_command() -> None:
    for block in every_block():
        if block.language == "console":
            assert block.content.startswith("$ "), f"{block.document}:{block.line}"


def is_toml(block: Block) -> bool:
    return block.content.lstrip().startswith("[[")


@pytest.mark.parametrize(
    "block", list(filter(is_toml, every_block())), ids=lambda b: f"{b.document}:{b.line}"
)
def test_toml_can_be_read(block: Block) -> None:
    assert tomllib.loads(block.content)


@pytest.mark.parametrize(
    ("shown", "real", "same"),
    [
        ("a\n...\nc\n", "a\nb\nb\nc\n", True),
        ("a\n...\nc\n", "a\nb\n", False),
        ("took ... s\n", "took 1.5 s\n", True),
        ("a\n", "a\nb\n", False),
        ("...\nb", "a\nb\n", True),
        ("7 s", "8 s\n", False),
    ],
)
def test_elisions(shown: str, real: str, *, same: bool) -> None:
    assert agrees(shown, real) is same


def test_figures_that_vary() -> None:
    assert agrees("in 7 s\n", "in 12 s\n", (r"\d+ s$",))
    assert not agrees("in 7 s\n", "in 12 ms\n", (r"\d+ s$",))


def test_parts_of_json() -> None:
    assert holds({"x": [{"a": 1, "b": [1, 2, 3]}]}, {"b": [1, 3]})
    assert not holds({"x": [{"a": 1, "b": [1, 2, 3]}]}, {"b": [3, 1]})
    assert not holds({"x": 1}, {"x": 2})
