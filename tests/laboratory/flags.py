"""Real compilers as wrong ones: a flag changes the ABI, nobody tells the model, and a probe should notice soon."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import msgspec

from abiprobe.generators.pool import stream
from abiprobe.harness.base import child
from abiprobe.harness.machines.workbench import bench
from abiprobe.harness.observers.image.observe import CallAttempt
from abiprobe.harness.observers.image.observer import ProgramObserver
from abiprobe.harness.observers.image.plan import CallPlan
from abiprobe.harness.observers.image.units import calls_text
from abiprobe.harness.observers.objects.layouts import LayoutPlan, layouts_text
from abiprobe.harness.observers.objects.observer import LayoutObserver
from abiprobe.harness.observers.observer import PredictionKey, Prepared
from abiprobe.harness.observers.prediction import prepare
from abiprobe.harness.runs import tours
from abiprobe.harness.subjects.compile import Limits
from abiprobe.harness.subjects.features import lacking
from abiprobe.harness.subjects.find import build, identity, parse_subject
from abiprobe.harness.subjects.subject import Built
from abiprobe.oracles.language.question import Question, Sort, probe
from abiprobe.oracles.registry import find_model, find_target
from abiprobe.results.verdicts.record import Judgement, Outcome, Verdict

ROUNDS = (40, 120, 400, 1000)
"""Questions of each sort in the first round, and in those that follow."""
SECONDS = 20.0


@dataclass(frozen=True)
class Flag:
    """A flag that may change the ABI, for subjects of a family on a target."""

    target: str
    family: str
    words: tuple[str, ...]

    @property
    def text(self) -> str:
        """The flag as it is written."""
        return " ".join(self.words)


def every(target: str, families: str, *texts: str) -> tuple[Flag, ...]:
    """The same flags for some families, separated by spaces."""
    return tuple(Flag(target, family, tuple(text.split())) for family in families.split() for text in texts)


COMPAT = tuple(f"-fclang-abi-compat={number}" for number in ("3.8", *range(4, 22)))
LAYOUT = ("-fpack-struct", "-fpack-struct=2", "-fpack-struct=4", "-fshort-enums")
CONVENTIONS = tuple(f"-Xclang -fdefault-calling-conv={name}" for name in ("vectorcall", "regcall"))
FLAGS = (
    *every("x86_64-sysv", "clang gcc", *LAYOUT, "-mms-bitfields", "-mlong-double-64", "-mlong-double-128"),
    *every(
        "x86_64-sysv", "clang gcc", "-funsigned-char", "-mno-avx", "-mno-sse", "-mno-sse2", "-malign-double"
    ),
    *every("x86_64-sysv", "clang gcc", "-m96bit-long-double", "-freg-struct-return", "-fpcc-struct-return"),
    *every("x86_64-sysv", "gcc", "-mabi=ms", "-mpreferred-stack-boundary=3", "-mno-80387"),
    *every("x86_64-sysv", "clang", *COMPAT, *CONVENTIONS),
    *every("i386-sysv", "clang gcc", *LAYOUT, "-malign-double", "-mms-bitfields", "-m128bit-long-double"),
    *every(
        "i386-sysv", "clang gcc", "-mlong-double-64", "-freg-struct-return", "-fpcc-struct-return", "-mrtd"
    ),
    *every(
        "i386-sysv", "clang gcc", "-mregparm=3", "-mno-sse", "-msoft-float", "-mno-mmx", "-funsigned-char"
    ),
    *every("i386-sysv", "clang", *CONVENTIONS, "-Xclang -fdefault-calling-conv=fastcall"),
    *every(
        "i386-sysv",
        "gcc",
        "-msseregparm",
        "-mpreferred-stack-boundary=2",
        "-mno-fp-ret-in-387",
        "-mvect8-ret-in-mem",
    ),
    *every("riscv64-lp64d", "clang gcc", *LAYOUT, "-fsigned-char", "-mabi=lp64", "-mabi=lp64f"),
    *every("riscv32-ilp32d", "clang gcc", *LAYOUT, "-fsigned-char", "-mabi=ilp32", "-mabi=ilp32f"),
)


@dataclass(frozen=True)
class Kill:
    """What became of a compiler with a flag.

    `fate` is `killed`, `inert` (the same object code as without, byte for byte), `refused` by the compiler, `refused by the linker`, or
    `survived`. `seconds` and `probes` are until the first kill.
    """

    flag: Flag
    subject: str
    fate: str
    seconds: float = 0.0
    probes: int = 0
    clause: str = ""
    detail: str = ""


def kill(flag: Flag, subject: str, level: str, seed: int) -> Kill | None:
    """Put a compiler with a flag on trial; `None` where the compiler itself is not installed for the target."""
    honest = build(parse_subject(subject), find_target(flag.target), level)
    if honest is None:
        return None
    wrong = msgspec.structs.replace(honest, command=(*honest.command, *flag.words))
    with tempfile.TemporaryDirectory(prefix="abiprobe-") as folder:
        words = refusal(wrong, Path(folder))
        if words:
            return Kill(flag, subject, "refused", detail=words)
        return trial(flag, subject, honest, wrong, Path(folder), seed)


def refusal(built: Built, folder: Path) -> str:
    """What a compiler says against its options, or an empty string."""
    source = folder / "empty.c"
    source.write_text("int v;\n", "utf-8")
    argv = (*built.command, "-Werror", "-c", str(source), "-o", str(folder / "empty.o"))
    done = child.run([word for word in argv if word != "-w"], timeout=SECONDS)
    lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
    return "" if done.ok else (lines[0] if lines else "no word")


def trial(flag: Flag, subject: str, honest: Built, wrong: Built, folder: Path, seed: int) -> Kill:
    """Rounds of growing size until a probe deviates with the flag that does not without."""
    probes, alike = 0, True
    started = time.monotonic()
    waste = 0.0
    for number, prepared in enumerate(rounds(flag.target, wrong, seed)):
        probes += len(prepared.plans)
        for sort, plans in enumerate(by_sort(prepared)):
            verdicts = told(flag.target, wrong, plans, scratch(folder, f"wrong{number}{sort}"))
            bad = [one for one in verdicts if one.verdict is Judgement.DEVIATES]
            took = time.monotonic() - started - waste
            pause = time.monotonic()
            if bad and (
                caught := confirmed(flag, honest, plans, bad, scratch(folder, f"honest{number}{sort}"))
            ):
                return Kill(flag, subject, "killed", took, probes, caught.clause, caught.detail)
            if stopped := link_refusal(verdicts):
                return Kill(flag, subject, "refused by the linker", took, probes, detail=stopped)
            alike = alike and same_code(honest, wrong, plans, scratch(folder, f"same{number}{sort}"))
            waste += time.monotonic() - pause
    took = time.monotonic() - started - waste
    return Kill(flag, subject, "inert" if alike else "survived", took, probes)


def scratch(folder: Path, name: str) -> Path:
    """A folder of its own."""
    path = folder / name
    path.mkdir()
    return path


def rounds(target: str, built: Built, seed: int) -> Iterator[Prepared[CallPlan | LayoutPlan]]:
    """The questions in the order in which a hunt asks them, predicted: random ones of both sorts, and the tour."""
    prototypes: Iterator[Question] = stream(seed=seed, kind=Sort.PROTOTYPES)
    records: Iterator[Question] = stream(seed=seed, kind=Sort.RECORDS)
    tour: Iterator[Question] = iter(tours.questions(find_target(target)))
    lacks = lacking(built, identity(built.command))
    for size in ROUNDS:
        asked = (*islice(records, size), *islice(tour, size), *islice(prototypes, size))
        prepared = prepare(find_model(target), map(probe, asked))
        able = tuple(plan for plan in prepared.plans if not prepared.needs[plan.probe] & lacks)
        yield msgspec.structs.replace(prepared, plans=able)


def by_sort(prepared: Prepared[CallPlan | LayoutPlan]) -> tuple[Sequence[CallPlan | LayoutPlan], ...]:
    """The plans of layouts, and those of calls."""
    layouts = [plan for plan in prepared.plans if isinstance(plan, LayoutPlan)]
    return layouts, [plan for plan in prepared.plans if isinstance(plan, CallPlan)]


def told(target: str, built: Built, plans: Sequence[CallPlan | LayoutPlan], folder: Path) -> list[Verdict]:
    """The verdicts on plans of one sort."""
    attempt, key = (
        CallAttempt(bench(find_target(target)), built, folder, Limits()),
        PredictionKey(find_target(target)),
    )
    calls = [plan for plan in plans if isinstance(plan, CallPlan)]
    layouts = [plan for plan in plans if isinstance(plan, LayoutPlan)]
    programs, objects = ProgramObserver(key), LayoutObserver(key)
    found = [one for plan, seen in programs.observe(attempt, calls) for one in programs.judge(plan, seen)]
    found += [one for plan, seen in objects.observe(attempt, layouts) for one in objects.judge(plan, seen)]
    return found


def confirmed(
    flag: Flag, honest: Built, plans: Sequence[CallPlan | LayoutPlan], bad: Sequence[Verdict], folder: Path
) -> Verdict | None:
    """The first deviation that the same compiler does not show without the flag."""
    asked = [plan for plan in plans if plan.probe in {one.probe for one in bad}]
    right = {
        (one.probe, one.kind)
        for one in told(flag.target, honest, asked, folder)
        if one.verdict is Judgement.AGREES
    }
    return next((one for one in bad if (one.probe, one.kind) in right), None)


def link_refusal(verdicts: Sequence[Verdict]) -> str:
    """The words of a linker that takes none of the units."""
    words = [
        one.detail for one in verdicts if one.outcome is Outcome.REFUSED and one.detail.startswith("link:")
    ]
    return words[0] if words and len(words) == len(verdicts) else ""


def same_code(honest: Built, wrong: Built, plans: Sequence[CallPlan | LayoutPlan], folder: Path) -> bool:
    """Return whether a flag makes no difference to the object code of the plans; what both refuse is cut out of them."""
    layouts = [plan for plan in plans if isinstance(plan, LayoutPlan)]
    calls = [plan for plan in plans if isinstance(plan, CallPlan)]
    text = layouts_text(layouts) if layouts else calls_text(calls)
    source, objects = folder / "unit.c", []
    source.write_text(text, "utf-8")
    for name, built in (("honest", honest), ("wrong", wrong)):
        output = folder / f"{name}.o"
        output.unlink(missing_ok=True)
        child.run((*built.command, "-c", str(source), "-o", str(output)), timeout=SECONDS * 3)
        objects.append(output.read_bytes() if output.exists() else b"")
    if any(objects) or len(plans) < 2:
        return objects[0] == objects[1]
    middle = len(plans) // 2
    return all(same_code(honest, wrong, part, folder) for part in (plans[:middle], plans[middle:]))
