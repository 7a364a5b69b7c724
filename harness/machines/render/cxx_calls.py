"""Translation units that ask about calls of C++: for each function a caller and a callee, as those of C are.

A member function is called through a pointer to it, which may be that of a base, a virtual one through a table of functions that leads
nowhere else, by its name or through a pointer.
Constructors copy all bytes of an object, destructors count themselves in `abi_out`, so that it shows who destroys what.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from abiprobe.harness.machines.render.arrange import Arrangement, arrange
from abiprobe.harness.machines.render.call_units import NUMBER
from abiprobe.harness.machines.render.class_units import PRELUDE, STD
from abiprobe.harness.machines.render.cxx import bindings, definition, enumerations, hidden_in, type_and
from abiprobe.harness.machines.render.probe_markers import marker
from abiprobe.harness.machines.render.slots import Slot
from abiprobe.oracles.abis.itanium.triviality import copy_constructor, is_non_trivial, moved
from abiprobe.oracles.engine.cxx_call import CxxCall
from abiprobe.oracles.engine.records import round_up
from abiprobe.oracles.language.classes import (
    Class,
    CxxType,
    DataMemberPointer,
    Declared,
    MemberFunctionPointer,
    Reference,
    element,
)
from abiprobe.oracles.language.cxx_calls import CxxPrototype, classes_in, referred

COUNTER = 4
"""Bytes of the counter of destroyed objects."""
TABLE_ENTRIES = 16
EVERY_ENTRY = f"for (int entry = 0; entry < {TABLE_ENTRIES}; entry++) table[entry] = abi_target;"
POINTED_ENTRY = 5
"""The entry to which a pointer to a virtual function leads."""
MOVED = 64
"""The bytes between a class and the base whose member function a pointer leads to."""
NAMES = """\
#ifdef __clang__
#pragma clang diagnostic ignored "-Wnon-pod-varargs"
#endif
/* Names of their own for the functions of each unit of an image. */
#define ABI_TEXT_(name) #name
#define ABI_TEXT(name) ABI_TEXT_(name)
#define ABI_JOINED_(name) name##_unit
#define ABI_JOINED(name) ABI_JOINED_(name)
#define ABI_UNIT ABI_JOINED(abi_functions)
#define ABI_LABEL(number) __asm__(ABI_TEXT(ABI_UNIT) "_" #number)
extern "C" void *abi_target;
struct abi_pointer { void *function; __PTRDIFF_TYPE__ adjustment; };
/* Arm keeps the lowest bit of the adjustment for virtual functions. */
#if defined __arm__ || defined __aarch64__
#define ABI_ADJUSTMENT(bytes) (2 * (bytes))
#define ABI_VIRTUAL(entry) { (void *)((entry) * sizeof(void *)), 1 }
#else
#define ABI_ADJUSTMENT(bytes) (bytes)
#define ABI_VIRTUAL(entry) { (void *)(1 + (entry) * sizeof(void *)), 0 }
#endif
"""
NO_NAMES: frozenset[str] = frozenset()
SMALL = 64
"""Bytes of an object that no compiler takes for a small one, which it would have in a section of its own."""
USED = frozenset({"memcpy", "memset", "call"})
"""The names of functions that a unit has itself."""


def arranged(call: CxxCall) -> Arrangement:
    """The slots of a call, with one for a count where objects go."""
    found = arrange(call.types, call.prototype)
    if not (call.destroyed or call.destroyed_in_callee):
        return msgspec.structs.replace(found, objects=())
    at = round_up(found.size, COUNTER)
    return msgspec.structs.replace(found, objects=(), counted=Slot(at, COUNTER, 0), size=at + COUNTER)


def cxx_calls_unit(functions: Sequence[str]) -> str:
    """The C++ text of one translation unit with the functions of probes (see `cxx_functions_of`), numbered in order."""
    spaces = [text.replace(NUMBER, str(number)) for number, text in enumerate(functions)]
    names = ", ".join(
        f"(void (*)())ABI_UNIT::abi_{number}::call, ABI_UNIT::abi_{number}::entry_{number}"
        for number in range(len(functions))
    )
    table = f'extern "C" {{ extern void (*const abi_functions[])(); void (*const abi_functions[])() = {{ {names} }}; }}'
    return "\n".join(
        [STD + PRELUDE + NAMES, "namespace ABI_UNIT {", *spaces, "}", '#line 1 "table"', table, ""]
    )


def cxx_functions_of(asked: CxxPrototype, slots: Arrangement) -> str:
    """The caller and the callee of a function, in a namespace; `NUMBER` stands for its number."""
    asked = named_apart(asked)
    lines = [
        marker(NUMBER),
        f"namespace abi_{NUMBER} {{",
        *declared(asked, label=f"ABI_LABEL({NUMBER})"),
        *special_members(asked, slots),
        *caller(asked, slots),
        *callee(asked, slots),
        "}",
    ]
    return "\n".join(lines)


def named_apart(asked: CxxPrototype) -> CxxPrototype:
    """A function by a name that no virtual function or member of its classes has, which are declared otherwise, nor the unit uses."""
    classes = classes_in(asked.types)
    virtuals = {function.name for one in classes for function in one.virtuals}
    taken = USED | virtuals | {member.name for one in classes for member in one.members}
    while asked.name in taken:
        asked = msgspec.structs.replace(asked, name=f"{asked.name}_")
    return asked


def declared(asked: CxxPrototype, label: str = "") -> Iterator[str]:
    """Everything that a function needs to be declared, and its declaration, with a label for the assembler."""
    # One without a name is declared within another.
    classes = tuple(one for one in classes_in(asked.types) if one.tag)
    known = {one.tag for one in classes}
    types = tuple(dict.fromkeys(element(one) for one in of_types(asked, classes)))
    pointers = (one for one in types if isinstance(one, DataMemberPointer | MemberFunctionPointer))
    yield from (f"struct {tag};" for tag in dict.fromkeys(one.of for one in pointers if one.of not in known))
    yield from enumerations(types)
    own = f"{'virtual ' * asked.virtual}{signature(asked, asked.name)} {label}".rstrip() + ";"
    # A member function may name classes that come behind its own.
    yield from (f"{one.keyword} {one.tag};" for one in classes if asked.this is not None)
    for one in classes:
        yield definition(one, "", None, hidden_in(one), own if one == asked.this else "")
    if asked.this is None:
        yield own


def of_types(asked: CxxPrototype, classes: tuple[Class, ...]) -> Iterator[CxxType]:
    """The types of values and of members."""
    yield from map(referred, asked.types)
    yield from (referred(member.type) for one in classes for member in one.members)


def signature(asked: CxxPrototype, declarator: str) -> str:
    """A function with its parameters: `int f(A p0, int p1)`, also of a pointer to it."""
    params = [type_and(param.type, param.name, NO_NAMES) for param in asked.params]
    listed = ", ".join([*params, *(["..."] if asked.variadic else [])])
    function = f"{declarator}({listed})"
    return f"void {function}" if asked.result is None else type_and(asked.result, function, NO_NAMES)


def special_members(asked: CxxPrototype, slots: Arrangement) -> Iterator[str]:
    """The definitions of the special members that the user provides, and of virtual functions."""
    for one in classes_in(asked.types):
        tag, specials, bound = one.tag, one.specials, bindings(one, hidden_in(one))
        copied = f"memcpy((void *)this, (const void *)&o, sizeof({tag}));"
        counted = "" if slots.counted is None else f" ++*{counter(slots.counted)}; "
        forms = (
            (specials.default, f"{tag}::{tag}(){bound} {{}}"),
            (specials.copy, f"{tag}::{tag}(const {tag} &o){bound} {{ {copied} }}"),
            (specials.move, f"{tag}::{tag}({tag} &&o){bound} {{ {copied} }}"),
            (specials.assign, f"{tag} &{tag}::operator=(const {tag} &) {{ return *this; }}"),
            (specials.destructor.declared, f"{tag}::~{tag}() {{{counted}}}"),
        )
        yield from (text for how, text in forms if how is Declared.PROVIDED)
        if specials.other:
            yield (
                f"{tag}::{tag}(int at, int){bound} "
                f"{{ memcpy((void *)this, (const void *)(abi_in + at), sizeof({tag})); }}"
            )
        yield from (f"void {tag}::{function.name}() {{}}" for function in one.virtuals)


def counter(slot: Slot) -> str:
    """The count of the objects that were destroyed."""
    return f"(volatile unsigned *)(abi_out + {slot.offset})"


def caller(asked: CxxPrototype, slots: Arrangement) -> Iterator[str]:
    """The function that makes the call."""
    yield "static void call() {"
    if slots.counted is not None:
        yield f"  *{counter(slots.counted)} = 0;"
    given = slots.params if asked.this is None else slots.params[1:]
    arguments = ", ".join(
        loaded(argument.type, slot) for argument, slot in zip(asked.arguments, given, strict=True)
    )
    yield from (f"  {line}" for line in reached(asked, slots))
    yield f"  {kept(asked.result, slots.result, f'{function(asked, slots)}({arguments})')}"
    yield "}"


def reached(asked: CxxPrototype, slots: Arrangement) -> Iterator[str]:
    """The statements by which a member function can be called."""
    if asked.this is None:
        return
    tag, at = asked.this.tag, slots.params[0].offset
    parts = f"{{ abi_target, ABI_ADJUSTMENT({-moved_by(asked)}) }}"
    if not asked.virtual or through_pointer(asked):
        yield f"typedef {signature(asked, f'({tag}::*member)')};"
        yield f"abi_pointer parts = {f'ABI_VIRTUAL({POINTED_ENTRY})' if asked.virtual else parts}; member pointer;"
        yield "memcpy((void *)&pointer, (const void *)&parts, sizeof pointer);"
    if not asked.virtual:
        return
    entry = f"table[{POINTED_ENTRY}] = abi_target;" if through_pointer(asked) else EVERY_ENTRY
    yield from dynamic_object(tag, at, entry)


def dynamic_object(tag: str, at: int, fill: str) -> Iterator[str]:
    """The statements that make `reached` point to an object with the bytes at an offset, and a table that `fill` fills."""
    yield f"static void *table[{TABLE_ENTRIES}], **begin = table;"
    yield fill
    yield f"alignas({tag}) static unsigned char object[sizeof({tag}) + {SMALL}];"
    yield f"memcpy(object, abi_in + {at}, sizeof({tag}));"
    yield "memcpy(object, (const void *)&begin, sizeof begin);"
    yield f"{tag} *volatile reached = ({tag} *)object;"


def function(asked: CxxPrototype, slots: Arrangement) -> str:
    """The expression that is called."""
    if asked.this is None:
        return f"(({signature(asked, '(*)')})abi_target)"
    if asked.virtual:
        return "(reached->*pointer)" if through_pointer(asked) else f"reached->{asked.name}"
    return f"((({asked.this.tag} *)(abi_in + {slots.params[0].offset + moved_by(asked)}))->*pointer)"


def through_pointer(asked: CxxPrototype) -> bool:
    """Return whether a virtual function is called through a pointer to a member, or one that is not through that of a base.

    Of a `final` class compilers know which function is called, and do not look into its table.
    """
    return len(asked.params) % 2 == 1 or (asked.this is not None and asked.this.final)


def moved_by(asked: CxxPrototype) -> int:
    """The bytes by which a pointer to a member function moves the object back; of every other question some."""
    return MOVED * through_pointer(asked)


def loaded(c_type: CxxType, slot: Slot) -> str:
    """An argument, or what a reference is bound to."""
    match c_type:
        case Reference(to, rvalue):
            found = f"*({type_and(to, '*', NO_NAMES)})(abi_in + {slot.offset})"
            return f"static_cast<{type_and(to, '&&', NO_NAMES)}>({found})" if rvalue else found
        case Class():
            return made(c_type, slot.offset)
        case _:
            return f"*({type_and(c_type, '*', NO_NAMES)})(abi_in + {slot.offset})"


def made(asked: Class, at: int) -> str:
    """An object with the bytes at an offset: copied, moved, or made there."""
    found = f"*({asked.tag} *)(abi_in + {at})"
    if copy_constructor(asked).usable:
        return found
    return f"static_cast<{asked.tag} &&>({found})" if moved(asked).usable else f"{asked.tag}({at}, 0)"


def kept(c_type: CxxType | None, slot: Slot | None, call: str) -> str:
    """The statement that makes a call and stores its result."""
    match c_type:
        case None:
            return f"{call};"
        case Reference(to):
            bound = f"{type_and(to, '&&' if c_type.rvalue else '&', NO_NAMES)}"
            return f"{bound} result = {call}; const void *address = (const void *)&result; memcpy(abi_out, (const void *)&address, sizeof address);"
        case _:
            assert slot is not None, "a result has a slot"
            return f"{type_and(c_type, 'result', NO_NAMES)} = {call}; {stored(c_type, slot, 'result')}"


def stored(c_type: CxxType, slot: Slot, name: str) -> str:
    """The statement that stores a value, a narrow integer widened."""
    inner = referred(c_type)
    place = f"abi_out + {slot.offset}"
    if slot.narrow and isinstance(inner, DataMemberPointer):
        return f"{{ int word; memcpy(&word, (const void *)&{name}, sizeof word); *(long long *)({place}) = word; }}"
    if slot.narrow:
        return f"*(long long *)({place}) = (long long){name};"
    size = f"sizeof({name})"
    return f"memcpy({place}, (const void *)&{name}, {size} < {slot.size} ? {size} : {slot.size});"


def callee(asked: CxxPrototype, slots: Arrangement) -> Iterator[str]:
    """The function that is called, and the one by whose address it is entered."""
    scope = "" if asked.this is None else f"{asked.this.tag}::"
    yield f'extern "C" void entry_{NUMBER}() ABI_LABEL({NUMBER});'
    yield f"{signature(asked, scope + asked.name)} {{"
    if slots.counted is not None:
        yield f"  *{counter(slots.counted)} = 0;"
    if asked.unnamed:
        yield f"  __builtin_va_list ap; __builtin_va_start(ap, {asked.params[-1].name});"
    given = list(slots.params)
    if asked.this is not None:
        yield f"  {stored(asked.this, given.pop(0), '*this')}"
    for index, (argument, slot) in enumerate(zip(asked.arguments, given, strict=True)):
        name = argument.name
        if index >= len(asked.params):
            name = f"unnamed{index}"
            by_address = isinstance(argument.type, Class) and is_non_trivial(argument.type)
            spelled = type_and(argument.type, "", NO_NAMES)
            bound = f"const {spelled} &{name}" if by_address else type_and(argument.type, name, NO_NAMES)
            yield f"  {bound} = __builtin_va_arg(ap, {spelled});"
        yield f"  {stored(argument.type, slot, name)}"
    if asked.unnamed:
        yield "  __builtin_va_end(ap);"
    yield from (f"  {line}" for line in given_back(asked))
    yield "}"


def given_back(asked: CxxPrototype) -> Iterator[str]:
    """The statement that returns a result."""
    match asked.result:
        case None:
            return
        case Reference(to, rvalue):
            found = f"**({type_and(to, '**', NO_NAMES)})abi_in"
            yield (
                f"return static_cast<{type_and(to, '&&', NO_NAMES)}>({found});"
                if rvalue
                else f"return {found};"
            )
        case Class() as one:
            yield f"return {made(one, 0)};"
        case other:
            yield f"return *({type_and(other, '*', NO_NAMES)})abi_in;"
