"""The vector function ABI as a model: the scalar ABI, and the variants of a function on top of it."""

from __future__ import annotations

from dataclasses import dataclass

from abiprobe.oracles.abis.vfabi.dialect import Dialect, Isa
from abiprobe.oracles.abis.vfabi.lanes import assign
from abiprobe.oracles.abis.vfabi.length import characteristic, refuse, vector_length
from abiprobe.oracles.abis.vfabi.name import Name
from abiprobe.oracles.abis.vfabi.roles import Described, describe
from abiprobe.oracles.abis.vfabi.supplement import supplement
from abiprobe.oracles.abis.vfabi.variant import Refusal, RefusedError, Variant, VariantPlaces, Variants
from abiprobe.oracles.engine.silence import AbsentError, SilentError
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import Prototype, Type
from abiprobe.oracles.language.simd import Branch, Simd
from abiprobe.oracles.model import OnTop
from abiprobe.oracles.text.clause import citing
from abiprobe.oracles.text.place import Assignment, Layout, Unspecified, Unsupported
from abiprobe.oracles.text.supplement import Supplement

cite, implements = citing(__package__)
BODIES = cite("clang.bodies")
NO_ATTRIBUTE = cite("clang.attribute")


@dataclass(frozen=True)
class VectorModel(OnTop):
    """Answers about types and scalar calls are those of `scalar`."""

    dialect: Dialect

    @property
    def types(self) -> TypeTable:
        """See `AbiModel.types`."""
        return self.scalar.types

    @property
    def layouts(self) -> Unspecified | None:
        """See `AbiModel.layouts`."""
        return self.scalar.layouts

    def layout(self, c_type: Type) -> Layout | Unspecified | Unsupported:
        """See `AbiModel.layout`."""
        return self.scalar.layout(c_type)

    def assign(self, prototype: Prototype) -> Assignment | Unspecified | Unsupported:
        """The places of a call of the scalar function."""
        return self.scalar.assign(prototype)

    def declared(self, prototype: Prototype) -> Prototype:
        """The prototype as C declares it."""
        return self.scalar.declared(prototype)

    def supplement(self, function: Prototype) -> Supplement:
        """See `HasSupplement.supplement`."""
        return supplement(function, self.variants(function))

    @implements("lanes.concurrent")
    def variants(self, prototype: Prototype) -> Variants | Unspecified | Unsupported:
        """Every vector variant that the pragmas of a function ask for."""
        found: dict[str, Variant] = {}
        refusals: list[Refusal] = []
        try:
            for number, simd in enumerate(prototype.simd):
                try:
                    for variant in self._of(prototype, simd):
                        found.setdefault(variant.symbol, variant)
                except RefusedError as refused:
                    refusals.append(Refusal(number, refused.clause, refused.why))
        except SilentError as silence:
            return Unspecified(silence.clause, silence.why)
        except AbsentError as absence:
            return Unsupported(str(absence))
        return Variants(tuple(found.values()), tuple(refusals))

    @implements("variants.isa", "variants.mask", "gcc.attribute", "clang.attribute")
    def _of(self, prototype: Prototype, simd: Simd) -> list[Variant]:
        names = {param.name for param in prototype.params}
        unknown = sorted(named(simd) - names)
        if unknown:
            raise AbsentError(f"{unknown[0]} is no parameter of {prototype.name}")
        # [vfabi:gcc.attribute]
        if simd.attribute and not self.dialect.takes_attribute:
            raise RefusedError(NO_ATTRIBUTE, "unknown attribute simd ignored")
        described = describe(self.dialect, self.types, prototype, simd)
        refuse(self.dialect, self.types, prototype, described, simd)
        return [
            self._variant(prototype, simd, described, isa, masked=masked)
            # [vfabi:variants.isa]
            for isa in Isa
            # [vfabi:variants.mask]
            for masked in masks(simd)
        ]

    def _variant(
        self, prototype: Prototype, simd: Simd, described: tuple[Described, ...], isa: Isa, *, masked: bool
    ) -> Variant:
        cdt, chosen = characteristic(prototype, described)
        lanes, clause = vector_length(self.dialect, self.types, isa, simd, cdt)
        length_clause = chosen if simd.simdlen is None and isa is Isa.SSE else clause
        places: VariantPlaces | Unspecified
        if self.dialect.places is None:
            places = Unspecified(BODIES, "clang makes no such function")
        else:
            try:
                variant = (isa, masked, lanes)
                places = assign(
                    self.dialect, self.dialect.places, self.scalar, prototype.result, described, variant, cdt
                )
            except SilentError as silence:
                places = Unspecified(silence.clause, silence.why)
        return Variant(
            Name(
                isa, masked, lanes, tuple(one.text for one in described), prototype.symbol or prototype.name
            ),
            length_clause,
            tuple(one.clause for one in described),
            self.dialect.alignment_clause,
            tuple(one.step for one in described),
            tuple(one.stride for one in described),
            tuple(one.unit for one in described),
            places,
        )


def masks(simd: Simd) -> tuple[bool, ...]:
    """Unmasked and masked, without what a clause leaves out."""
    match simd.branch:
        case Branch.INBRANCH:
            return (True,)
        case Branch.NOTINBRANCH:
            return (False,)
        case None:
            return (False, True)


def named(simd: Simd) -> set[str]:
    """Every parameter that a pragma names."""
    found = {*simd.uniform, *(name for clause in simd.aligned for name in clause.params)}
    for clause in simd.linear:
        found.update(clause.params)
        if isinstance(clause.step, str):
            found.add(clause.step)
    return found
