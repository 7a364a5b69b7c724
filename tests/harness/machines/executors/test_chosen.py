"""The environment may choose the executor."""

from __future__ import annotations

import pytest

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.machines.executors.find import CHOSEN, absent, find


@pytest.mark.parametrize("name", ["native", "qemu-user", "unicorn"])
def test_one_executor_is_left(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    everybody = {each.name for each in find("i386")}
    monkeypatch.setenv(CHOSEN, name)
    assert {each.name for each in find("i386")} == everybody & {name}
    others = {each.reason for each in absent("i386") if each.name != name}
    assert others == {f"{CHOSEN} asks for {name}"}


def test_an_executor_that_there_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CHOSEN, "bochs")
    with pytest.raises(Problem, match="no executor 'bochs'"):
        find("i386")
