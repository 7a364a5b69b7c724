"""The rules for PTX texts, by name: the clause, whether the document has it, and what ptxas does about a breach."""

from __future__ import annotations

from enum import Enum

import msgspec

from abiprobe.oracles.abis.ptx.sass.kernels import LIMIT
from abiprobe.oracles.text.clause import load_sheet

cite_guide = load_sheet("abiprobe.oracles.abis.ptx.guide").cite
cite_sass = load_sheet("abiprobe.oracles.abis.ptx.sass").cite
cite = load_sheet("abiprobe.oracles.abis.ptx").cite


class Enforced(Enum):
    """The reaction of ptxas to a text that breaks a rule."""

    REFUSED = "refused"
    """it ends with an error"""
    ACCEPTED = "accepted"
    """it assembles the text without a word"""
    WARNED = "warned"
    """it assembles the text and says so"""
    CRASHED = "crashed"
    """a signal ends it"""


class Later(msgspec.Struct, frozen=True):
    """The reaction of ptxas from a release on, and its message."""

    since: tuple[int, int]
    enforced: Enforced
    message: str = ""


class Rule(msgspec.Struct, frozen=True):
    """One rule: `message` is a part of what ptxas says when it refuses; `written` is false for a rule of ptxas alone."""

    name: str
    clause: str
    enforced: Enforced
    message: str = ""
    written: bool = True
    later: Later | None = None

    def by(self, release: tuple[int, int]) -> tuple[Enforced, str]:
        """Return the reaction of a release of ptxas to a breach, and its message."""
        if self.later is not None and release >= self.later.since:
            return self.later.enforced, self.later.message
        return self.enforced, self.message


class Breach(msgspec.Struct, frozen=True):
    """A rule that a text breaks, in which function or variable, and how."""

    rule: Rule
    where: str
    detail: str = ""


def refused(name: str, clause: str, message: str, *, written: bool = True) -> Rule:
    """A rule that ptxas enforces."""
    return Rule(name, cite(clause), Enforced.REFUSED, message, written)


def accepted(name: str, clause: str) -> Rule:
    """Return a rule that no tool enforces."""
    return Rule(name, cite(clause), Enforced.ACCEPTED)


SUB_WORD = "passing predicate, 8-bit and 16-bit parameters to device functions is not supported"
SUB_WORD_RESULT = "returning predicate, 8-bit and 16-bit values from device functions is not supported"

NARROW_REG = refused("narrow typed .reg parameter", "reg.width", SUB_WORD)
NARROW_RESULT = refused("narrow typed .reg result", "reg.width", SUB_WORD_RESULT)
NARROW_UNTYPED = accepted("narrow untyped .reg parameter", "reg.width")
NARROW_PARAM = refused("narrow typed .param parameter", "reg.width", SUB_WORD, written=False)
NARROW_PARAM_RESULT = refused("narrow typed .param result", "reg.width", SUB_WORD_RESULT, written=False)
ODD_ALIGN = refused("alignment that is no power of two", "param.align", "Alignment must be a power of two")
LARGE_ALIGN = Rule(
    "alignment above 128", cite_guide("pass.aggregate-align"), Enforced.REFUSED, "has illegal alignment"
)
WIDE_ALIGN = accepted("alignment of 32 to 128", "param.align")
REG_ARRAY = refused(".reg array", "arg.array", "cannot be allocated into a register")
UNSIZED_VERSION = refused(
    "array without a size before 6.0", "variadic.unsized", "requires PTX ISA .version 6.0"
)
UNSIZED_TARGET = refused("array without a size before sm_30", "variadic.unsized", "requires .target sm_30")
UNSIZED_EARLY = refused(
    "array without a size that is not last", "variadic.unsized-place", "Only the last input parameter"
)
UNSIZED_KERNEL = refused(
    "array without a size of a kernel",
    "variadic.unsized-place",
    "Parameter to entry function cannot be an incomplete",
)
UNSIZED_RESULT = refused(
    "array without a size as result",
    "variadic.unsized-place",
    "Output parameter cannot be an incomplete array",
)
TWO_PARAM_RESULTS = refused(
    "two .param results", "result.single", "Multiple return parameters require .register state space"
)
TWO_REG_RESULTS = refused("two .reg results", "result.single", "'Compile only(-c)' requires ABI")
TWO_REG_RESULTS_WHOLE = Rule(
    "two .reg results in a whole program", cite("result.single"), Enforced.WARNED, "disabling ABI"
)
MODULE_REG = refused(".reg at module scope", "module.reg", "are not allowed with ABI")
MODULE_REG_OLD = Rule(
    ".reg at module scope before 3.0", cite("module.reg"), Enforced.WARNED, "disabling ABI", written=False
)
MODULE_REG_OLD_C = refused(
    "relocatable code before 3.1", "module.reg", "requires PTX ISA .version 3.1", written=False
)
MODULE_PARAM = refused(".param at module scope", "arg.local", "may not be declared at module scope")
KERNEL_SPACE = Rule(
    "too many bytes of kernel parameters",
    LIMIT,
    Enforced.REFUSED,
    "uses too much parameter space",
    written=False,
)
KERNEL_SPACE_VERSION = Rule(
    "more than 4352 bytes of kernel parameters",
    LIMIT,
    Enforced.REFUSED,
    "uses too much parameter space",
    written=False,
    later=Later((12, 1), Enforced.REFUSED, "Kernel parameter size larger than 4352"),
)
UNDECLARED = refused("call of an undeclared function", "func.declared", "requires call prototype")
INDIRECT = refused("indirect call without a prototype", "func.declared", "Call target not recognized")
PROTOTYPES = refused("declaration unlike the definition", "func.same-prototype", "Inconsistent prototypes")
COUNT = refused("wrong number of arguments", "arg.type", "")
PARAM_TYPE = refused(
    "argument for a .param scalar of another type", "arg.param-scalar", "Type of argument does not match"
)
REG_TYPE = refused(
    "argument for a .reg parameter of another type", "arg.reg", "Type of argument does not match"
)
ARRAY_SIZE = refused(
    "byte array of another size", "arg.array", "Type of argument does not match formal parameter"
)
ARRAY_ALIGN = refused(
    "byte array of another alignment", "arg.array", "Alignment of argument does not match formal parameter"
)
ARRAY_TYPE = accepted("array of another element type", "arg.array")
ARRAY_SPACE = refused("no .param array for an array", "arg.array", "")
FORMAL_AS_ACTUAL = refused(
    "own formal parameter as argument",
    "arg.local",
    "declared in .param space cannot be used as argument to call",
)
CONSTANT = accepted("constant out of range", "arg.constant")
CONSTANT_TYPE = refused("floating constant for an integer", "arg.constant", "Type of argument")
STORE_GAP = accepted("st.param not next to the call", "store.adjacent")
LOAD_GAP = accepted("ld.param not next to the call", "load.adjacent")
LOAD_BEFORE = Rule(
    "ld.param of an argument before its call",
    cite("load.adjacent"),
    Enforced.CRASHED,
    later=Later((13, 4), Enforced.REFUSED, "Function call sequence invalid"),
)
LARGE_RESULT = Rule(
    "call without arguments, in a function without parameters, that returns more than 48 bytes",
    cite_sass("result.memory"),
    Enforced.CRASHED,
    written=False,
    later=Later((13, 2), Enforced.ACCEPTED),
)
"""Valid; the crash is a defect of ptxas."""
PREDICATED = refused(
    "predicated st.param or ld.param", "access.unpredicated", "Illegal to predicate instruction"
)
MISALIGNED = accepted("misaligned access", "access.aligned")
OUTSIDE = accepted("access outside of the variable", "access.inside")
BEFORE = Rule("access before the variable", cite("access.inside"), Enforced.CRASHED)
UNSET = accepted("argument that is never stored", "arg.initialised")
ADDRESS = refused(
    "address of a call's parameter", "access.no-address", "Illegal to take address of parameter"
)
WRITE_INPUT = refused(
    "write to an input parameter", "input.read-only", "Illegal to write to function input parameter"
)
ALLOCA_VERSION = refused(
    "alloca before 7.3", "alloca.version", "Feature 'alloca' requires PTX ISA .version 7.3"
)
ALLOCA_TARGET = refused("alloca before sm_52", "alloca.version", "requires .target sm_52")
ALLOCA_ALIGN = refused("alloca with an odd alignment", "alloca.align", "Alignment must be a power of two")
SYNTAX = refused("syntax of the example", "example.order", "syntax error", written=False)
