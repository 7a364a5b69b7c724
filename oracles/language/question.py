"""A probe: one question about a record's layout or about a prototype's calls, with a stable identity."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from enum import Enum, StrEnum
from typing import TypeAlias

import msgspec

from abiprobe.oracles.language.classes import Class
from abiprobe.oracles.language.cxx_calls import CxxPrototype
from abiprobe.oracles.language.entities import AnyEntity, Entity
from abiprobe.oracles.language.lang import Isa, Prototype, Record
from abiprobe.oracles.language.tables import Tables

Question: TypeAlias = Record | Prototype | Class | CxxPrototype | AnyEntity | Tables

CQuestion: TypeAlias = Record | Prototype
"""The questions of C."""
CXX_QUESTIONS = (Class, CxxPrototype, Entity, Tables)
"""The types of the questions of C++."""


class Sort(StrEnum):
    """The sort of the questions of a batch, all of which are put to a compiler in one way; the value is what a journal has."""

    RECORDS = "records"
    """layouts of structs and unions, as drawn"""
    PROTOTYPES = "prototypes"
    """calls, as drawn"""
    PROTOTYPES_AVX = f"{PROTOTYPES} {Isa.AVX.value}"
    """calls of functions that may use AVX"""
    PROTOTYPES_AVX512 = f"{PROTOTYPES} {Isa.AVX512.value}"
    """calls of functions that may use AVX-512"""
    VECTOR_FUNCTIONS = "vector functions"
    """vector variants of functions"""
    CLASSES = "classes"
    """layouts of classes of C++"""
    CXX_CALLS = "calls of C++"
    """calls of C++ functions"""
    NAMES = "names"
    """mangled names of entities of C++"""
    TABLES = "tables"
    """virtual tables and type information of classes of C++"""
    SMALL_RECORDS = "small records"
    """layouts of the small scope"""
    SMALL_CALLS = "small scope"
    """calls of the small scope"""
    TOURS = "tours"
    """calls that cross every transition of a model"""
    COMPLETE = "complete"
    """calls that show every deviation of a compiler with a bounded number of hidden states"""
    COMPLETE_RECORDS = "complete records"
    """layouts of every record of a few members"""


class ProbeKind(Enum):
    """The kind of probe: the property of a question on which a compiler is tested."""

    LAYOUT = "layout"
    """size, alignment and member offsets, from constants in the object file"""
    DEBUG_INFO = "debug info"
    """the same from the DWARF of the same unit, against those constants"""
    VALUES = "values"
    """the same from what compiled code does to objects when it runs"""
    CALLER = "caller"
    """where the compiled caller puts each byte of each argument"""
    CALLEE = "callee"
    """where the compiled callee looks for each byte of each parameter"""
    PARAM = "param"
    """how the compiler declares parameters and result, where the ABI is one of declarations"""
    POINTER = "pointer"
    """where the compiled caller puts arguments of a call through a pointer, and how it declares that, where ABIs are of declarations"""
    RESULT = "result"
    """where the callee leaves its result, and where the caller looks for it"""
    VARIADIC = "variadic"
    """where the compiled caller puts unnamed arguments, and where `va_arg` of the compiled callee looks for them"""
    PRESERVATION = "preservation"
    """what the compiled caller and callee make of callee-saved registers, the stack pointer and live values"""
    SYMBOL = "symbol"
    """whether the object file marks the compiled callee, where functions of its convention must be marked"""
    PAIR = "pair"
    """what arrives when a caller built by one compiler calls a callee built by another; no model has a say"""
    OPEN = "open"
    """what subjects show of a part that no text decides, and whether they go together there"""
    VARIANTS = "variants"
    """which vector variants of a function an object has, by their names"""
    NAME = "name"
    """the name of an entity in the object file"""
    TABLES = "tables"
    """the virtual tables and the type information of a class in the object file"""
    LANES = "lanes"
    """where the compiled vector variants look for each lane of each parameter, and leave each lane of the result"""
    VECTOR_TYPES = "vector types"
    """what gcc's vector variants are given, and what comes back, when C calls them with vector types"""


WITNESSES = {"object": ProbeKind.LAYOUT, "debug": ProbeKind.DEBUG_INFO, "values": ProbeKind.VALUES}
"""The witnesses of how a record is laid out, by the name a user gives it: constants, debug information, running code."""


class Probe(msgspec.Struct, frozen=True):
    """A question and its id: the first 12 hexadecimal digits of the SHA-256 of the question as JSON."""

    id: str
    question: Question


_ENCODER = msgspec.json.Encoder()
_DECODER: msgspec.json.Decoder[Question] = msgspec.json.Decoder(
    Record | Prototype | Class | CxxPrototype | AnyEntity | Tables
)


def probe(question: Question) -> Probe:
    """The probe that asks `question`; the same question always has the same id, on every machine."""
    return Probe(hashlib.sha256(_ENCODER.encode(question)).hexdigest()[:12], question)


def by_probe(questions: Iterable[Question]) -> dict[str, Question]:
    """Questions by the ids of their probes."""
    return {probe(question).id: question for question in questions}


def encode(question: Question) -> bytes:
    """`question` as canonical JSON."""
    return _ENCODER.encode(question)


def decode(data: bytes) -> Question:
    """The question that `encode` wrote; raises `msgspec.DecodeError` for anything else."""
    try:
        return _DECODER.decode(data)
    except UnicodeDecodeError as error:
        raise msgspec.DecodeError(str(error)) from error
