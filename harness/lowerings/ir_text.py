"""Reading signatures out of the text of LLVM IR: `define` and `declare` lines and calls, of functions with given names.

Written for this because llvmlite, the maintained parser for Python, reads the IR of its own LLVM only: 0.50 (LLVM 22) refuses
what clang 24 writes (`nofreeobj`). Attributes need not be known here, so those of later releases are read as well.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

import msgspec

from abiprobe.harness.lowerings.ir_sizes import Sizes
from abiprobe.harness.lowerings.signature import COPIES, Attribute, IrSignature, Role, Slot

TOKEN = re.compile(
    r'\s*([%@]?"(?:[^"\\]|\\.)*"|[%@#!]?[-\w.$]+|\.\.\.|[<>(){}\[\],=*:])|\s*(;.*)|\s*(\S)',
)
NAMED_TYPE = re.compile(r"^(%(?:\"[^\"]*\"|[-\w.$]+)) = type (.*)$", re.MULTILINE)
LAYOUT = re.compile(r'^target datalayout = "([^"]*)"', re.MULTILINE)
HEADS = frozenset({"define", "declare"})
LINE = re.compile(
    r"^(?:(define|declare)|  (?:%[-\w.]+ = )?(?:(?:tail|musttail|notail) )?(call|invoke)) .*$", re.MULTILINE
)
NAME = re.compile(r'@(?:"((?:[^"\\]|\\.)*)"|([-\w.$]+))\(')
GROUPS = re.compile(r"^attributes (#\d+) = \{ (.*) \}$", re.MULTILINE)

SCALARS = re.compile(
    r"void|i\d+|b\d+|half|bfloat|float|double|x86_fp80|fp128|ppc_fp128|x86_mmx|x86_amx|ptr|label|token|metadata"
)
CONVENTION = re.compile(
    r"\w*cc|\w+_(?:func|kernel|device|vfpcc|pcs)|riscv_vls_cc|amdgpu_\w+|spir_\w+|ptx_\w+|graalcc|tailcc"
)
NO_ATTRIBUTES = frozenset(
    {
        *(
            "private",
            "internal",
            "available_externally",
            "linkonce",
            "weak",
            "common",
            "appending",
            "extern_weak",
        ),
        *(
            "linkonce_odr",
            "weak_odr",
            "external",
            "dso_local",
            "dso_preemptable",
            "default",
            "hidden",
            "protected",
        ),
        *("dllimport", "dllexport", "unnamed_addr", "local_unnamed_addr"),
        *("fast", "nnan", "ninf", "nsz", "arcp", "contract", "afn", "reassoc"),
    }
)
"""Words before a result's type that say nothing of how it is passed: linkage and the like, and what a call may assume of reals."""
NO_CONVENTION = frozenset({"ccc"})
VALUES = frozenset(
    {
        *(
            "undef",
            "poison",
            "null",
            "true",
            "false",
            "zeroinitializer",
            "none",
            "splat",
            "getelementptr",
            "bitcast",
        ),
        *(
            "inttoptr",
            "ptrtoint",
            "addrspacecast",
            "trunc",
            "asm",
            "blockaddress",
            "dso_local_equivalent",
            "c",
        ),
    }
)
"""Words that begin the value of an argument, which ends its attributes."""
OPENING, CLOSING = frozenset("(<{["), frozenset(")>}]")
SPACED = frozenset({"align", "alignstack", "dereferenceable"})
"""Attributes whose argument may stand behind a space."""


class UnreadableError(ValueError):
    """IR of another form than this reader knows."""


class Tokens:
    """The tokens of a line, and how far they have been read."""

    def __init__(self, text: str) -> None:
        found = (match[1] or match[3] for match in TOKEN.finditer(text) if not match[2])
        self._left = [*found, ""][::-1]
        self.next = self._left.pop()
        """The token to be read next; empty at the end."""
        self._text = text

    def take(self, *expected: str) -> str:
        """Read a token; raises `UnreadableError` at the end, or if it is none of `expected`."""
        token = self.next
        if not token or (expected and token not in expected):
            raise UnreadableError(
                f"{' or '.join(expected) or 'more'} expected, found {token!r}: {self._text[:200]}"
            )
        self.next = self._left.pop()
        return token

    def group(self) -> list[str]:
        """Read a bracketed group; the tokens of it with its brackets."""
        depth, found = 0, []
        while True:
            token = self.take()
            found.append(token)
            depth += (token in OPENING) - (token in CLOSING)
            if not depth:
                return found


class Module(msgspec.Struct, frozen=True):
    """The definitions that the lines of a module refer to: named types, attribute groups, and the data layout."""

    types: Mapping[str, str]
    groups: Mapping[str, str]
    layout: str = ""

    @classmethod
    def of(cls, text: str) -> Module:
        """Parse a module's text."""
        layout = LAYOUT.search(text)
        return cls(dict(NAMED_TYPE.findall(text)), dict(GROUPS.findall(text)), layout[1] if layout else "")


class IrLine(msgspec.Struct, frozen=True):
    """A line that has a signature: what for, the name of the function without `@`, and its text from the keyword on."""

    role: Role
    name: str
    text: str


def lines(text: str, named: Callable[[str], object]) -> Iterator[IrLine]:
    """The heads of functions whose names `named` finds true, and the calls to them, in their order."""
    for found in LINE.finditer(text):
        line = found[0]
        name = function_name(line)
        if name and named(name):
            keyword = found[1] or found[2]
            role = Role(keyword) if keyword in HEADS else Role.CALL
            yield IrLine(role, name, line[found.start(1 if found[1] else 2) - found.start() :].rstrip(" {"))


def function_name(line: str) -> str:
    """The name of the function that a line is about, without what targets add to names in C; empty without one."""
    found = NAME.search(line)
    return re.sub(r"^(?:\\01)?[_@]*(?:regcall\d__)?|@+\d+$", "", found[1] or found[2]) if found else ""


def signature(line: IrLine, module: Module) -> IrSignature:
    """The signature that a line has; raises `UnreadableError` if it cannot be read."""
    tokens = Tokens(line.text)
    tokens.take()
    convention = ""
    attributes: list[Attribute] = []
    while not begins_type(tokens.next):
        word = tokens.take()
        if word == "cc":
            convention = f"cc {tokens.take()}"
        elif word == "addrspace":
            tokens.group()
        elif CONVENTION.fullmatch(word):
            convention = f"{word}{''.join(tokens.group())}" if tokens.next == "(" else word
        elif word not in NO_ATTRIBUTES:
            attributes += attribute(word, tokens, module)
    result = Slot(a_type(tokens, module), tuple(sorted(attributes)))
    if tokens.next == "(":
        # The type of the function, which a call of a variadic one has beside its arguments.
        tokens.group()
    if not tokens.take().startswith(("@", "%")):
        raise UnreadableError("no function's name behind its result")
    arguments, variadic = parameters(tokens, module)
    return IrSignature(result, arguments, "" if convention in NO_CONVENTION else convention, variadic)


def parameters(tokens: Tokens, module: Module) -> tuple[tuple[Slot, ...], bool]:
    """The arguments in their brackets, and whether `...` ends them."""
    tokens.take("(")
    found: list[Slot] = []
    while tokens.next != ")":
        if tokens.next == "...":
            tokens.take()
            tokens.take(")")
            return tuple(found), True
        found.append(parameter(tokens, module))
        if tokens.next == ",":
            tokens.take()
    tokens.take(")")
    return tuple(found), False


def parameter(tokens: Tokens, module: Module) -> Slot:
    """A type, its attributes, and a name or value that is left out."""
    c_type = a_type(tokens, module)
    attributes: list[Attribute] = []
    while is_attribute(tokens.next):
        attributes += attribute(tokens.take(), tokens, module)
    while tokens.next not in {",", ")"}:
        if tokens.next in OPENING:
            tokens.group()
        else:
            tokens.take()
    return Slot(c_type, tuple(sorted(attributes)))


def is_attribute(token: str) -> bool:
    """Return whether a token after an argument's type is an attribute, and not the argument's name or value."""
    if token.startswith('"') or re.fullmatch(r"#\d+", token):
        return True
    return re.fullmatch(r"[a-z]\w*", token) is not None and token not in VALUES


def attribute(word: str, tokens: Tokens, module: Module) -> Iterator[Attribute]:
    """The attribute that a word begins, or those of the group that it names."""
    if word in module.groups:
        yield from in_group(module.groups[word], module)
    elif tokens.next == "=":
        tokens.take()
        yield Attribute(word.strip('"'), tokens.take().strip('"'))
    elif word in SPACED and re.fullmatch(r"\d+", tokens.next):
        yield Attribute(word, tokens.take())
    elif tokens.next == "(" and not word.startswith('"'):
        inside = argument(tokens.group()[1:-1], module)
        yield Attribute(word, in_bytes(inside, module) if word in {*COPIES, "sret"} else inside)
    else:
        yield Attribute(word.strip('"'))


def in_group(text: str, module: Module) -> Iterator[Attribute]:
    """The attributes of a group."""
    tokens = Tokens(text)
    while tokens.next:
        yield from attribute(tokens.take(), tokens, module)


def argument(inside: list[str], module: Module) -> str:
    """Return the contents of an attribute's brackets: a type, written out, or words."""
    if inside and begins_type(inside[0]):
        rest = Tokens(" ".join(inside))
        c_type = a_type(rest, module)
        if not rest.next:
            return c_type
    return re.sub(r" (?=[,):])|(?<=[(]) | (?=[(])", "", " ".join(inside))


def in_bytes(c_type: str, module: Module) -> str:
    """The size of a type, of which the code generator knows no more when it copies a value; or else the type."""
    size = Sizes(module.layout).extent(c_type)
    return c_type if size is None else f"{size[0]} bytes"


def begins_type(token: str) -> bool:
    """Return whether a type begins with this token."""
    return token in {"{", "<", "[", "target"} or token.startswith("%") or SCALARS.fullmatch(token) is not None


def a_type(tokens: Tokens, module: Module) -> str:
    """A type in one spelling, in which a named one is replaced by what it is made of."""
    word = tokens.take()
    if word in module.types:
        return a_type(Tokens(module.types[word]), module) if module.types[word] != "opaque" else word
    if word == "target":
        return f"target{''.join(tokens.group())}"
    if word == "ptr" and tokens.next == "addrspace":
        return f"ptr {tokens.take()}{''.join(tokens.group())}"
    if word in {"{", "[", "<"}:
        return aggregate(word, tokens, module)
    if not begins_type(word) or word.startswith("%"):
        raise UnreadableError(f"{word!r} is no type")
    return word


def aggregate(opening: str, tokens: Tokens, module: Module) -> str:
    """The rest of a struct, packed struct, array or vector."""
    if opening == "<" and tokens.next == "{":
        tokens.take()
        inner = aggregate("{", tokens, module)
        tokens.take(">")
        return f"<{inner}>"
    if opening == "{":
        members = []
        while tokens.next != "}":
            members.append(a_type(tokens, module))
            if tokens.next == ",":
                tokens.take()
        tokens.take("}")
        return f"{{ {', '.join(members)} }}" if members else "{}"
    words = [] if opening == "[" else [tokens.take(), tokens.take("x")] if tokens.next == "vscale" else []
    count = tokens.take()
    tokens.take("x")
    element = a_type(tokens, module)
    tokens.take("]" if opening == "[" else ">")
    text = " ".join((*words, count, "x", element))
    return f"[{text}]" if opening == "[" else f"<{text}>"
