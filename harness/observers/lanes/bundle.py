"""The bundle of a deviation in the names of vector variants, which are read from what a compiler writes."""

from __future__ import annotations

from collections.abc import Sequence

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.observers.bundle import Bundle, Ways
from abiprobe.harness.observers.lanes.plan import VectorPlan
from abiprobe.harness.observers.lanes.unit import vectors_unit
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.results.causes.fingerprint import CRASHES, Fingerprint, Symptom

NAMES = "grep -o '_ZGV[A-Za-z0-9_]*' $@.out | sort -u"


def name_bundle(types: TypeTable, plans: Sequence[VectorPlan], fingerprint: Fingerprint) -> Bundle:
    """The bundle of one function; raises `Problem` where its names do not show what is wrong."""
    if not plans:
        raise Problem(
            f"the model gives no variants for {fingerprint.target}", "only what it predicts can be shown"
        )
    text = vectors_unit(types, plans, compute=False)
    if fingerprint.symptom in CRASHES:
        return Bundle(text, options="-S", clang="-emit-llvm")
    if fingerprint.symptom is Symptom.DIFFERS:
        return Bundle(text, extract=NAMES, options="-S", clang="-emit-llvm", ways=Ways.BESIDE)
    if fingerprint.symptom is not Symptom.NAMES:
        raise Problem(
            f"no bundle shows what calls for {fingerprint.target} do", "reduce shows what is left of it"
        )
    names = tuple(sorted(plans[0].variants.symbols))
    return Bundle(text, expected=names, extract=NAMES, options="-S", clang="-emit-llvm")
