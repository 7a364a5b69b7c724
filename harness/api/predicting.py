"""`abiprobe.predict` and `abiprobe.explain`: what the written ABI says of declarations. No compiler runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias, TypeVar

import msgspec
from rich.console import Console

from abiprobe.harness.api.declarations import Source, declared
from abiprobe.harness.input import Classes, ReadOptions, Skipped
from abiprobe.harness.input.declared import Declared
from abiprobe.harness.machines.register_files import listed_files
from abiprobe.harness.observers.registry import has_classes
from abiprobe.oracles.engine.cxx_call import CxxAnswer, CxxCall
from abiprobe.oracles.language.cxx_calls import CxxPrototype, call_title
from abiprobe.oracles.language.declaration import prototype
from abiprobe.oracles.language.lang import Prototype, Record, spelling
from abiprobe.oracles.model import AbiModel
from abiprobe.oracles.registry import cxx_call_model, cxx_model
from abiprobe.oracles.text.class_layout import ClassLayout
from abiprobe.oracles.text.clause import Clause, find_clause
from abiprobe.oracles.text.place import Assignment, Layout, Unspecified, Unsupported
from abiprobe.results.report.explain import explain as print_derivation
from abiprobe.results.report.plain import plain
from abiprobe.results.report.prediction import PredictedClasses, PredictedCxxCalls

LayoutAnswer: TypeAlias = Layout | ClassLayout | Unspecified | Unsupported
"""The layout of a type, or why there is none."""
CallAnswer: TypeAlias = Assignment | Unspecified | Unsupported
"""The places of a call, or why there are none."""
T = TypeVar("T")


class PredictedLayout(msgspec.Struct, frozen=True):
    """A record or class by the name that C or C++ has for it (`struct S`, `class K`), and its layout."""

    name: str
    answer: LayoutAnswer


class PredictedCall(msgspec.Struct, frozen=True):
    """A function as it is declared, the target whose convention it has, and the places of a call.

    A variadic function is there once for each list of unnamed arguments with which the source calls it.
    """

    name: str
    declaration: str
    target: str
    answer: CallAnswer


class Prediction(msgspec.Struct, frozen=True):
    """The predictions of a target's written ABI for declarations, in bytes; names that begin with `bit_` are in bits.

    Sizes and alignments are in bytes, what is called `bit_` in bits.
    """

    target: str
    layouts: tuple[PredictedLayout, ...]
    calls: tuple[PredictedCall, ...]
    skipped: tuple[Skipped, ...] = ()

    def layout(self, name: str) -> LayoutAnswer:
        """Return the layout of `struct S`; raises `LookupError` where no such type is declared, or it cannot be asked about."""
        return _one([one.answer for one in self.layouts if one.name == name], name)

    def call(self, name: str) -> CallAnswer:
        """Return the places of a call of a function.

        Raises `LookupError` where none of that name is declared, it cannot be asked about, or it is called in several ways.
        """
        return _one([one.answer for one in self.calls if one.name == name], name)


class Explanation(msgspec.Struct, frozen=True):
    """The derivation of a prediction as text, and the clauses that it cites, in their order."""

    prediction: Prediction
    text: str
    clauses: tuple[Clause, ...]

    def __str__(self) -> str:
        return self.text


def predict(
    source: Source, target: str, *, options: Sequence[str] = (), sysroot: str = "", cxx: bool = False
) -> Prediction:
    """Return the layouts and places that the written ABI of a target gives to declarations.

    `source` is C as text, or the path of a file; with `cxx`, or by the name of the file, it is C++. `options` are those of a
    compiler (`-I`, `-D`, `-std=`, `-m`), `sysroot` is where its system headers are. Raises `Problem` where the source cannot be
    read, or nothing in it can be asked about.
    """
    read = declared(source, [target], _how(options, sysroot, cxx=cxx))
    return _prediction(target, read)


def explain(
    source: Source, target: str, *, options: Sequence[str] = (), sysroot: str = "", cxx: bool = False
) -> Explanation:
    """Return a prediction with its derivation, clause by clause; arguments and errors are those of `predict`."""
    read = list(declared(source, [target], _how(options, sysroot, cxx=cxx)))
    cited: dict[str, None] = {}

    def draw(console: Console) -> None:
        for item in read:
            here, model, records, functions, classes, calls = asked_of(item)
            files = listed_files(item.target)
            told = print_derivation(console, here, model, records, functions, files, classes, calls)
            cited.update(dict.fromkeys(told))

    text = plain(draw)
    return Explanation(_prediction(target, read), text, tuple(map(find_clause, cited)))


def asked_of(
    item: Declared,
) -> tuple[str, AbiModel, Sequence[Record], Sequence[Prototype], PredictedClasses, PredictedCxxCalls]:
    """Return a target with its model, what is asked of it, and of classes and functions of C++ what its models of those say.

    A record that is a class is told as one.
    """
    classes: PredictedClasses = ()
    if item.classes and has_classes(item.target):
        model = cxx_model(item.target)
        classes = tuple((one, model.layout(one)) for one in item.classes)
    tags = {one.tag for one, _ in classes}
    records = tuple(one for one in item.records if one.tag not in tags)
    calls = cxx_call_model(item.target).call if item.calls else None
    cxx_calls = () if calls is None else tuple((one, calls(one)) for one in item.calls)
    return item.target.spelling, item.target.model(), records, item.functions, classes, cxx_calls


def _how(options: Sequence[str], sysroot: str, *, cxx: bool) -> ReadOptions:
    classes = Classes.ALONE if cxx else Classes.AS_NAMED
    return ReadOptions(tuple(options), sysroot, strict=False, classes=classes)


def _prediction(target: str, read: Sequence[Declared]) -> Prediction:
    layouts: list[PredictedLayout] = []
    calls: list[PredictedCall] = []
    for item in read:
        there, model, records, functions, classes, cxx_calls = asked_of(item)
        layouts += (PredictedLayout(f"{one.keyword} {one.tag}", answer) for one, answer in classes)
        layouts += (PredictedLayout(spelling(one), model.layout(one)) for one in records)
        calls += (PredictedCall(one.name, prototype(one), there, model.assign(one)) for one in functions)
        calls += (predicted_call(one, there, answer) for one, answer in cxx_calls)
    return Prediction(
        target, tuple(layouts), tuple(calls), tuple(one for item in read for one in item.skipped)
    )


def predicted_call(asked: CxxPrototype, target: str, answer: CxxAnswer) -> PredictedCall:
    """The places of a call of C++; a member is called `C::f`."""
    name = asked.name if asked.this is None else f"{asked.this.tag}::{asked.name}"
    places = answer.assignment if isinstance(answer, CxxCall) else answer
    return PredictedCall(name, call_title(asked), target, places)


def _one(found: Sequence[T], name: str) -> T:
    if len(found) != 1:
        many = f"{name} is predicted in {len(found)} ways" if found else f"there is no prediction for {name}"
        raise LookupError(many)
    return found[0]
