"""Rust's answers about a binding: rustc compiles its declarations with a table of constants, for every target that it has.

The language that is asked is Rust with the binding's own names (`rust_unit`): its folder is made anew for each binding, as what is in
it is part of every unit.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from pathlib import Path

import msgspec
import tomlkit

from abiprobe.harness.base import child
from abiprobe.harness.base.cache import replace
from abiprobe.harness.base.problem import Problem
from abiprobe.harness.base.scratch import own
from abiprobe.harness.bindings.binding import Binding, BoundConstant, Left
from abiprobe.harness.bindings.classes import add_classes
from abiprobe.harness.bindings.facts import Asked, Fact, Facts, Gatherer, OfMember, OfType
from abiprobe.harness.bindings.header import Header
from abiprobe.harness.bindings.rust_cfg import Conditions
from abiprobe.harness.bindings.rust_text import RustText
from abiprobe.harness.machines.languages.language import (
    CALLER,
    FILE,
    Language,
    built_in,
    find_language,
)
from abiprobe.harness.machines.readers.objects import constants, is_big_endian
from abiprobe.harness.subjects.compile import Limits, run_compiler
from abiprobe.harness.subjects.find import build, parse_subject
from abiprobe.harness.subjects.subject import Subject
from abiprobe.oracles.model import Target
from abiprobe.oracles.text.place import ByteOrder

HERE = Path(__file__).parent / "rust_unit"
FACTS, CALL, SOURCE = "facts.j2", "call.j2", "binding.rs"
ROUNDS = 12
"""So often rustc is asked again, without what it has refused."""
SECONDS = 30.0
WORD = 16
"""Bytes of a fact."""
REFUSED = re.compile(r"^error(?:\[\w+\])?: (.*)\n\s*--> (?:.*/)?([\w-]+\.rs):(\d+):", re.MULTILINE)
MORE = (
    *(
        "aligned member",
        "aligned within packed",
        "alignas",
        "anonymous record",
        "attribute position",
        "bit-field",
    ),
    *(
        "empty record",
        "fastcall",
        "flexible array",
        "mixed attributes",
        "ms_abi",
        "packed enum",
        "packed member",
        "stdcall",
    ),
    *("sysv_abi", "thiscall", "typedef aligned", "union", "zero-length array"),
)
"""Lines of a header about types that the binding declares."""


class Answered(msgspec.Struct, frozen=True):
    """The answers of rustc for a target: those facts that it has answered, and the subject that is asked about calls."""

    binding: Binding
    facts: Facts
    answers: tuple[tuple[Fact, int | bytes], ...]
    subject: Subject


def answered(
    file: str, text: bytes, header: Header, compiler: Subject, level: str, scratch: Path
) -> Answered | None:
    """Ask for all facts; `None` where the compiler does not build for the target, or is not there.

    Raises `Problem` where the words of rustc do not tell what it refuses.
    """
    if (conditions := configured(compiler, header.target)) is None:
        return None
    refused: dict[int, str] = {}
    lost: dict[str, Left] = {}
    for number in range(ROUNDS):
        source = RustText(file, text, conditions, refused)
        facts = Gatherer(header, source.binding).gathered()
        add_classes(header.declared.classes, header.target, source.binding, facts)
        facts.facts = [one for one in facts.facts if expression(one.asked) not in lost]
        subject = language_of(source, compiler)
        built = build(subject, header.target, level)
        if built is None:
            return None
        table = Table(facts.facts)
        unit, output = table.unit(find_language(built.language)), scratch / f"facts{number}.o"
        done = run_compiler(built, unit, output, Limits(base_seconds=60.0), len(facts.facts))
        if done.ok:
            facts.left += lost.values()
            return Answered(source.binding, facts, table.answers(output), subject)
        said = REFUSED.findall(done.stderr.decode(errors="replace"))
        if not said:
            raise Problem(
                f"{file} cannot be compiled: {_last(done.stderr)}", f"does `{compiler} --version` work?"
            )
        for words, name, line in said:
            if name == SOURCE:
                refused[int(line)] = f"rustc: {words}"
            elif (one := table.at(unit, int(line))) is not None:
                lost[expression(one.asked)] = Left(one.line, one.what, f"rustc: {words}")
            elif not refused:
                # It is in what stands for `core`.
                raise Problem(f"{compiler} compiles no binding: {words}", "give a newer one: 1.95 does")
    raise Problem(f"{file} cannot be compiled: rustc refuses something else each time", "give a smaller file")


def configured(compiler: Subject, target: Target) -> Conditions | None:
    """The configuration of rustc for a target; `None` where it does not build for it, or is not there."""
    built = build(compiler, target, "O0")
    if built is None:
        return None
    words = (*built.words[:1], *find_language(built.language).about.targets[target.name], *compiler.options)
    done = child.run((*words, "--print", "cfg"), timeout=SECONDS)
    return Conditions(done.stdout.decode(errors="replace")) if done.ok else None


class Table:
    """The constants that answer: numbers of one array, a line for each, and behind it texts, a line for each."""

    def __init__(self, facts: Sequence[Fact]) -> None:
        self._texts = [one for one in facts if isinstance(one.asked, BoundConstant) and one.asked.length]
        self._numbers = [one for one in facts if one not in self._texts]

    def unit(self, language: Language) -> str:
        """The unit of Rust with the constants."""
        texts = [
            (one.asked.value, one.asked.length) for one in self._texts if isinstance(one.asked, BoundConstant)
        ]
        numbers = [expression(one.asked) for one in self._numbers]
        return language.unit((), language.render(FACTS, facts=numbers, texts=texts))

    def at(self, unit: str, line: int) -> Fact | None:
        """The fact on a line of the unit."""
        first = unit[: unit.index("abi_facts")].count("\n") + 2
        rows = [*self._numbers, None, *self._texts]
        return rows[line - first] if 0 <= line - first < len(rows) else None

    def answers(self, output: Path) -> tuple[tuple[Fact, int | bytes], ...]:
        """The answers in an object file."""
        found = constants(output)
        order: ByteOrder = "big" if is_big_endian(output) else "little"
        data = found.get("abi_facts", b"")
        words = (data[WORD * number : WORD * (number + 1)] for number in range(len(self._numbers)))
        numbers = [int.from_bytes(word, order, signed=True) for word in words]
        texts = [found[f"abi_text_{number}"] for number in range(len(self._texts))]
        return (*zip(self._numbers, numbers, strict=True), *zip(self._texts, texts, strict=True))


def _last(words: bytes) -> str:
    return (words.decode(errors="replace").strip().splitlines() or ["no words"])[-1]


def expression(asked: Asked) -> str:
    """The Rust that answers."""
    match asked:
        case OfType(c_type, alignment):
            return f"mem::{'align' if alignment else 'size'}_of::<{c_type.path}>() as i128"
        case OfMember(c_type, way, size):
            room = f"let room: Room<{c_type.path}> = Room {{ nothing: 0 }}"
            to = pointer(way)
            if size:
                return f"{{ {room}; size_of_pointee({to}) as i128 }}"
            return f"{{ {room}; ptr_offset_from({to} as *const u8, &raw const room as *const u8) as i128 }}"
        case BoundConstant(_, value):
            return value


def pointer(way: Sequence[str | int]) -> str:
    """The address of a member of `room`."""
    found = "&raw const room.value"
    for step in way:
        found = f"element({found}, {step})" if isinstance(step, int) else f"&raw const (*({found})).{step}"
    return f"({found})"


def language_of(source: RustText, compiler: Subject) -> Subject:
    """The compiler as a subject that is asked in the language of a binding."""
    likes = {name: (one.like, one.inner) for name, one in source.binding.functions.items()}
    files = {path.name: path.read_bytes() for path in HERE.glob("*.j2")}
    files[CALL] = files.pop(CALLER)
    files[CALLER] = f"{{% set like, inner = {json.dumps(likes)}[name] %}}{{% include '{CALL}' %}}".encode()
    files[FILE] = description(source.text, compiler).encode()
    digest = hashlib.sha256(
        b"\0".join(part for pair in sorted(files.items()) for part in (pair[0].encode(), pair[1]))
    )
    folder = own("bindings") / digest.hexdigest()[:16]
    folder.mkdir(exist_ok=True)
    for name, data in files.items():
        replace(folder / name, data)
    return parse_subject(f"subject:{folder}")


def description(text: bytes, compiler: Subject) -> str:
    """The `subject.toml` of a binding: rustc's, with the binding beside each unit."""
    about = find_language(str(built_in()["rustc"])).about
    # The types of parameters and results are those of the binding.
    types = {**about.types, "array": "_", "record": "_", "union": "_"}
    said = tomlkit.dumps(
        {
            "name": "rustc",
            "language": about.language,
            "suffix": about.suffix,
            "programs": [compiler.name.partition(":")[2] or compiler.name],
            "alone": True,
            "environment": dict(about.environment),
            "command": [*about.command, "--edition", "2021", *compiler.options],
            "says": [],
            "calls": sorted({*about.says, *types, *about.calls, *MORE}),
            "targets": {name: list(words) for name, words in about.targets.items()},
            "levels": {name: list(words) for name, words in about.levels.items()},
            "types": types,
        }
    )
    # tomlkit takes minutes for a large text; what JSON escapes, and how, TOML does as well.
    return f"{said}\n[files]\n{json.dumps(SOURCE)} = {json.dumps(text.decode(errors='replace'), ensure_ascii=False)}\n"
