"""The expensive parts of a prototype to compile: the same questions in other shapes and with other options.

    python benchmarks/questions.py [TARGET] [SUBJECT] [PROTOTYPES]

Prints, for -O0 and -O2, the compiler's CPU milliseconds for each prototype, as it is asked (a unit of 250, see
`abiprobe.generators.pool.BATCH`) and in ways that were turned down; the ratios hold on any machine.
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import msgspec

from abiprobe.generators.pool import BATCH, stream
from abiprobe.generators.scope import EXTENSIONS, FEATURES
from abiprobe.harness.machines.render.call_units import AREAS
from abiprobe.harness.observers.image.plan import CallPlan
from abiprobe.harness.observers.image.units import calls_text
from abiprobe.harness.observers.prediction import prepare
from abiprobe.harness.subjects.compile import Limits, compile_unit
from abiprobe.harness.subjects.find import build, parse_subject
from abiprobe.harness.subjects.subject import Built
from abiprobe.oracles.language.question import Sort, probe
from abiprobe.oracles.registry import find_model, find_target
from abiprobe.results.verdicts.record import Outcome

SEED = 1
COPIED = re.compile(r"\*\((?:struct|union) \w+ \*\)\((abi_out \+ \d+)\) = (\w+);")
CALLER = re.compile(r"^static [^\n]*\bcall_\d+\(void\) \{\n.*?^\}\n", re.DOTALL | re.MULTILINE)
CALLEE = re.compile(r"^static [^\n]*\bcallee_\d+\([^\n]*\{\n.*?^\}\n", re.DOTALL | re.MULTILINE)
TABLE = re.compile(r"^#line 1 \"table\".*", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True)
class Shape:
    """A way to ask: what becomes of the text of a unit (one or several), further options, prototypes in a unit."""

    name: str
    texts: Callable[[str], tuple[str, ...]] = lambda text: (text,)
    options: tuple[str, ...] = ()
    batch: int = BATCH


def unaligned(text: str) -> tuple[str, ...]:
    """The areas declared as bytes anywhere."""
    return (text.replace(AREAS, "extern unsigned char abi_in[], abi_out[];"),)


def by_memcpy(text: str) -> tuple[str, ...]:
    """Callees store records with `memcpy`."""
    return (COPIED.sub(r"memcpy(\1, &\2, sizeof \2);", text),)


def one_side_each(text: str) -> tuple[str, ...]:
    """Callers in one unit, callees in another."""
    return tuple(used(TABLE.sub("", side.sub("", text))) for side in (CALLER, CALLEE))


def used(text: str) -> str:
    """Functions that nobody refers to, compiled all the same."""
    return re.sub(r"^static ", "", text, flags=re.MULTILINE)


SHAPES = (
    Shape("as it is asked"),
    Shape("areas not known to be aligned", unaligned),
    Shape("records stored by memcpy", by_memcpy),
    Shape("callers and callees in units of their own", one_side_each),
    Shape("units of 25", batch=25),
    Shape("units of 1000", batch=1000),
    Shape("with debugging information", options=("-g",)),
    Shape("with unwind tables", options=("-fasynchronous-unwind-tables",)),
    Shape("with stack protectors", options=("-fstack-protector-all",)),
)


def main() -> None:
    """Measure every shape."""
    target, subject, prototypes = (*sys.argv[1:], *("riscv64-lp64d", "clang-22", "1000")[len(sys.argv) - 1 :])
    asked = plans(target, int(prototypes))
    for level in ("O0", "O2"):
        built = build(parse_subject(subject), find_target(target), level)
        if built is None:
            sys.exit(f"{subject} is not installed for {target}")
        cost = {shape.name: cpu(built, shape, asked) for shape in SHAPES}
        print(f"{target}, {subject} -{level}, {len(asked)} prototypes")
        for name, milliseconds in cost.items():
            print(f"  {milliseconds:7.2f} ms  {milliseconds / cost[SHAPES[0].name]:5.2f}  {name}")


def plans(target: str, prototypes: int) -> list[CallPlan]:
    """Drawn prototypes of ISO C that the model has places for."""
    questions = stream(seed=SEED, kind=Sort.PROTOTYPES, features=FEATURES - EXTENSIONS)
    prepared = prepare(find_model(target), map(probe, islice(questions, prototypes)))
    return [plan for plan in prepared.plans if isinstance(plan, CallPlan)]


def cpu(built: Built, shape: Shape, asked: list[CallPlan]) -> float:
    """The compiler's CPU milliseconds for each prototype."""
    seconds = 0.0
    with tempfile.TemporaryDirectory(prefix="abiprobe-") as folder:
        with_options = msgspec.structs.replace(built, command=(*built.command, *shape.options))
        for text in units(shape, asked):
            done = compile_unit(with_options, text, Path(folder, "unit.o"), Limits(), len(asked))
            if done.outcome is not Outcome.OBSERVED:
                sys.exit(f"{shape.name}: {done.words}")
            seconds += done.cpu_seconds
    return seconds / len(asked) * 1000


def units(shape: Shape, asked: list[CallPlan]) -> Iterator[str]:
    """The texts to compile."""
    for start in range(0, len(asked), shape.batch):
        yield from shape.texts(calls_text(asked[start : start + shape.batch]))


if __name__ == "__main__":
    main()
