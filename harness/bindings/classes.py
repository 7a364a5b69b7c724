"""The classes and functions of a C++ header, as a binding in Rust has them: bindgen's structs, and functions by their symbols."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import msgspec

from abiprobe.harness.bindings.binding import Binding, BoundFunction, BoundType, Left
from abiprobe.harness.bindings.calls import Called
from abiprobe.harness.bindings.facts import LACKING, Fact, Facts, OfMember, OfType, Wrong
from abiprobe.harness.bindings.ways import HIDDEN, LackingError, UnnamedError, inner_name, own_name
from abiprobe.oracles.abis.itanium.calls import LARGE, PARAMETER, RESULT
from abiprobe.oracles.abis.itanium.definitions import is_empty
from abiprobe.oracles.engine.cxx_call import CxxCall
from abiprobe.oracles.language.classes import Class, DataMember
from abiprobe.oracles.language.cxx_calls import CxxPrototype, call_title
from abiprobe.oracles.language.lang import Pointer, Prototype
from abiprobe.oracles.model import Target
from abiprobe.oracles.registry import CXX_CALLS, cxx_call_model, cxx_model
from abiprobe.oracles.text.class_layout import ClassLayout
from abiprobe.oracles.text.place import MemberPlace, Unspecified, Unsupported

BLOB = "_bindgen_opaque_blob"
"""The member that stands for all of a class whose layout bindgen cannot say."""
TABLE = "vtable_"


def add_classes(classes: tuple[Class, ...], target: Target, binding: Binding, found: Facts) -> None:
    """Add the facts of classes to those that were found."""
    model = cxx_model(target)
    for one in classes:
        bound = binding.resolved(binding.type(one.tag))
        layout = model.layout(one)
        if bound is None:
            found.lacks.append(f"{one.keyword} {one.tag}")
        elif bound.opaque and one.members:
            found.lacks.append(f"{one.keyword} {one.tag} ({HIDDEN})")
        elif not isinstance(layout, ClassLayout):
            found.left.append(Left(bound.line, one.tag, no_answer(layout)))
        else:
            OfClass(one, layout, bound, found).add()


class OfClass(NamedTuple):
    """A class, its layout, its struct in a binding, and the facts to which its own are added."""

    asked: Class
    layout: ClassLayout
    bound: BoundType
    found: Facts

    def add(self) -> None:
        """Add size and alignment, and what the struct has: bases, members and the pointer to a virtual table."""
        what, layout = f"{self.asked.keyword} {self.asked.tag}", self.layout
        self._fact(what, OfType(self.bound), layout.size, layout.clause)
        self._fact(what, OfType(self.bound, alignment=True), layout.align, layout.align_clause)
        if BLOB in (self.bound.members or {}):
            self.found.left.append(Left(self.bound.line, self.asked.tag, HIDDEN))
            return
        if TABLE in (self.bound.members or {}) and layout.virtual_pointer:
            self._fact(f"{self.asked.tag}.{TABLE}", OfMember(self.bound, (TABLE,)), 0, layout.clause)
        self._bases()
        places = {one.path: one for one in reversed(layout.members)}
        for member in self.asked.members:
            if member.name:
                self._member(member, places[member.name])

    def _bases(self) -> None:
        for index, base in enumerate(self.asked.bases):
            name = f"_base_{index}" if index else "_base"
            place = next(
                (
                    one
                    for one in self.layout.bases
                    if one.path == (base.type.tag,) and one.virtual is base.virtual
                ),
                None,
            )
            if place is None or base.virtual:
                why = "a virtual base has its place in the whole object alone"
                self.found.left.append(Left(self.bound.line, f"{self.asked.tag}: {base.type.tag}", why))
            elif name in (self.bound.members or {}):
                what = f"{self.asked.tag}: base {base.type.tag}"
                self._fact(what, OfMember(self.bound, (name,)), place.offset, place.clause)
            elif not is_empty(base.type):
                self._wrong(f"{self.asked.tag}: base {base.type.tag}", "is missing", place.clause)

    def _member(self, member: DataMember, place: MemberPlace) -> None:
        what = f"{self.asked.tag}.{member.name}"
        try:
            name = own_name(self.bound, member.name, member.width is not None, member.name, self.bound.line)
        except LackingError:
            if isinstance(member.type, Class) and is_empty(member.type):
                self.found.left.append(Left(self.bound.line, what, "an empty member has no bytes"))
            else:
                self._wrong(what, LACKING, place.clause)
            return
        except UnnamedError as error:
            self.found.left.append(Left(error.line, what, error.why))
            return
        own, line = OfMember(self.bound, (name,)), self.bound.line
        if place.bit_field:
            self.found.add_bits(what, line, own, self.bound.bits[name.removeprefix("r#")], place)
        else:
            self.found.add_plain(what, line, own, place, sized=not member.no_unique_address)

    def _fact(self, what: str, asked: OfType | OfMember, expected: int, clause: str) -> None:
        self.found.facts.append(Fact(what, self.bound.line, asked, expected, clause))

    def _wrong(self, what: str, said: str, clause: str) -> None:
        self.found.wrong.append(Wrong(what, self.bound.line, said, "", clause))


class InC(NamedTuple):
    """The functions of a C++ header as calls of C that travel alike, named by their symbols; those that are none, and faults."""

    functions: list[Prototype]
    left: list[Left]
    wrong: list[Wrong]


def in_c(symbols: Mapping[str, CxxPrototype], target: Target, binding: Binding) -> InC:
    """Return functions as calls of C: what goes by its address in C++ has that as its type, and must have it in the binding."""
    found = InC([], [], [])
    for symbol, asked in symbols.items():
        bound = binding.functions.get(symbol)
        line = 0 if bound is None else bound.line
        prototype = as_c(asked, target)
        if isinstance(prototype, str):
            found.left.append(Left(line, call_title(asked), prototype))
            continue
        faults = () if bound is None else tuple(passed_by_value(prototype, asked, bound, binding))
        if faults:
            found.wrong.append(faults[0])
        elif bound is not None and prototype.result == LARGE and not bound.returns:
            why = "the binding does not return the result, which is in memory"
            found.left.append(Left(line, call_title(asked), why))
        else:
            found.functions.append(msgspec.structs.replace(prototype, name=symbol))
    return found


def passed_by_value(
    prototype: Prototype, asked: CxxPrototype, bound: BoundFunction, binding: Binding
) -> Iterator[Wrong]:
    """Yield what a binding passes or returns by value that goes by its address in C++; in a register both may have the same bits."""
    hidden = asked.this is not None
    *types, result = bound.types
    triples = zip(asked.params, prototype.params[hidden:], types[hidden:], strict=False)
    for number, (argument, param, own) in enumerate(triples, 1):
        if isinstance(argument.type, Class) and param.type == Pointer() and is_record(own, binding):
            said = f"parameter {number} is {own} by value"
            yield Wrong(call_title(asked), bound.line, said, "its address", PARAMETER)
    if isinstance(asked.result, Class) and prototype.result == LARGE and is_record(result, binding):
        said = f"the result is {result} by value"
        yield Wrong(call_title(asked), bound.line, said, "in memory that the caller gives", RESULT)


def is_record(text: str, binding: Binding) -> bool:
    """Return whether a type of a binding is a struct of it."""
    found = binding.resolved(binding.types.get(inner_name(text)))
    return found is not None and found.members is not None


def no_answer(said: Unspecified | Unsupported) -> str:
    """The reason why a class or call is not compared: the text leaves it open, or the target lacks it."""
    clause = f" ({said.clause})" if isinstance(said, Unspecified) else ""
    return f"the text has no answer: {said.why}{clause}"


def as_c(asked: CxxPrototype, target: Target) -> Prototype | str:
    """Return a call as one of C that travels alike, or why there is none."""
    if target.name not in CXX_CALLS:
        return f"calls of C++ are not modelled for {target}"
    model = cxx_call_model(target)
    found = model.call(asked)
    if not isinstance(found, CxxCall):
        return no_answer(found)
    prototype = model.in_c(asked)
    if len(prototype.params) != len(asked.params) + (asked.this is not None):
        return "an argument travels as nothing, which C has not"
    other = next((one for one in by_value(asked, prototype) if not is_as_in_c(one, target)), None)
    return prototype if other is None else f"{other.tag} has no layout of C"


def by_value(asked: CxxPrototype, prototype: Prototype) -> Iterator[Class]:
    """Yield the classes of which a value travels itself."""
    params = prototype.params[asked.this is not None :]
    for argument, param in zip(asked.params, params, strict=False):
        if isinstance(argument.type, Class) and param.type != Pointer():
            yield argument.type
    if isinstance(asked.result, Class) and prototype.result != LARGE:
        yield asked.result


def is_as_in_c(one: Class, target: Target) -> bool:
    """Return whether the record that stands for a class has the layout of the class in C, too."""
    layout = cxx_model(target).layout(one)
    extent = target.model().types.extent(cxx_call_model(target).stand_ins().stand_in(one))
    return isinstance(layout, ClassLayout) and (extent.size, extent.align) == (layout.size, layout.align)


def titled(called: Called, symbols: Mapping[str, CxxPrototype], binding: Binding) -> Called:
    """Calls with the functions in the words of the header, and the names that the binding gives them."""

    def title(symbol: str) -> str:
        if symbol not in symbols:
            return symbol
        asked, bound = symbols[symbol], binding.functions.get(symbol)
        return call_title(asked) + (f" ({bound.name})" if bound and bound.name != asked.name else "")

    return Called(
        {title(one) for one in called.agreeing},
        [msgspec.structs.replace(one, what=title(one.what)) for one in called.wrong],
        [title(one) for one in called.lacks],
        [msgspec.structs.replace(one, name=title(one.name)) for one in called.left],
    )
