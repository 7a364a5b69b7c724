"""Which witnesses of layouts are heard."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest

from abiprobe.harness.machines.runtime.machine import machine
from abiprobe.harness.observers.attempt import Attempt
from abiprobe.harness.observers.objects.witnesses import why_unavailable
from abiprobe.oracles.language.question import ProbeKind


def built_for(name: str, **about: object) -> Attempt:
    """An attempt of a compiler that builds C for a machine, as far as its witnesses are concerned."""
    built = SimpleNamespace(language="", plain=False, command=("cc", "-c"), no_calls="")
    vars(built).update(about)
    return cast(Attempt, SimpleNamespace(built=built, bench=SimpleNamespace(machine=machine(name))))


@pytest.mark.parametrize(
    ("attempt", "words"),
    [
        (built_for("riscv64"), ""),
        (built_for("wasm32"), "the DWARF of WebAssembly's modules is not read"),
        (built_for("x86_64", plain=True), "it is run for object files only"),
        (built_for("x86_64", command=("cc", "-S")), "it writes text, and no DWARF that can be read"),
        (built_for("x86_64", language="d"), "in its language only constants are tested"),
    ],
)
def test_debug_info_is_read_from_elf_objects_of_c(attempt: Attempt, words: str) -> None:
    assert why_unavailable(attempt, ProbeKind.DEBUG_INFO) == words


def test_values_are_those_of_programs_that_run() -> None:
    assert why_unavailable(built_for("wasm32"), ProbeKind.VALUES) == ""
    attempt = cast(
        Attempt,
        SimpleNamespace(built=SimpleNamespace(language="", plain=False, command=(), no_calls=""), bench=None),
    )
    assert why_unavailable(attempt, ProbeKind.VALUES) == "nothing here runs its programs"
