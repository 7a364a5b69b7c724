"""`abiprobe completion`: the script by which a shell asks for completions."""

from __future__ import annotations

import sys

from click.shell_completion import get_completion_class

from abiprobe.harness.cli.commands.console import print_json
from abiprobe.harness.cli.main import PROGRAM, cli

VARIABLE = f"_{PROGRAM.upper()}_COMPLETE"
"""The variable of the environment by which click knows that a shell asks."""
MORE = {"bash": "\n# A clause is one word: riscv:fp.real\nCOMP_WORDBREAKS=${COMP_WORDBREAKS//:}\n"}
"""Additions to click's script of a shell."""


def completion(shell: str, form: str) -> int:
    """Print the script of a shell."""
    made = get_completion_class(shell)
    assert made is not None, "the command line takes no other shell"
    source = made(cli, {}, PROGRAM, VARIABLE).source() + MORE.get(shell, "")
    if form == "json":
        print_json({"schema": 1, "shell": shell, "script": source})
    else:
        sys.stdout.write(source)
    return 0
