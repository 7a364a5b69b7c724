"""A question as a test of rustc: the signature of a function in its IR, or a layout that the compiler itself checks."""

from __future__ import annotations

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.machines.languages.language import built_in, find_language
from abiprobe.harness.machines.languages.printer import Printer
from abiprobe.harness.triage.exports.layouts import Layouts
from abiprobe.harness.triage.exports.suites import registered
from abiprobe.harness.triage.exports.templates import filled
from abiprobe.oracles.language.constructs import needs
from abiprobe.oracles.language.lang import Prototype, Record
from abiprobe.oracles.language.question import Question
from abiprobe.oracles.model import Target

HALVES = ("f16", "f128")
"""Types behind a feature gate of the same name."""


def printer(name: str, target: Target, question: Question) -> Printer:
    """Return the printer of a question in a language; raises `Problem` for one that it cannot express."""
    language = find_language(str(built_in()[name]))
    lacks = sorted(needs(question) & language.lacks_to_define)
    if lacks:
        raise Problem(f"{language.about.language} cannot say this: {', '.join(lacks)}", "--as c shows it")
    return Printer(language, target.model().types)


def options(name: str, target: Target) -> tuple[str, ...]:
    """The options that make the compiler of a language build for a target; raises `Problem` where there are none."""
    found = find_language(str(built_in()[name])).about.targets.get(target.name)
    if found is None:
        raise Problem(f"{name} is not tested on {target}", "--as c shows it")
    return found


def call(target: Target, function: Prototype, about: str, line: str) -> str:
    """A test in tests/codegen-llvm."""
    made = printer("rustc", target, function)
    used = [one for one in (function.result, *(param.type for param in function.params)) if one is not None]
    records = made.definitions(used).strip()
    return filled(
        "rust_codegen.rs.j2",
        about=about,
        options=" ".join(options("rustc", target)),
        component=registered(target).removesuffix("-registered-target"),
        records=records,
        features=gates(records, *(made.type(one) for one in used)),
        line=line,
        name=function.name,
        params=", ".join(f"_p{number}: {made.type(one.type)}" for number, one in enumerate(function.params)),
        result=made.type(function.result) if function.result is not None else "",
    )


def layout(target: Target, record: Record, about: str, of: Layouts) -> str:
    """A test in tests/ui/abi, for the processor that the compiler runs on or has a library for."""
    made = printer("rustc", target, record)
    records = made.definitions((record,)).strip()
    return filled(
        "rust_layout.rs.j2",
        about=about,
        options=" ".join(options("rustc", target)),
        records=records.replace(f"impl Copy for {made.record_name(record, '')} {{}}", ""),
        features=gates(records),
        type=made.record_name(record, ""),
        of=of,
    )


def gates(*texts: str) -> str:
    """The feature gates that some texts need beside those of every test."""
    return "".join(f", {name}" for name in HALVES if any(name in text for text in texts))
