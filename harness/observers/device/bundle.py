"""The bundle of a deviation in how parameters are declared in PTX, which is read from what a compiler writes."""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Iterator, Sequence

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.observers.bundle import Bundle, Ways
from abiprobe.harness.observers.device.plan import DevicePlan
from abiprobe.harness.observers.device.unit import unit
from abiprobe.harness.subjects.cuda_tools import find_tool
from abiprobe.oracles.text.place import Assignment, Passed
from abiprobe.results.causes.fingerprint import CRASHES, Fingerprint, Symptom

DECLARATIONS = (
    r"tr '\n' ' ' < $@.out | grep -o '\.func [^{;]*f_0([^)]*)' | head -1 | grep -o '\.param [^,)]*'"
    r" | sed -E 's/^\.param //; s/ [A-Za-z_$$][A-Za-z0-9_$$]*(\[|$$)/\1/; s/ +$$//; s/\.[usf]([0-9]+)/.b\1/'"
)
"""The text after `.param` in the declaration of the callee, without the names that every compiler chooses for itself; types of one
size are the same."""
ASSEMBLER = "ptxas"
ASSEMBLED = "-c -arch=$$(sed -n 's/^\\.target \\(sm_[0-9a-z]*\\).*/\\1/p' $@.out) $@.out -o $@.o >&2"
"""The arguments of ptxas, for the GPU that the compiler has written for; it says nothing of what it takes."""
NAMED = re.compile(r" \w+(\[|$)")
SAME_SIZE = re.compile(r"\.[usf](\d+)")


def declaration_bundle(plans: Sequence[DevicePlan], fingerprint: Fingerprint) -> Bundle:
    """The bundle of one call; raises `Problem` where declarations do not show what is wrong."""
    if not plans:
        raise Problem(
            f"the model gives no answer for {fingerprint.target}", "only what it predicts can be shown"
        )
    plan = plans[0]
    text = unit([(0, plan.prototype, plan.slots)])
    if fingerprint.symptom is Symptom.DIFFERS:
        return Bundle(text, extract=DECLARATIONS, options="-S", ways=Ways.BESIDE)
    if fingerprint.symptom not in CRASHES and fingerprint.clause not in declared_by(plan.assignment):
        raise Problem(
            f"no bundle shows what calls for {fingerprint.target} do", "reduce shows what is left of it"
        )
    if fingerprint.symptom in CRASHES:
        assembled = f"{program()} {ASSEMBLED}" if fingerprint.words.startswith(ASSEMBLER) else ""
        return Bundle(text, extract=assembled, options="-S")
    return Bundle(text, expected=expected(plan.assignment), extract=DECLARATIONS, options="-S")


def program() -> str:
    """The name by which a Makefile finds ptxas."""
    tool = find_tool(ASSEMBLER)
    return ASSEMBLER if tool is None or shutil.which(ASSEMBLER) else shlex.quote(tool.path)


def expected(answer: Assignment) -> tuple[str, ...]:
    """The parameters of a function as PTX declares them, the result first."""
    declared = (passed.param.declaration for passed in values(answer) if passed.param is not None)
    return tuple(SAME_SIZE.sub(r".b\1", NAMED.sub(r"\1", one)).removeprefix(".param ") for one in declared)


def declared_by(answer: Assignment) -> frozenset[str]:
    """The clauses by which the values of a call are declared, where the ABI is one of declarations."""
    return frozenset(passed.param.clause for passed in values(answer) if passed.param is not None)


def values(answer: Assignment) -> Iterator[Passed]:
    """The result and the parameters of a call, in the order of a PTX declaration."""
    if answer.result is not None:
        yield answer.result
    yield from answer.params
