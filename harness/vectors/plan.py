"""Questions about vector functions: what the model says, ready to be asked of compilers."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from abiprobe.oracles.features import features
from abiprobe.oracles.lang import Prototype
from abiprobe.oracles.place import Unspecified, Unsupported
from abiprobe.oracles.question import Probe, ProbeKind, Question, probe
from abiprobe.oracles.vfabi import VectorModel
from abiprobe.oracles.vfabi.variant import Variants
from abiprobe.results.record import Judgement, Outcome, Verdict, unobserved

KINDS = (ProbeKind.VARIANTS, ProbeKind.LANES)


class VectorPlan(msgspec.Struct, frozen=True):
    """A function under a name of its own, with its variants, and the features it needs."""

    probe: str
    question: Prototype
    function: Prototype
    variants: Variants
    needs: frozenset[str]

    @property
    def suffix(self) -> str:
        """What makes its names and tags its own."""
        return f"_{self.probe}"

    def asked_name(self, symbol: str) -> str:
        """A symbol with the name that the question gives the function."""
        return symbol.replace(self.function.name, self.question.symbol or self.question.name)


class Planned(msgspec.Struct, frozen=True):
    """A batch after prediction: what can be asked, and the verdicts that need no compiler."""

    plans: tuple[VectorPlan, ...]
    settled: tuple[Verdict, ...]


def plan_batch(model: VectorModel, questions: Iterable[Question]) -> Planned:
    """Predict every function; what has no answer is settled here."""
    plans: list[VectorPlan] = []
    settled: list[Verdict] = []
    for question in questions:
        assert isinstance(question, Prototype), "vector functions are asked about, and nothing else"
        asked = probe(question)
        function = msgspec.structs.replace(question, name=f"{question.name}_{asked.id}", symbol="")
        answer = model.variants(function)
        match answer:
            case Unspecified(clause, why):
                settled.append(
                    Verdict(
                        asked.id, ProbeKind.VARIANTS, Judgement.UNSPECIFIED, Outcome.OBSERVED, clause, why
                    )
                )
            case Unsupported(why):
                settled.append(unobserved(asked.id, ProbeKind.VARIANTS, Outcome.UNSUPPORTED, why))
            case Variants() if not question.simd:
                settled.append(
                    unobserved(asked.id, ProbeKind.VARIANTS, Outcome.NOTHING, "it has no declare simd")
                )
            case Variants():
                plans.append(VectorPlan(asked.id, question, function, answer, features(question)))
    return Planned(tuple(plans), tuple(settled))


def settle(asked: Probe | VectorPlan, outcome: Outcome, detail: str) -> tuple[Verdict, ...]:
    """The same lack of an observation for every kind of probe of a function."""
    identity = asked.id if isinstance(asked, Probe) else asked.probe
    return tuple(unobserved(identity, kind, outcome, detail) for kind in KINDS)
