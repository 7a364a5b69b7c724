"""The answer side of a target: `AbiModel`, what it is composed of, and `Target`, which names it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from functools import cache, cached_property
from typing import Protocol, TypeVar

from msgspec import structs

from abiprobe.oracles.engine.attributes import GNU
from abiprobe.oracles.engine.policies import TEXT, Policies
from abiprobe.oracles.engine.silence import AbsentError, SilentError
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import (
    PRESERVING,
    Complex,
    Convention,
    FixedPoint,
    Prototype,
    Type,
    spelling,
    unsaid_part,
)
from abiprobe.oracles.text.frame import Frame
from abiprobe.oracles.text.options import DEFAULT, LayoutOptions
from abiprobe.oracles.text.place import (
    Assignment,
    Layout,
    Passed,
    Passing,
    Register,
    Unspecified,
    Unsupported,
)

Said = TypeVar("Said")
FAMILIES = ("gcc", "clang")
"""The dialects that are readings of a compiler family."""
READING = "reading"
"""The stand-in for a version in the name of a dialect that is a family's reading alone, without quirks."""
OTHER_CONVENTIONS = GNU.cite("other-conventions", "oracles.model.Model.assign")
COMPLEX_INTEGER = GNU.cite("complex-integer", "oracles.model.unsaid")
FIXED_POINT = GNU.cite("fixed-point", "oracles.model.unsaid")


class AbiModel(Protocol):
    """A written ABI, executable: what it says about a type and about a prototype."""

    @property
    def types(self) -> TypeTable:
        """Sizes, layouts and significant bits of types."""
        ...

    @property
    def layouts(self) -> Unspecified | None:
        """The silence about every layout if no text is followed, `None` if one is."""
        ...

    def layout(self, c_type: Type) -> Layout | Unspecified | Unsupported:
        """Size, alignment and member offsets of a type."""
        ...

    def assign(self, prototype: Prototype) -> Assignment | Unspecified | Unsupported:
        """The place of every byte of every argument and of the result."""
        ...

    def declared(self, prototype: Prototype) -> Prototype:
        """The prototype as C for this target declares it, with the attribute that all its functions have."""
        ...


@dataclass(frozen=True)
class OnTop:
    """A model whose answers about types and calls are those of another one, `scalar`."""

    scalar: AbiModel


def where_text(layouts: Unspecified | None, found: Said | Unspecified) -> Said | Unspecified:
    """Return the answer about one layout: `layouts` if it covers all, unless the GCC manual leaves this one open."""
    by_manual = isinstance(found, Unspecified) and found.clause.startswith(f"{GNU.name}:")
    return found if layouts is None or by_manual else layouts


@dataclass(frozen=True)
class Model:
    """An ABI composed of a type table and a function that assigns places to a call, if calls are modelled.

    `conventions` are the attributes of a function that mean something here, beside `regparm` where that does; `silent`
    those that compilers have and no model describes. Every function of the target has the attribute `convention`.
    `layouts` is what is said of every layout where no text about them is followed, except where the GCC manual, which holds
    for every target, is silent by a clause of its own; `types` are then supposed.
    `wider` makes the model for a processor with vector registers of so many bytes, which a `target` attribute asks for.
    """

    types: TypeTable
    calls: Callable[[TypeTable, Prototype], Assignment] | None = None
    conventions: frozenset[Convention] = frozenset()
    regparm: bool = False
    convention: Convention | None = None
    silent: frozenset[Convention] = frozenset()
    layouts: Unspecified | None = None
    wider: Callable[[int], AbiModel] | None = None

    def layout(self, c_type: Type) -> Layout | Unspecified | Unsupported:
        """See `AbiModel.layout`."""
        try:
            found: Layout | Unspecified | Unsupported = self.types.layout(c_type)
        except SilentError as silence:
            found = Unspecified(silence.clause, silence.why)
        except AbsentError as absence:
            found = Unsupported(str(absence))
        return where_text(self.layouts, found)

    def declared(self, prototype: Prototype) -> Prototype:
        """See `AbiModel.declared`."""
        return (
            prototype if self.convention is None else structs.replace(prototype, convention=self.convention)
        )

    def assign(self, prototype: Prototype) -> Assignment | Unspecified | Unsupported:
        """See `AbiModel.assign`."""
        if self.calls is None:
            return Unsupported("the model of this target answers layouts only")
        asked = prototype.convention
        # [gnu:other-conventions]
        if asked in PRESERVING and asked in self.silent and self.types.reading is not None:
            # To who has them they are about registers alone.
            asked = None
        if asked is not None and asked in self.silent:
            return Unspecified(OTHER_CONVENTIONS, f"{asked.value} is not modelled")
        if asked is not None and asked is not self.convention and asked not in self.conventions:
            return Unsupported(f"this target has no {asked.value}")
        if prototype.regparm is not None and not self.regparm:
            return Unsupported("this target has no regparm")
        if prototype.isa is not None and self.wider is None:
            return Unsupported(f"this target has no {prototype.isa.value}")
        processor = of_processor(self, prototype)
        if processor is not self:
            return processor.assign(prototype)
        for c_type in dict.fromkeys(prototype.types):
            if silence := unsaid(c_type, self.types):
                return silence
        try:
            return self.calls(self.types, prototype)
        except SilentError as silent:
            return Unspecified(silent.clause, silent.why)
        except AbsentError as absence:
            return Unsupported(str(absence))


def of_processor(model: AbiModel, prototype: Prototype) -> AbiModel:
    """Return the model for the processor that a prototype's `target` attribute asks for; the same one if it has no such attribute."""
    if not isinstance(model, Model) or prototype.isa is None or model.wider is None:
        return model
    vectors = prototype.isa.vectors
    return model.wider(vectors) if vectors > model.types.options.vectors else model


def unsaid(c_type: Type, types: TypeTable) -> Unspecified | None:
    """Return the silence about a value of a type that contains a type of GNU C which the ABI document does not have."""
    match unsaid_part(c_type):
        case None:
            return None
        case Complex() if types.data.complex_integers or types.reading is not None:
            return None
        case Complex():
            # [gnu:complex-integer]
            return Unspecified(COMPLEX_INTEGER, f"{spelling(c_type)} is, or has, a complex integer")
        case FixedPoint() if types.reading is not None and types.data.fixed_as_integers:
            return None
        case part:
            # [gnu:fixed-point]
            return Unspecified(FIXED_POINT, f"{spelling(c_type)} is, or has, {spelling(part)}")


@dataclass(frozen=True)
class Preserved:
    """A callee-saved register by its ABI name: its first `size` bytes, or all of it (0), and the clause that says so.

    The bits set in `free` may change.
    """

    register: str
    clause: str
    size: int = 0
    free: int = 0


@dataclass(frozen=True)
class SymbolMark:
    """A mark in `st_other` that the symbol of a function must have, and the clause that asks for it.

    The mark has a name and bits, and assemblers make it of a directive.
    """

    name: str
    bits: int
    directive: str
    clause: str


@dataclass(frozen=True)
class PreservedBy:
    """The registers that a function preserves if an argument or its result is in one of some `registers`, and its mark."""

    registers: frozenset[str]
    preserved: tuple[Preserved, ...]
    mark: SymbolMark | None = None


@dataclass(frozen=True)
class Forbidden:
    """The contents that a register may not have at entry and return of a function: `value` in the bits set in `bits`.

    `clause` says so, `what` is what it would mean.
    """

    register: str
    bits: int
    value: int
    what: str
    clause: str


def registers_of(values: Iterable[Passed | None]) -> frozenset[str]:
    """The names of the registers that hold values themselves, and not an address of one."""
    return frozenset(
        piece.place.name
        for value in values
        if value is not None and value.passing is Passing.DIRECT
        for piece in value.pieces
        if isinstance(piece.place, Register)
    )


@dataclass(frozen=True)
class RegisterStack:
    """Registers that are a stack, empty when a function is entered and when it returns, but for its result.

    `tags` has a bit for each of them that is in use; their names begin with `prefix`. `clause` says that they are empty. Names
    that begin with `alias` are of the same registers, and whoever writes to one of those marks all `count` as in use, by
    `alias_clause` not beyond the function. `what` and `aliased` say in words what is wrong then.
    """

    tags: str
    prefix: str
    count: int
    clause: str
    what: str
    alias: str
    alias_clause: str
    aliased: str

    def is_asked_of(self, call: Assignment) -> bool:
        """Return whether the registers must be empty around a call: none of its values is in one by its other name."""
        return not any(name.startswith(self.alias) for name in registers_of((*call.params, call.result)))

    def holds(self, value: Passed | None) -> int:
        """Return the number of the registers that a value is in, by their first name."""
        return sum(name.startswith(self.prefix) for name in registers_of((value,)))


@dataclass(frozen=True)
class KeptWord:
    """A word of its caller's frame, `size` bytes at `offset` from the stack pointer at entry, that a function leaves alone, by `clause`."""

    offset: int
    size: int
    clause: str


@dataclass(frozen=True)
class CallerFrame:
    """The part of its caller's frame that a function preserves.

    `clause` says so of what is above the arguments on the stack, and above the first `own` bytes from the stack pointer
    at entry on, which are for the called function or for the return address; `words` are those below that which it
    leaves alone, too.
    """

    clause: str
    own: int = 0
    words: tuple[KeptWord, ...] = ()

    def clause_at(self, offset: int) -> str:
        """The clause that protects the byte at an offset from the stack pointer at entry."""
        within = (one.clause for one in self.words if one.offset <= offset < one.offset + one.size)
        return next(within, self.clause)

    @property
    def clauses(self) -> tuple[str, ...]:
        """Every clause that protects a byte."""
        return (self.clause, *(one.clause for one in self.words))


@dataclass(frozen=True)
class RegisterConvention:
    """The registers that a function preserves, and the state of registers and stack at its entry.

    `stack_pointer` is the clause by which the stack pointer is kept. The stack arguments start at a multiple of
    `stack_align` bytes, as the clause `stack_alignment` says. The `shadow` bytes above the return address belong to the
    called function, which may write there. Some functions preserve other registers, by what they are passed (`other`).
    Object files must say `mark` of a function. `caller_frame` is what the text leaves to the caller of its frame, where
    it says so, and `stack_of_registers` are registers that are a stack. Where functions are called by their types, they have
    no other parameters than those of a call's places, by the clause `signature`.
    """

    preserved: tuple[Preserved, ...]
    stack_pointer: str
    stack_align: int
    stack_alignment: str
    forbidden: tuple[Forbidden, ...] = ()
    shadow: int = 0
    other: PreservedBy | None = None
    mark: SymbolMark | None = None
    caller_frame: CallerFrame | None = None
    stack_of_registers: RegisterStack | None = None
    signature: str = ""

    def __hash__(self) -> int:
        """Hash the convention by few of its fields; much is remembered for each."""
        return hash((self.stack_pointer, self.stack_align, self.stack_alignment, self.shadow))

    def of(self, call: Assignment) -> RegisterConvention:
        """The convention of a function that is called with these places."""
        if self.other is None:
            return self
        names = registers_of((*call.params, call.result))
        return self if names.isdisjoint(self.other.registers) else self._other

    @cached_property
    def _other(self) -> RegisterConvention:
        assert self.other is not None, "who asks knows that there is one"
        return replace(self, preserved=self.other.preserved, mark=self.other.mark, other=None)


class Toured(Enum):
    """The part of a model's automaton that a tour crosses, as some have too many states for all of it."""

    WHOLE = "all transitions"
    APART = "those of the general registers and one file of others, of each file by itself"


@dataclass(frozen=True, eq=False, repr=False)
class Target:
    """A target, or one of its dialects: its name, what people call it, the machine it runs on, its dialects and their models.

    `family` is the heading under which lists and tables show it, with others of its architecture or system. `machine` names the instruction set, and is empty where only layouts are modelled; `registers` is told where
    calls are. The dialect `""` is the document as written; `sheet` is the name of the clause sheet, whose source
    carries title and edition, `also` names others that the target follows. `plain` is what the dialect `""` is called. `frame` is what is known of stack frames,
    where that is modelled. The functions of a target with `vectors` are vector functions. `observers` names the ways in
    which its calls are observed, where that is not by running programs on its machine. A target that is not `modelled`
    follows no text: its compilers are compared with each other, and `registers` is what the runtime must know to call
    their code. `toured` says what of its model a tour crosses. `dialect` is the one that is meant, or what a `version` of that family does, under the `policies` of quirks, which take the place of its own. Two of one spelling and policies are equal.
    """

    name: str
    title: str
    family: str
    machine: str
    sheet: str
    dialects: Mapping[str, Callable[[LayoutOptions], AbiModel]]
    registers: RegisterConvention | None = None
    plain: str = "as written"
    frame: Frame | None = None
    vectors: bool = False
    observers: tuple[str, ...] = ()
    modelled: bool = True
    toured: Toured = Toured.WHOLE
    also: tuple[str, ...] = ()
    dialect: str = ""
    version: str = ""
    policies: Policies | None = None

    @property
    def spelling(self) -> str:
        """The target as a user writes it: its name, with the dialect behind it (`x86_64-sysv@clang-22`, `x86_64-sysv@clang-reading`)."""
        kind = self.version or (READING if self.dialect in FAMILIES else "")
        spelled = "-".join(filter(None, (self.dialect, kind)))
        return f"{self.name}@{spelled}" if spelled else self.name

    def __str__(self) -> str:
        return self.spelling

    def __repr__(self) -> str:
        return f"Target({self.spelling!r})"

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Target) and self.spelling == other.spelling and self.policies == other.policies
        )

    def __hash__(self) -> int:
        return hash((self.spelling, self.policies))

    def model(self, options: LayoutOptions = DEFAULT) -> AbiModel:
        """The model of the dialect under language options; the same object each time."""
        return _model(self, options)

    def in_dialect(self, name: str) -> Target:
        """The dialect of this name, one of `dialects`; the document as written is `""`."""
        return replace(self, dialect=name, version="")

    def under(self, policies: Policies) -> Target:
        """The same target or dialect under the policies of quirks."""
        return replace(self, policies=policies)


def policies_of(model: AbiModel) -> Policies:
    """The policies by which a model answers: those of the text where it has none of its own."""
    if isinstance(model, OnTop):
        return policies_of(model.scalar)
    return model.types.policies if isinstance(model, Model) else TEXT


@cache
def _model(target: Target, options: LayoutOptions) -> AbiModel:
    model = target.dialects[target.dialect](options)
    return model if target.policies is None else under(model, target.policies)


def under(model: AbiModel, policies: Policies) -> AbiModel:
    """A model under the policies of quirks, or one of variants on top of it; no quirk changes another."""
    if isinstance(model, OnTop):
        return replace(model, scalar=under(model.scalar, policies))
    if not isinstance(model, Model):
        return model
    wider = model.wider
    return replace(
        model,
        types=model.types.under(policies),
        wider=None if wider is None else lambda vectors: under(wider(vectors), policies),
    )
