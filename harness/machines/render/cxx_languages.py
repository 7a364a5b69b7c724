"""The languages but C++ in which compilers are asked about C++, by the names of the languages."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import msgspec

from abiprobe.harness.machines.languages.language import Language, find_language
from abiprobe.harness.machines.languages.printer import Printer
from abiprobe.harness.machines.render.arrange import Arrangement
from abiprobe.harness.machines.render.d import calls as d_calls
from abiprobe.harness.machines.render.d import questions as d_questions
from abiprobe.harness.machines.render.swift import calls as swift_calls
from abiprobe.harness.machines.render.swift import questions as swift_questions
from abiprobe.oracles.language.cxx_calls import CxxPrototype
from abiprobe.oracles.language.question import Question


class CxxLanguage(msgspec.Struct, frozen=True):
    """A language in which questions about C++ are asked.

    `declaration` is a question for people, `unsayable` the reason why there is none, `functions` the caller and the callee of a
    call, which is asked on the targets of `calls_on`, where it is known what the compilers do with calls of C.
    """

    name: str
    declaration: Callable[[Question], str]
    unsayable: Callable[[Question], str]
    printer: type[Printer]
    functions: Callable[[CxxPrototype, Arrangement], str]
    calls_on: tuple[str, ...]


BY_NAME: Mapping[str, CxxLanguage] = {
    "d": CxxLanguage(
        "D",
        d_questions.declaration,
        d_questions.unsayable,
        d_calls.CallPrinter,
        d_calls.functions,
        ("x86_64-sysv", "i386-sysv"),
    ),
    "swift": CxxLanguage(
        "Swift",
        swift_questions.declaration,
        swift_questions.unsayable,
        swift_calls.CallPrinter,
        swift_calls.functions,
        ("x86_64-sysv",),
    ),
}


def cxx_language(folder: str) -> CxxLanguage:
    """The language of a compiler's folder as C++ is asked in it."""
    return of_language(find_language(folder))


def of_language(language: Language) -> CxxLanguage:
    """A language as C++ is asked in it."""
    return BY_NAME[language.about.language]
