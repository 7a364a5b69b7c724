"""Simpler C++ classes: one thing less, in the class that is asked about or in one that it is made of."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from abiprobe.oracles.language.classes import (
    Access,
    Class,
    CxxArray,
    DataMember,
    Declared,
    Destruction,
    Specials,
    VirtualFunction,
    direct_classes,
    element,
    parts,
    with_parts,
)
from abiprobe.oracles.language.lang import Kind, Scalar

SIMPLEST = (Scalar(Kind.CHAR), Scalar(Kind.INT), Scalar(Kind.LLONG))
"""The types that members get instead of their own, the simplest first."""


def simpler_classes(asked: Class) -> Iterator[Class]:
    """Every class one step simpler: one of its parts alone, or the class with one thing less in it or in a part."""
    yield from direct_classes(asked)
    for part in parts(asked):
        for changed in steps(part):
            yield substituted(asked, part, changed)


def substituted(asked: Class, old: Class, new: Class) -> Class:
    """A class with `new` in the place of `old`, wherever that is."""
    if asked == old:
        return new
    return with_parts(asked, lambda part: substituted(part, old, new))


def steps(one: Class) -> Iterator[Class]:
    """A class with one thing less, also where a constructor of the user's must then make it no POD, as that thing did."""
    for changed in fewer(one):
        yield changed
        if one.specials.default is not Declared.PROVIDED and reasons(changed) != reasons(one):
            yield replace(changed, specials=replace(changed.specials, default=Declared.PROVIDED))


def reasons(one: Class) -> object:
    """The parts of a class, its members left out, that may make it no POD."""
    return one.bases, one.virtuals, one.specials, {member.access for member in one.members}


def fewer(one: Class) -> Iterator[Class]:
    """A class with one thing less."""
    for index, base in enumerate(one.bases):
        yield replace(one, bases=one.bases[:index] + one.bases[index + 1 :])
        simpler = []
        if base.virtual:
            simpler.append(replace(base, virtual=False))
        if base.access is not Access.PUBLIC:
            simpler.append(replace(base, access=Access.PUBLIC))
        for changed in simpler:
            yield replace(one, bases=(*one.bases[:index], changed, *one.bases[index + 1 :]))
    for index, member in enumerate(one.members):
        before, after = one.members[:index], one.members[index + 1 :]
        yield replace(one, members=before + after)
        for changed_member in simpler_members(member):
            yield replace(one, members=(*before, changed_member, *after))
    for index, function in enumerate(one.virtuals):
        rest = one.virtuals[:index], one.virtuals[index + 1 :]
        yield replace(one, virtuals=rest[0] + rest[1])
        for changed_function in simpler_functions(function):
            yield replace(one, virtuals=(*rest[0], changed_function, *rest[1]))
    for specials in simpler_specials(one.specials):
        yield replace(one, specials=specials)
    plain = (
        ("final", False),
        ("union", False),
        ("packed", False),
        ("alignas", None),
        ("align", None),
        ("pack", None),
    )
    yield from (replace(one, **{name: value}) for name, value in plain if getattr(one, name) != value)


def simpler_members(member: DataMember) -> Iterator[DataMember]:
    """A member with one thing less."""
    if member.no_unique_address:
        yield replace(member, no_unique_address=False)
    if member.access is not Access.PUBLIC:
        yield replace(member, access=Access.PUBLIC)
    for name in ("alignas", "align"):
        if getattr(member, name) is not None:
            yield replace(member, **{name: None})
    if member.packed:
        yield replace(member, packed=False)
    if isinstance(member.type, CxxArray):
        yield replace(member, type=element(member.type))
        if member.type.length > 1:
            yield replace(member, type=CxxArray(member.type.element, member.type.length - 1))
    if member.width is not None:
        if member.name:
            yield replace(member, width=None)
        narrower = {1, 8, 9, 16, 17, 32, 33, 64, 65, member.width // 2, member.width - 1}
        yield from (replace(member, width=width) for width in sorted(narrower) if 0 < width < member.width)
    rank = SIMPLEST.index(member.type) if member.type in SIMPLEST else len(SIMPLEST)
    yield from (replace(member, type=simpler) for simpler in SIMPLEST[:rank])


def simpler_functions(function: VirtualFunction) -> Iterator[VirtualFunction]:
    """A virtual function with one thing less."""
    for name, plain in (("result", ""), ("deleted", False), ("final", False)):
        if getattr(function, name) != plain:
            yield replace(function, **{name: plain})


def simpler_specials(specials: Specials) -> Iterator[Specials]:
    """Special member functions with one less that is declared."""
    for name in ("default", "copy", "move", "assign"):
        if getattr(specials, name) is not Declared.IMPLICIT:
            yield replace(specials, **{name: Declared.IMPLICIT})
    if specials.destructor != Destruction():
        yield replace(specials, destructor=Destruction())
        if specials.destructor.behind:
            yield replace(specials, destructor=replace(specials.destructor, behind=0))
        if specials.destructor.virtual:
            yield replace(specials, destructor=replace(specials.destructor, virtual=False))
    if specials.other:
        yield replace(specials, other=False)


def of_class(asked: Class) -> int:
    """Return the size of a class, with the classes that it is made of."""
    return sum(map(_own, parts(asked)))


def _own(one: Class) -> int:
    specials = one.specials
    special = (specials.copy, specials.move, specials.assign)
    declared = sum(item is not Declared.IMPLICIT for item in special) + specials.other
    default = {Declared.IMPLICIT: 0, Declared.PROVIDED: 2}.get(specials.default, 8)
    destructor = specials.destructor
    asked = sum(value is not None for value in (one.alignas, one.align, one.pack))
    return (
        20
        + sum(10 + 8 * base.virtual + 3 * (base.access is not Access.PUBLIC) for base in one.bases)
        + sum(map(_member, one.members))
        + sum(10 + 5 * bool(item.result) + 5 * item.deleted for item in one.virtuals)
        + 8 * declared
        + default
        + 8 * (destructor.declared is not Declared.IMPLICIT)
        + 5 * destructor.virtual
        + 3 * bool(destructor.behind)
        + 10 * asked
        + 5 * (one.final + one.union + one.packed)
    )


def _member(member: DataMember) -> int:
    inner = element(member.type)
    rank = SIMPLEST.index(inner) if inner in SIMPLEST else len(SIMPLEST)
    length = 3 + member.type.length if isinstance(member.type, CxxArray) else 0
    attributes = sum(value is not None for value in (member.alignas, member.align)) + member.packed
    width = 0 if member.width is None else 4 + member.width // 4
    private = 3 * (member.access is not Access.PUBLIC)
    return 8 + rank + length + 8 * attributes + 6 * member.no_unique_address + width + private
