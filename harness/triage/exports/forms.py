"""The forms of exported tests, and what makes each of them of a deviation."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Mapping
from enum import Enum
from types import MappingProxyType

import msgspec

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.machines.render.c import definitions, prototype, type_name
from abiprobe.harness.triage.bundles.snippet import is_shown, snippet
from abiprobe.harness.triage.cases import Case
from abiprobe.harness.triage.exports import in_cxx, in_rust, in_zig
from abiprobe.harness.triage.exports.commands import commands
from abiprobe.harness.triage.exports.ir import NoSignature, Style, signature
from abiprobe.harness.triage.exports.layouts import Layouts, layouts
from abiprobe.harness.triage.exports.plain import NoPlainCall, Plain, plain_call
from abiprobe.harness.triage.exports.program import Program, program
from abiprobe.harness.triage.exports.suites import cc1_options, gcc_options, registered, selector
from abiprobe.harness.triage.exports.templates import filled
from abiprobe.oracles.engine.silence import SilentError
from abiprobe.oracles.language.lang import Prototype, Record
from abiprobe.oracles.language.question import CXX_QUESTIONS
from abiprobe.oracles.text.clause import recorded_clause, recorded_source
from abiprobe.oracles.text.place import Assignment
from abiprobe.results.causes.fingerprint import CRASHES, OPEN, Symptom

WIDTH = 110
SHOWN = frozenset({Symptom.MISPLACED, Symptom.ABOVE, Symptom.LAYOUT, Symptom.VALUES}) | OPEN | CRASHES
"""The symptoms that a test in a suite can show."""


class Form(Enum):
    """A form of test; the value is what `--as` takes."""

    FILECHECK = "filecheck"
    """clang/test: `%clang_cc1` and FileCheck"""
    GCC_DG = "gcc-dg"
    """gcc.dg: a test that checks itself, and three files for gcc.dg/compat"""
    RUSTC = "rustc"
    """rust's tests/codegen-llvm, or tests/ui for a layout"""
    ZIG = "zig"
    """zig's test/c_abi: cfuncs.c and main.zig"""
    C = "c"
    """C and a Makefile"""


class Question(msgspec.Struct, frozen=True):
    """A deviation in a call, with what all forms need of it; `places` and `plain` are those of a text that decides."""

    case: Case
    function: Prototype
    places: Assignment | None
    plain: Plain | None
    program: Program


def export(case: Case, form: Form) -> dict[str, str]:
    """The files of a test by name; raises `Problem` where a test of this form cannot show the deviation."""
    symptom, question = case.fingerprint.symptom, case.question
    if symptom not in SHOWN:
        raise Problem(f"no test of a suite shows {symptom.value}", "a bundle may: leave out --as")
    if isinstance(question, Prototype) and not is_shown(question):
        raise Problem("no test of a suite shows a vector function or device code", "leave out --as")
    if symptom in CRASHES:
        makes = CRASH.get(form)
        if makes is None:
            raise Problem(
                f"a crash of a C compiler cannot be shown by {form.value}", "c, gcc-dg and filecheck show it"
            )
        return makes(case)
    if isinstance(question, CXX_QUESTIONS):
        return of_class(case, form)
    if isinstance(question, Record):
        return LAYOUT[form](case, layouts_of(case))
    return CALL[form](asked(case, question, form))


def of_class(case: Case, form: Form) -> dict[str, str]:
    """The test of a class; raises `Problem` for a form in which there is none."""
    text, target = behind("//", about(case)), case.target
    match form:
        case Form.GCC_DG:
            return {f"{stem(case)}.C": in_cxx.for_gcc(case, text, **header(case))}
        case Form.FILECHECK:
            options = cc1_options(target, snippet(case.question))
            return {f"{stem(case)}.cpp": in_cxx.for_clang(case, text, options)}
        case _:
            raise Problem(
                f"a class of C++ cannot be shown by {form.value}",
                "gcc-dg and filecheck show it, and a bundle",
            )


def stem(case: Case) -> str:
    """Return the stem of a test's files: `abi-riscv64-lp64d-fp-flatten-zero-width`."""
    what = case.fingerprint
    what_broke = what.clause.partition(":")[2] or what.symptom.value
    return re.sub(r"\W+", "-", f"abi-{what.target}-{what_broke}").lower().strip("-")


def about(case: Case) -> list[str]:
    """Return a description of a test: the clause by its words and its number, and the compilers that depart from it."""
    what = case.fingerprint
    names = " and ".join(dict.fromkeys(name for name, _ in case.deviating))
    if what.words:
        return wrapped(f"{names} for {what.target}: {what.symptom.value}: {what.words}")
    found, source = recorded_clause(what.clause), recorded_source(what.clause)
    where = f"[{what.clause}] {source.title} ({source.edition}), {found.section}"
    if what.symptom in OPEN:
        return [*wrapped(f"The documents leave this open: {found.says}"), *wrapped(where)]
    return [
        *wrapped(found.says),
        *wrapped(where),
        *wrapped(f"{names} {'departs' if ' and ' not in names else 'depart'} from it, for {what.target}."),
    ]


def wrapped(text: str) -> list[str]:
    """A paragraph as lines."""
    return textwrap.wrap(text, WIDTH, break_long_words=False, break_on_hyphens=False)


def in_c(lines: list[str]) -> str:
    """Lines as a comment of C."""
    return "/* " + "\n   ".join(line.replace("*/", "* /") for line in lines) + "  */"


def behind(mark: str, lines: list[str]) -> str:
    """Lines as comments that begin with a mark."""
    return "\n".join(f"{mark} {line}" for line in lines)


def asked(case: Case, function: Prototype, form: Form) -> Question:
    """A deviation in a call, made ready."""
    model = case.target.model()
    found = model.assign(function)
    if not isinstance(found, Assignment) or case.fingerprint.symptom in OPEN:
        if form not in {Form.C, Form.GCC_DG}:
            raise Problem(
                "the documents leave this open, so a test of one compiler has nothing to demand",
                "--as c compares two",
            )
        try:
            return Question(case, function, None, None, program(model.types, function, None, None))
        except SilentError as silent:
            raise Problem(
                f"no text says how large {silent.why} is, so a test in C cannot say what it holds",
                "a bundle can show it: leave out --as",
            ) from silent
    registers = case.target.registers
    try:
        plain = plain_call(
            model,
            function,
            found,
            registers.stack_align if registers else 1,
            exact=case.fingerprint.symptom is Symptom.ABOVE,
        )
    except NoPlainCall as reason:
        raise Problem(
            f"{reason}, so one compiler alone cannot show this in C", "a bundle can: leave out --as"
        ) from reason
    return Question(case, function, found, plain, program(model.types, function, found, plain))


def layouts_of(case: Case) -> Layouts:
    """The layout that is demanded; raises `Problem` where no text gives one."""
    record = case.question
    assert isinstance(record, Record), "a layout is that of a record"
    found = layouts(case.target, record)
    if found is None:
        raise Problem(
            "the documents leave this layout open, so a test has nothing to demand",
            "a bundle compares two compilers",
        )
    return found


def call_c(of: Question) -> dict[str, str]:
    """C with a Makefile, for a call."""
    values = {"p": of.program, "about": in_c(about(of.case))}
    text = of.plain is not None
    files = ("abi.h", "caller.c", "callee.c", "pair.c", *(("text.c",) if text else ()))
    makefile = filled(
        "Makefile.j2",
        about=behind("#", about(of.case)),
        layout=False,
        crash=False,
        text=text,
        **commands(of.case),
    )
    return {name: filled(f"{name}.j2", **values) for name in files} | {"Makefile": makefile}


def layout_c(case: Case, of: Layouts) -> dict[str, str]:
    """C with a Makefile, for a layout."""
    makefile = filled(
        "Makefile.j2", about=behind("#", about(case)), layout=True, crash=False, text=False, **commands(case)
    )
    return {"layout.c": layout_text(case, of, selector="", options=""), "Makefile": makefile}


def layout_text(case: Case, of: Layouts, *, selector: str, options: str) -> str:
    """Static assertions about a layout, and a program about its bit-fields."""
    record = case.question
    assert isinstance(record, Record), "a layout is that of a record"
    return filled(
        "layout.c.j2",
        about=in_c(about(case)),
        definitions=definitions((record,)),
        type=type_name(record),
        size=of.size,
        align=of.align,
        offsets=of.offsets,
        bit_fields=of.bit_fields,
        selector=selector,
        options=options,
    )


def crash_c(case: Case) -> dict[str, str]:
    """C with a Makefile, for a crash."""
    makefile = filled(
        "Makefile.j2", about=behind("#", about(case)), layout=False, crash=True, text=False, **commands(case)
    )
    return {"unit.c": snippet(case.question), "Makefile": makefile}


def header(case: Case) -> dict[str, str]:
    """Return the parts of the head of a test of gcc."""
    target = case.target
    return {"selector": selector(target), "options": gcc_options(target, case.deviating[0][1])}


def call_gcc(of: Question) -> dict[str, str]:
    """A test of gcc that checks itself, and three files for gcc.dg/compat."""
    name, text = stem(of.case), in_c(about(of.case))
    own = {"p": of.program, "name": name.replace("-", "_"), "about": text}
    parts = {f"{name}_{part}.c": filled(f"gcc_{part}.c.j2", **own) for part in ("main", "x", "y")}
    if of.plain is None:
        return parts
    return {f"{name}.c": filled("gcc_run.c.j2", p=of.program, about=text, **header(of.case)), **parts}


def layout_gcc(case: Case, of: Layouts) -> dict[str, str]:
    """A test of gcc for a layout."""
    return {f"{stem(case)}.c": layout_text(case, of, **header(case))}


def crash_gcc(case: Case) -> dict[str, str]:
    """A test of gcc for a crash."""
    head = header(case)
    lines = (
        in_c(about(case)),
        f"/* {{ dg-do compile {{ target {head['selector']} }} }} */",
        f'/* {{ dg-options "{head["options"]}" }} */',
        "",
        snippet(case.question),
    )
    return {f"{stem(case)}.c": "\n".join(lines)}


def call_filecheck(of: Question) -> dict[str, str]:
    """A test of clang that checks the signature in IR."""
    return {f"{stem(of.case)}.c": filecheck_text(of, demanded(of))}


def demanded(of: Question, *, every: bool = False) -> str:
    """The signature that the clause demands, in clang's spelling or in `every` one; raises `Problem` where IR has none."""
    assert of.places is not None, "a text decides it"
    assert of.plain is not None, "there is a plain call for it"
    target = of.case.target
    try:
        return signature(
            of.function,
            of.places,
            of.plain,
            target.model().types,
            Style(target.name, every, of.case.fingerprint.symptom is Symptom.ABOVE),
            name=of.function.name,
        )
    except NoSignature as reason:
        raise Problem(f"no signature in LLVM IR shows this: {reason}", "--as c shows it") from reason


def filecheck_text(of: Question, line: str) -> str:
    """A test of clang for a signature."""
    source = of.program.definitions
    target = of.case.target
    return filled(
        "filecheck.c.j2",
        about=behind("//", about(of.case)),
        registered=registered(target),
        options=cc1_options(target, source),
        definitions=source,
        line=line,
        prototype=prototype(of.function),
        result=of.program.result.declared if of.program.result else "",
    )


def layout_filecheck(case: Case, of: Layouts) -> dict[str, str]:
    """A test of clang for a layout."""
    record = case.question
    assert isinstance(record, Record), "a layout is that of a record"
    source = definitions((record,))
    text = filled(
        "filecheck_layout.c.j2",
        about=behind("//", about(case)),
        options=cc1_options(case.target, source),
        definitions=source,
        type=type_name(record),
        size=of.size,
        align=of.align,
        offsets=of.offsets,
        bit_fields=of.bit_fields,
    )
    return {f"{stem(case)}.c": text}


def crash_filecheck(case: Case) -> dict[str, str]:
    """A test of clang that it comes to an end."""
    target, level = case.target, case.deviating[0][1]
    unit = snippet(case.question)
    lines = (
        f"// RUN: %clang_cc1 {cc1_options(target, unit)} -{level} -S -o /dev/null %s",
        f"// REQUIRES: {registered(target)}",
        "",
        behind("//", about(case)),
        "",
        unit,
    )
    return {f"{stem(case)}.c": "\n".join(lines)}


def call_rust(of: Question) -> dict[str, str]:
    """A test of rustc's code generation."""
    target = of.case.target
    text = in_rust.call(target, of.function, behind("//", about(of.case)), demanded(of, every=True))
    return {f"{stem(of.case)}.rs": text}


def layout_rust(case: Case, of: Layouts) -> dict[str, str]:
    """A test of rustc that a layout passes its check."""
    record = case.question
    assert isinstance(record, Record), "a layout is that of a record"
    return {f"{stem(case)}.rs": in_rust.layout(case.target, record, behind("//", about(case)), of)}


def call_zig(of: Question) -> dict[str, str]:
    """The two files of zig's test of the C ABI."""
    return in_zig.call(of.case.target, of.function, about(of.case), of.program)


def layout_zig(case: Case, of: Layouts) -> dict[str, str]:
    """A test of zig for a layout."""
    record = case.question
    assert isinstance(record, Record), "a layout is that of a record"
    return in_zig.layout(case.target, record, about(case), of)


CALL: Mapping[Form, Callable[[Question], dict[str, str]]] = MappingProxyType(
    {
        Form.FILECHECK: call_filecheck,
        Form.GCC_DG: call_gcc,
        Form.RUSTC: call_rust,
        Form.ZIG: call_zig,
        Form.C: call_c,
    }
)
LAYOUT: Mapping[Form, Callable[[Case, Layouts], dict[str, str]]] = MappingProxyType(
    {
        Form.FILECHECK: layout_filecheck,
        Form.GCC_DG: layout_gcc,
        Form.RUSTC: layout_rust,
        Form.ZIG: layout_zig,
        Form.C: layout_c,
    }
)
CRASH: Mapping[Form, Callable[[Case], dict[str, str]]] = MappingProxyType(
    {Form.FILECHECK: crash_filecheck, Form.GCC_DG: crash_gcc, Form.C: crash_c}
)
