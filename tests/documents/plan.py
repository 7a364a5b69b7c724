"""What is done with each command of the documents; `plan.toml` says so."""

from __future__ import annotations

import shlex
from functools import cache
from pathlib import Path

import msgspec

from .snippets import Command

PLAN = Path(__file__).with_name("plan.toml")


class Instead(msgspec.Struct, frozen=True):
    """Commands that stand for one of the documents."""

    command: str
    run: tuple[str, ...]
    status: tuple[int, ...] = (0, 1)


class NotRun(msgspec.Struct, frozen=True):
    """Commands that are not run, by how they begin, and why."""

    begins: tuple[str, ...]
    reason: str


class Named(msgspec.Struct, frozen=True):
    """Commands within sentences that are run."""

    commands: tuple[str, ...]


class Plan(msgspec.Struct, frozen=True):
    """All of `plan.toml`."""

    placeholders: dict[str, str]
    instead: tuple[Instead, ...] = ()
    not_run: tuple[NotRun, ...] = ()
    named: tuple[Named, ...] = ()


class Step(msgspec.Struct, frozen=True):
    """A command as it is run, and the exit statuses that are right."""

    words: tuple[str, ...]
    status: tuple[int, ...] = (0, 1)


@cache
def plan() -> Plan:
    """The plan; raises `msgspec.ValidationError` for a key that nobody knows."""
    return msgspec.toml.decode(PLAN.read_bytes(), type=Plan)


def reason_not_run(command: Command) -> str:
    """Why a command is not run, empty for one that is."""
    return next((one.reason for one in plan().not_run if command.text.startswith(one.begins)), "")


def steps(command: Command) -> tuple[Step, ...]:
    """What is run for a command: itself, or what the plan has instead."""
    for one in plan().instead:
        if one.command == command.text:
            return tuple(Step(tuple(shlex.split(text)), one.status) for text in one.run)
    return (Step(tuple(filled(word) for word in ("abiprobe", *command.words[1:]))),)


def filled(word: str) -> str:
    """A word without placeholders."""
    return plan().placeholders.get(word, word)
