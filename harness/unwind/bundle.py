"""Bundles that show a cause without abiprobe: the function, those that it calls, a script for gdb, and an issue."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from abiprobe.harness.base.text_templates import template
from abiprobe.harness.subjects.find import identity
from abiprobe.harness.unwind.causes import Cause
from abiprobe.harness.unwind.spelling import place, verdict
from abiprobe.harness.unwind.sweep import built
from abiprobe.harness.unwind.unit import OTHERS, called, example
from abiprobe.harness.unwind.wrong import CFA_NAME, RETURN_NAME, ROW_NAME, SIGN_NAME
from abiprobe.oracles.text.clause import find_clause

BODIES = {"take": "{ (void)a0; }", "stop": "{ __builtin_trap(); }"}
BODY = "{ return a0; }"
NOT_PRINTED = (CFA_NAME, RETURN_NAME, ROW_NAME, SIGN_NAME)
HOW = """\
`readelf --debug-dump=frames-interp f.o` and `objdump -d f.o` show the rows and the instructions. `main.c` has the functions that are
called; linked with it, `gdb -batch -x show.gdb PROGRAM` prints the caller's registers as they are at entry, and as the row has them."""


def files(cause: Cause) -> dict[str, str]:
    """The files of a bundle by their names."""
    return {
        "f.c": example(cause.function),
        "main.c": main_unit(cause),
        "show.gdb": gdb_script(cause),
        "issue.md": issue(cause),
    }


def issue(cause: Cause) -> str:
    """The cause as an issue for the compiler's tracker."""
    command = built(cause.way).command
    return issue_text(
        f"Wrong unwind table on {cause.target}: {cause.kind}",
        (identity(command).version, f"{shlex.join(command)} -c f.c -o f.o"),
        example(cause.function),
        [f"{place(one)}: {verdict(one)}" for one in cause.wrong],
        [one.clause for one in cause.wrong],
        HOW,
    )


def issue_text(
    title: str, setup: Sequence[str], example: str, wrong: Sequence[str], clauses: Sequence[str], how: str
) -> str:
    """An issue for a tracker: versions and commands, an example, what is wrong, by which clauses, and how to see it."""
    named = map(find_clause, dict.fromkeys(clauses))
    return template(__package__, "bundle.md.j2").render(
        title=title,
        setup=setup,
        example=example,
        wrong=wrong,
        clauses=[f"{clause.section}: {clause.says}" for clause in named],
        how=how,
    )


def main_unit(cause: Cause) -> str:
    """A program that calls the function with the argument that shows the cause, and has the functions that it calls."""
    function = cause.function
    types = ", ".join((*["long"] * (1 + function.parameters), *(["..."] if function.variadic else [])))
    arguments = ", ".join((str(cause.wrong[0].n), *["0"] * function.parameters))
    others = [f"{definition(name)} {BODIES.get(name, BODY)}" for name in called([function])]
    entry = f"int main(void) {{ return (int)f0({arguments}); }}"
    return "\n".join((*others, f"long f0({types});", entry, ""))


def definition(name: str) -> str:
    """The head of the definition of a function that is called."""
    head, _, types = OTHERS[name].removesuffix(");").partition("(")
    if types == "void":
        return f"{head}(void)"
    return f"{head}({', '.join(f'{kind} a{number}' for number, kind in enumerate(types.split(', ')))})"


def gdb_script(cause: Cause) -> str:
    """A script that prints the caller's registers twice: at the entry, and where the first row is wrong."""
    first = cause.wrong[0]
    names = dict.fromkeys(
        one.what for one in cause.wrong if one.at == first.at and one.what not in NOT_PRINTED
    )
    shown = ["bt 2", "up", *(f"p/x ${name}" for name in names)]
    return "\n".join(
        ("break *f0", "run", *shown, f"break *(f0+{first.at})", "continue", "x/i $pc", *shown, "")
    )
