"""`python -m laboratory`: how many wrong models and wrong compilers the probes notice, and how soon."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from abiprobe.harness.base.problem import Problem
from laboratory.families import FAMILIES
from laboratory.measuring import measure, releases


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument(
    "sections",
    nargs=-1,
    metavar=f"[{'|'.join(('tours', *FAMILIES, 'flags'))}]...",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="The folder of the tables to put the rows into.",
)
@click.option(
    "--run",
    "runs",
    type=click.Path(path_type=Path),
    multiple=True,
    metavar="RUN",
    help="Measure nothing; tabulate which clauses each subject of these runs breaks.",
)
@click.option(
    "--cases", default=250, show_default=True, metavar="N", help="Random prototypes that are recorded."
)
@click.option(
    "--seed", default=1, show_default=True, metavar="N", help="The same seed draws the same questions."
)
@click.option(
    "--clang", default="clang-22", show_default=True, metavar="SUBJECT", help="Compiler given clang's flags."
)
@click.option(
    "--gcc", default="gcc-12", show_default=True, metavar="SUBJECT", help="Compiler given gcc's flags."
)
def main(
    sections: tuple[str, ...],
    out: Path | None,
    runs: tuple[Path, ...],
    cases: int,
    seed: int,
    clang: str,
    gcc: str,
) -> None:
    """Measure how many wrong models and wrong compilers the probes notice, and the tours of each target."""
    try:
        if runs:
            releases(runs, out)
        else:
            measure(sections, out, cases, seed, {"clang": clang, "gcc": gcc})
    except Problem as problem:
        print(f"laboratory: {problem}", file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
