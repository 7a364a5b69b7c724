"""Calls of C++ in D: for each function a caller and a callee, as `abiprobe.harness.machines.render.cxx_calls` has them in C++.

A member function is called through a delegate, and a virtual one through a table of functions that leads nowhere else. Copy
constructors copy all bytes of an object, destructors count themselves in `abi_out`, so that it shows who destroys what.
"""

from __future__ import annotations

from collections.abc import Iterator

from abiprobe.harness.machines.languages.printer import NUMBER, TAG, Printer, callee_symbol, caller_symbol
from abiprobe.harness.machines.render.arrange import Arrangement
from abiprobe.harness.machines.render.cxx_calls import TABLE_ENTRIES, named_apart
from abiprobe.harness.machines.render.d.classes import definition, enumerations, is_class, type_text
from abiprobe.harness.machines.render.probe_markers import marker
from abiprobe.harness.machines.render.slots import Slot
from abiprobe.harness.machines.render.unsayable import UnsayableError
from abiprobe.oracles.abis.itanium.triviality import copy_constructor, is_non_trivial
from abiprobe.oracles.language.classes import Class, CxxType, Declared, Reference, element
from abiprobe.oracles.language.cxx_calls import CxxPrototype, classes_in, referred
from abiprobe.oracles.language.lang import Prototype

SUFFIX = f"_{NUMBER}{TAG}"
COPY = "import core.stdc.string : memcpy;"
OBJECT = "object"


class CallPrinter(Printer):
    """Prints calls of C++ in D."""

    def defines(self, function: Prototype | CxxPrototype) -> bool:
        return not function.variadic


def functions(asked: CxxPrototype, slots: Arrangement) -> str:
    """The caller and the callee of a function; raises `UnsayableError`."""
    asked = named_apart(asked)
    own = callee(asked, slots)
    lines = [
        marker(NUMBER),
        "import core.stdc.config;",
        "extern (C++) {",
        *declared(asked, slots, own if asked.this is not None else ""),
        *([own] if asked.this is None else []),
        "}",
        *caller(asked, slots),
    ]
    return "\n".join(lines)


def declaration(asked: CxxPrototype) -> str:
    """A function for people; raises `UnsayableError` for what D cannot say."""
    asked = named_apart(asked)
    nothing = Arrangement(None, (), 0)
    own = f"{'' if asked.virtual or asked.this is None else 'final ' * is_class(asked.this)}{signature(asked, '')};"
    text = declared(asked, nothing, own if asked.this is not None else "", suffix="")
    return "\n".join(["extern (C++) {", *text, *([own] if asked.this is None else []), "}"])


def declared(asked: CxxPrototype, slots: Arrangement, own: str, suffix: str = SUFFIX) -> Iterator[str]:
    """Everything that a function needs to be declared; its class has its definition, which is its `own`."""
    classes = classes_in(asked.types)
    require_sayable(asked)
    types = [element(referred(one)) for one in asked.types]
    types += [element(item.type) for one in classes for item in one.members]
    yield from enumerations(types, suffix)
    for one in classes:
        if one.tag:
            yield definition(one, suffix, bodies(one, slots, suffix), own if one == asked.this else "")


def bodies(one: Class, slots: Arrangement, suffix: str) -> dict[str, str]:
    """The bodies of the functions of a class, by what begins their declarations."""
    if not suffix:
        return {}
    address = "cast(void*) this" if is_class(one) else "&this"
    size = f"{one.tag}{suffix}.sizeof"
    counted = "" if slots.counted is None else f"++*{counter(slots.counted)};"
    return {
        "copy": f"{{ {COPY} memcpy({address}, &o, {size}); }}",
        "assign": "{ return this; }",
        "destructor": f"{{ {counted} }}",
        "other": f"{{ {COPY} memcpy({address}, abi_in.ptr + at, {size}); }}",
        "": "{}",
    }


def require_sayable(asked: CxxPrototype) -> None:
    """Raise `UnsayableError` for values that D does not pass."""
    for c_type in asked.types[asked.this is not None :]:
        if isinstance(c_type, Reference) and isinstance(c_type.to, Class) and is_class(c_type.to):
            raise UnsayableError("no references to classes, which are references themselves")
        if isinstance(c_type, Reference) and c_type.rvalue:
            raise UnsayableError("no rvalue references")
        type_text(referred(c_type), "")
        if isinstance(c_type, Class) and copies_part(c_type):
            raise UnsayableError("no copy constructor by itself of a struct that has a member with one")
        if isinstance(c_type, Class) and not copy_constructor(c_type).usable and not c_type.specials.other:
            raise UnsayableError("no values of a type that is moved and not copied")
    if any(isinstance(one, Class) and is_non_trivial(one) for one in asked.unnamed):
        raise UnsayableError("no unnamed arguments that run code")
    if asked.variadic and not asked.params:
        raise UnsayableError("no function of C++ with unnamed arguments alone")


def copies_part(one: Class) -> bool:
    """Return whether a struct is copied by its compiler, and has a member with a copy constructor of the user's."""
    inner = [element(item.type) for item in one.members]
    return one.specials.copy is not Declared.PROVIDED and any(
        isinstance(part, Class) and (part.specials.copy is Declared.PROVIDED or copies_part(part))
        for part in inner
    )


def passed(c_type: CxxType | None, suffix: str) -> str:
    """The type of a parameter or a result."""
    if c_type is None:
        return "void"
    if isinstance(c_type, Reference):
        return f"ref {type_text(c_type.to, suffix)}"
    return type_text(c_type, suffix)


def signature(asked: CxxPrototype, suffix: str, name: str = "") -> str:
    """A function with its parameters."""
    params = [f"{passed(param.type, suffix)} {param.name}" for param in asked.params]
    listed = ", ".join([*params, *["..."] * asked.variadic])
    return f"{passed(asked.result, suffix)} {name or asked.name}({listed})"


def counter(slot: Slot) -> str:
    """The count of the objects that were destroyed."""
    return f"cast(uint*) (abi_out.ptr + {slot.offset})"


def caller(asked: CxxPrototype, slots: Arrangement) -> Iterator[str]:
    """The function that makes the call."""
    of_class = asked.this is not None
    kind = "delegate" if of_class else "function"
    params = ", ".join([*(passed(one.type, SUFFIX) for one in asked.params), *["..."] * asked.variadic])
    result = passed(asked.result, SUFFIX)
    reference = "ref " * isinstance(asked.result, Reference)
    yield f"alias F{SUFFIX} = extern (C++) {reference}{result.removeprefix('ref ')} {kind}({params});"
    yield f'pragma(mangle, "{caller_symbol(NUMBER, TAG)}") extern (C) void call_{NUMBER}() {{ {COPY}'
    if slots.counted is not None:
        yield f"  *{counter(slots.counted)} = 0;"
    given = slots.params[1:] if of_class else slots.params
    values = ", ".join(loaded(one.type, slot) for one, slot in zip(asked.arguments, given, strict=True))
    yield from (f"  {line}" for line in reached(asked, slots))
    function = f"(cast(F{SUFFIX}) abi_target)" if not of_class else "reached"
    function = f"object.{asked.name}" if asked.virtual else function
    yield f"  {kept(asked.result, slots.result, f'{function}({values})')}"
    yield "}"


def reached(asked: CxxPrototype, slots: Arrangement) -> Iterator[str]:
    """The statements by which a member function can be called."""
    if asked.this is None:
        return
    at, name = slots.params[0].offset, f"{asked.this.tag}{SUFFIX}"
    if not asked.virtual:
        yield f"F{SUFFIX} reached; reached.ptr = abi_in.ptr + {at}; reached.funcptr = cast(typeof(reached.funcptr)) abi_target;"
        return
    size = slots.params[0].size
    yield f"__gshared void*[{TABLE_ENTRIES}] table; __gshared align(64) ubyte[{size}] bytes; __gshared {name} object;"
    yield "foreach (ref entry; table) entry = abi_target;"
    yield f"memcpy(bytes.ptr, abi_in.ptr + {at}, {size}); *cast(void***) bytes.ptr = table.ptr; object = cast({name}) cast(void*) bytes.ptr;"


def loaded(c_type: CxxType, slot: Slot) -> str:
    """An argument, or what a reference is bound to."""
    if isinstance(c_type, Class) and not copy_constructor(c_type).usable:
        return f"{type_text(c_type, SUFFIX)}({slot.offset}, 0)"
    return f"*cast({type_text(referred(c_type), SUFFIX)}*) (abi_in.ptr + {slot.offset})"


def kept(c_type: CxxType | None, slot: Slot | None, call: str) -> str:
    """The statement that makes a call and stores its result."""
    if c_type is None:
        return f"{call};"
    if isinstance(c_type, Reference):
        return f"auto result = &{call}; memcpy(abi_out.ptr, &result, result.sizeof);"
    assert slot is not None, "a result has a slot"
    return f"auto result = {call}; {stored(slot, 'result')}"


def stored(slot: Slot, name: str) -> str:
    """The statement that stores a value, a narrow integer widened."""
    if slot.narrow:
        return f"*cast(long*) (abi_out.ptr + {slot.offset}) = cast(long) {name};"
    return f"memcpy(abi_out.ptr + {slot.offset}, &{name}, {least(f'{name}.sizeof', slot)});"


def least(size: str, slot: Slot) -> str:
    """The size of a value, or that of its slot if it is less."""
    return f"({size} < {slot.size} ? {size} : {slot.size})"


def callee(asked: CxxPrototype, slots: Arrangement) -> str:
    """The function that is called; D defines none with unnamed arguments."""
    if asked.variadic:
        return "" if asked.this is None else f"{'final ' * is_class(asked.this)}{signature(asked, SUFFIX)};"
    given, lines = list(slots.params), [COPY]
    if slots.counted is not None:
        lines.append(f"*{counter(slots.counted)} = 0;")
    if asked.this is not None:
        slot, name = given.pop(0), f"{asked.this.tag}{SUFFIX}"
        address = "cast(void*) this" if is_class(asked.this) else "&this"
        size = f"__traits(classInstanceSize, {name})" if is_class(asked.this) else f"{name}.sizeof"
        lines.append(f"memcpy(abi_out.ptr + {slot.offset}, {address}, {least(size, slot)});")
    lines += [stored(slot, one.name) for one, slot in zip(asked.params, given, strict=True)]
    words = "final " if asked.this is not None and is_class(asked.this) and not asked.virtual else ""
    name = asked.name if asked.this is not None else f"callee_{NUMBER}"
    head = f'pragma(mangle, "{callee_symbol(NUMBER, TAG)}") {words}{signature(asked, SUFFIX, name)}'
    return f"{head} {{ {' '.join(lines)} {given_back(asked)} }}"


def given_back(asked: CxxPrototype) -> str:
    """The statement that returns a result."""
    match asked.result:
        case None:
            return ""
        case Reference(to):
            return f"return **cast({type_text(to, SUFFIX)}**) abi_in.ptr;"
        case other:
            return f"return {loaded(other, Slot(0, 0, 0))};"
