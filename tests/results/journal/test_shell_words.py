"""What people copy from a hint is what was meant, to the last byte."""

from __future__ import annotations

import os
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abiprobe.results.journal.printable import LINE
from abiprobe.results.journal.shell_words import shell_word

WORDS = {
    ".abiprobe/runs/1": ".abiprobe/runs/1",
    "a b": "'a b'",
    "it's": "'it'\"'\"'s'",
    "-x": "./-x",
    "a\nb": "$'a\\x0ab'",
    "a\x1b[2J'\\": "$'a\\x1b[2J\\'\\\\'",
    "$(touch x)`y`": "'$(touch x)`y`'",
    os.fsdecode(b"n\xff"): "$'n\\xff'",
    "\u202e": "$'\\xe2\\x80\\xae'",
    "": "''",
}


@pytest.mark.parametrize(("text", "word"), WORDS.items(), ids=repr)
def test_a_word_is_quoted_as_far_as_it_must_be(text: str, word: str) -> None:
    assert shell_word(text) == word


@given(st.binary(min_size=1).filter(lambda data: 0 not in data))
def test_no_word_commands_a_terminal(data: bytes) -> None:
    assert not LINE.search(shell_word(os.fsdecode(data)))


def test_bash_reads_every_word_back() -> None:
    line = " ".join(map(shell_word, WORDS))
    done = subprocess.run(
        ("bash", "-c", f"printf '%s\\0' {line}"), capture_output=True, check=True, env={"LC_ALL": "C.UTF-8"}
    )
    expected = [f"./{word}" if word.startswith("-") else word for word in WORDS]
    assert done.stdout.split(b"\0")[:-1] == [os.fsencode(word) for word in expected]
