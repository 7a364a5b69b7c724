"""What a compiler can do is asked once, and a sample says no more than its feature."""

from __future__ import annotations

from pathlib import Path

import pytest

from abiprobe.harness.subjects.features import EVERYTHING, lacking, unanswered
from abiprobe.harness.subjects.find import build, identity, installed, parse_subject
from abiprobe.harness.subjects.subject import Built, Identity
from abiprobe.oracles.language.features import CONVENTIONS, ISAS, SAMPLES
from abiprobe.oracles.registry import find_target

TARGET = "x86_64-sysv"


def compiler(folder: Path, refused: str, says: str = "", ends: str = "echo 'error: no' >&2; exit 1") -> Path:
    """A compiler that refuses what has this word, and counts how often it is called; unless told not to (`-w`), it `says` something."""
    path = folder / "cc"
    path.write_text(
        f"""#!/bin/sh
case "$*" in *-###*|*--version*) exit;; esac
echo >> {folder}/calls
case " $* " in *' -w '*) ;; *) echo "{says}" >&2;; esac
case " $* " in *' -Wunsupported '*) echo 'error: unknown option' >&2; exit 1;; esac
while [ "$1" != -c ]; do shift; done
case $(cat "$2") in *'{refused}'*) {ends};; esac
cp "$2" "$4"
"""
    )
    path.chmod(0o755)
    return path


def asked(path: Path) -> frozenset[str]:
    built = build(parse_subject(f"gcc:{path}"), find_target(TARGET), "O0")
    assert built is not None
    return lacking(built, identity(built.command))


@pytest.mark.parametrize(
    ("word", "missing"),
    [("nothing", set()), ("__int128", {"__int128"}), ("_BitInt", {"_BitInt"}), ("__bf16", {"__bf16"})],
)
def test_what_is_refused_is_lacking(tmp_path: Path, word: str, missing: set[str]) -> None:
    found = asked(compiler(tmp_path, word))
    assert missing <= found
    assert all(word in SAMPLES[name] for name in found)


def test_who_takes_the_words_and_breaks_the_promise_has_the_feature(tmp_path: Path) -> None:
    """What it then makes of them is for a probe to tell."""
    assert asked(compiler(tmp_path, "_Static_assert")) == frozenset()


@pytest.mark.parametrize(
    "words",
    [
        "warning: 'packed' attribute ignored",
        "warning: 'packed' attribute directive ignored [-Wattributes]",
        "warning: unknown attribute 'packed' ignored [-Wunknown-attributes]",
        "warning: unsupported attribute `packed'",
    ],
)
def test_who_says_that_an_attribute_is_ignored_lacks_the_feature(tmp_path: Path, words: str) -> None:
    found = asked(compiler(tmp_path, "_Static_assert", words.replace("`", "\\`")))
    promised = {name for name, sample in SAMPLES.items() if "_Static_assert" in sample}
    assert found == promised | CONVENTIONS | ISAS


def test_a_compiler_that_takes_nothing_lacks_the_target(tmp_path: Path) -> None:
    assert asked(compiler(tmp_path, "")) == {f"{EVERYTHING}: error: no"}


@pytest.mark.parametrize(
    ("ends", "words"),
    [
        ("kill -KILL $$", "it was killed by somebody else, each time"),
        (
            "echo 'cc1: out of memory allocating 64 bytes' >&2; exit 1",
            "cc1: out of memory allocating 64 bytes",
        ),
    ],
)
def test_who_was_killed_or_had_no_memory_has_not_answered(tmp_path: Path, ends: str, words: str) -> None:
    path = compiler(tmp_path, "__int128", ends=ends)
    assert "__int128" not in asked(path)
    built = build(parse_subject(f"gcc:{path}"), find_target(TARGET), "O0")
    assert built is not None
    assert unanswered(built, identity(built.command)).items() >= {("__int128", words)}


NAMES_EACH = (
    """while IFS= read -r line; do case $line in '#line'*) probe=${line#*'"'}; probe=${probe%'"'*} ;; """
    """*__int128*) echo "$probe:1:1: error: no" >&2 ;; esac; done <"$2"; exit 1"""
)


def test_samples_that_the_compiler_names_are_asked_by_themselves(tmp_path: Path) -> None:
    lacking_some = {name for name, sample in SAMPLES.items() if "__int128" in sample}
    assert asked(compiler(tmp_path, "__int128", ends=NAMES_EACH)) == lacking_some
    # All of them, the two simplest units, each that is named, the rest, the option for warnings, and the attributes.
    assert len((tmp_path / "calls").read_text()) == 1 + 2 + len(lacking_some) + 1 + 2


def test_the_answer_is_remembered(tmp_path: Path) -> None:
    path = compiler(tmp_path, "__int128")
    first = asked(path)
    calls = (tmp_path / "calls").read_text()
    assert asked(path) == first
    assert (tmp_path / "calls").read_text() == calls


def test_a_script_is_asked_once_in_a_process_and_keeps_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ABIPROBE_CACHE", str(tmp_path / "cache"))
    asked(compiler(tmp_path, "__int128"))
    assert not (tmp_path / "cache" / "features").exists()


def test_another_program_behind_a_script_is_asked_again(tmp_path: Path) -> None:
    path = compiler(tmp_path, "__int128")
    assert "__int128" in asked(path)
    compiler(tmp_path, "nothing")
    assert "__int128" not in asked(path)


def test_all_samples_go_into_one_unit(tmp_path: Path) -> None:
    built = Built((str(compiler(tmp_path, "nothing")),))
    assert lacking(built, Identity("", "digest of this test", sure=True)) == frozenset()
    assert len((tmp_path / "calls").read_text()) == 1


def test_the_newest_clang_has_all_but_what_the_target_lacks() -> None:
    if not installed(parse_subject("zig"), (find_target(TARGET),)):
        pytest.skip("zig is not installed")
    built = build(parse_subject("zig"), find_target(TARGET), "O0")
    assert built is not None
    of_riscv = {"riscv_vector_cc", "scalable vector"}
    of_gcc = {"_Decimal", "complex __int128", "ms_struct"}
    assert lacking(built, identity(built.command)) <= of_riscv | of_gcc | {
        "SVE vector",
        "SVE vector of fixed length",
    }


@pytest.mark.parametrize("target", ["bpf", TARGET])
def test_functions_are_only_declared_where_no_calls_are_asked(tmp_path: Path, target: str) -> None:
    built = build(parse_subject(f"gcc:{compiler(tmp_path, 'return')}"), find_target(target), "O0")
    assert built is not None
    lacks = lacking(built, identity(built.command))
    assert any(one.startswith(EVERYTHING) for one in lacks) is (target == TARGET)
