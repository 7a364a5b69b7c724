"""Questions about vector functions: what the model says, ready to be asked of compilers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from abiprobe.harness.observers.observer import Prepared, gathered
from abiprobe.oracles.abis.vfabi import VectorModel
from abiprobe.oracles.abis.vfabi.variant import Variant, Variants
from abiprobe.oracles.language.features import features
from abiprobe.oracles.language.lang import Prototype
from abiprobe.oracles.language.question import Probe, ProbeKind, Question, probe
from abiprobe.oracles.text.place import Unspecified, Unsupported
from abiprobe.results.verdicts.record import Judgement, Outcome, Shown, Verdict, unobserved

KINDS = (ProbeKind.VARIANTS, ProbeKind.LANES)
PLAIN = "O0"
"""The level at which a compiler is asked whether its optimiser is to blame."""


class VectorPlan(msgspec.Struct, frozen=True):
    """A function under a name of its own, with its variants.

    Where the text is silent about them, `silence` says so, `variants` are those of the first family that has a reading, and
    `readings` are the names that each has. `read` are those of `variants` whose places alone the text leaves open, as gcc
    places them.
    """

    probe: str
    question: Prototype
    function: Prototype
    variants: Variants
    silence: Unspecified | None = None
    readings: Mapping[str, tuple[Shown, ...]] = {}
    read: tuple[Variant, ...] = ()

    @property
    def asked(self) -> tuple[Variant, ...]:
        """The variants, each with the places by which it is called."""
        read = {one.symbol: one for one in self.read}
        return tuple(read.get(one.symbol, one) for one in self.variants.variants)

    def is_read(self, variant: Variant) -> bool:
        """Return whether the text leaves the places of a variant open, and it is called all the same."""
        return variant in self.read

    @property
    def suffix(self) -> str:
        """The suffix that makes its names and tags unique."""
        return f"_{self.probe}"

    def asked_name(self, symbol: str) -> str:
        """A symbol with the name that the question gives the function."""
        return symbol.replace(self.function.name, self.question.symbol or self.question.name)


def plan_batch(model: VectorModel, questions: Iterable[Question]) -> Prepared[VectorPlan]:
    """Predict every function; what has no answer is settled here."""
    asked = map(probe, questions)
    return gathered((planned(one, says(model, one)) for one in asked), lambda plan: features(plan.question))


def says(model: VectorModel, asked: Probe) -> Variants | Unspecified | Unsupported:
    """Return a model's answer about a function under a name of its own."""
    return model.variants(renamed(asked))


def renamed(asked: Probe) -> Prototype:
    """The function of a probe under a name of its own."""
    question = asked.question
    assert isinstance(question, Prototype), "vector functions are asked about, and nothing else"
    return msgspec.structs.replace(question, name=f"{question.name}_{asked.id}", symbol="")


def planned(asked: Probe, answer: Variants | Unspecified | Unsupported) -> VectorPlan | tuple[Verdict]:
    """A function of which the model gives `answer`, ready to be asked, or the verdict that settles it."""
    question = asked.question
    assert isinstance(question, Prototype), "vector functions are asked about, and nothing else"
    match answer:
        case Unspecified(clause, why):
            kind, silent = ProbeKind.VARIANTS, Judgement.UNSPECIFIED
            return (Verdict(asked.id, kind, silent, Outcome.OBSERVED, clause, why),)
        case Unsupported(why):
            return (unobserved(asked.id, ProbeKind.VARIANTS, Outcome.UNSUPPORTED, why),)
        case Variants() if not question.simd:
            words = "it has no declare simd"
            return (unobserved(asked.id, ProbeKind.VARIANTS, Outcome.NOTHING, words),)
        case Variants():
            return VectorPlan(asked.id, question, renamed(asked), answer)
