"""Swift's answers about a header that its importer of C reads, by a bridging header or a module map.

What the importer makes of a declaration shows in a message: `let a: Never = f` is refused with the type of `f`. The numbers are
those that functions return in LLVM's text. Where Swift has but accessors of a member, as of a union's, the bits show that they write.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.bindings.braces import lines_of
from abiprobe.harness.bindings.comparing import Compared, compared
from abiprobe.harness.bindings.described import Described, DescribedField, Module
from abiprobe.harness.bindings.header import Header
from abiprobe.harness.bindings.swift_types import INTEGER, POINTER, behind, described, function_of, parts
from abiprobe.harness.bindings.swift_types import within_optional as present
from abiprobe.harness.subjects.compile import Limits, run_compiler
from abiprobe.harness.subjects.find import build
from abiprobe.harness.subjects.subject import Built, Subject
from abiprobe.oracles.engine.silence import AbsentError, SilentError
from abiprobe.oracles.language.lang import Array, Member, Record, strip

PRELUDE = (Path(__file__).parent / "describing.swift").read_text("utf-8")
MAP = re.compile(r"^\s*(?:framework\s+)?module\s+(\w+)", re.MULTILINE)
MESSAGE = re.compile(r"^[^\n]*?\.swift:(\d+):\d+: error: (.*)$", re.MULTILINE)
TYPE = re.compile(r"cannot convert value of type (.*) to specified type 'Never'")
NUMBER = re.compile(r"@abi_(\d+)\([^\n]*\{\nentry:\n  ret i64 (-?\d+)\n\}")
LARGEST = 64
"""In bytes, a record whose every byte is looked at for what an accessor writes."""
SECONDS = 300.0


def compared_by_swift(
    file: str, text: bytes, header: Header, asked: tuple[Subject, Sequence[str]], scratch: Path
) -> Compared | None:
    """The declarations that Swift imports, held against a header; `None` where the compiler does not build for the target."""
    compiler, options = asked
    built = build(compiler, header.target, "O2")
    if built is None:
        return None
    source = text.decode(errors="replace")
    swift = Swift(file, source, built, options, scratch)
    return compared(file, Imported(header, swift).module(), lines_of(source), header)


class Swift:
    """A compiler that imports one file, and answers about expressions."""

    def __init__(self, file: str, source: str, built: Built, options: Sequence[str], scratch: Path) -> None:
        self.file, self.scratch, self.units = file, scratch, 0
        path = str(Path(file).resolve())
        given = [word for one in options for word in ("-Xcc", one)]
        if Path(file).suffix == ".modulemap":
            found = MAP.search(source)
            if found is None:
                raise Problem(f"{file} names no module")
            self.prelude = f"import {found[1]}\n{PRELUDE}"
            read = ["-Xcc", f"-fmodule-map-file={path}", "-I", str(Path(path).parent)]
        else:
            self.prelude = PRELUDE
            read = ["-import-objc-header", path]
        words = list(built.command)
        at = words.index("-import-objc-header")
        self.built = msgspec.structs.replace(built, command=(*words[:at], *read, *words[at + 2 :], *given))

    def types(self, expressions: Sequence[str]) -> dict[str, str]:
        """The types of expressions as messages spell them, of those that are something."""
        first = self.prelude.count("\n") + 1
        rows = "".join(f"let abi_{at}: Never = {one}\n" for at, one in enumerate(expressions))
        done = self._run(rows, "-typecheck", len(expressions))
        found = {}
        for number, words in MESSAGE.findall(done):
            at, told = int(number) - first, TYPE.search(words)
            if not 0 <= at < len(expressions):
                raise Problem(
                    f"{self.file} cannot be imported: {words}", "does swift-frontend -typecheck read it?"
                )
            if told:
                found[expressions[at]] = behind(told[1])
        if expressions and not MESSAGE.search(done):
            why = next((line for line in done.splitlines() if "error:" in line), "it does not say why")
            raise Problem(f"{self.file} cannot be imported: {why}", "does swift-frontend -typecheck read it?")
        return found

    def numbers(self, expressions: Sequence[str]) -> dict[str, int]:
        """The numbers that expressions are, of those that the compiler knows."""
        rows = "".join(
            f'@_cdecl("abi_{at}") public func abi_{at}() -> Int64 {{ {one} }}\n'
            for at, one in enumerate(expressions)
        )
        words = self._run(rows, "-emit-ir", len(expressions))
        path = self.scratch / f"unit{self.units}.o"
        if path.is_file():
            text = path.read_text("utf-8", errors="replace")
            return {expressions[int(at)]: int(value) for at, value in NUMBER.findall(text)}
        first = self.prelude.count("\n") + 1
        wrong = {int(number) - first for number, _ in MESSAGE.findall(words)}
        able = [one for at, one in enumerate(expressions) if at not in wrong]
        if len(able) < len(expressions):
            return self.numbers(able)
        # It crashes at some, as at the setter of a union's array (swift-frontend 6.2.3).
        half = len(able) // 2
        return {**self.numbers(able[:half]), **self.numbers(able[half:])} if half else {}

    def _run(self, rows: str, mode: str, count: int) -> str:
        self.units += 1
        command = tuple(mode if word == "-c" else word for word in self.built.command)
        if mode == "-typecheck":
            at = command.index("-o")
            command = command[:at] + command[at + 2 :]
        built = msgspec.structs.replace(self.built, command=command)
        output = self.scratch / f"unit{self.units}.o"
        done = run_compiler(built, self.prelude + rows, output, Limits(base_seconds=SECONDS), count)
        return done.stderr.decode(errors="replace")


class Has(msgspec.Struct, frozen=True):
    """A member that Swift may have: `computed` where it can have but accessors of it."""

    name: str
    member: Member
    computed: bool


class Scalar(msgspec.Struct, frozen=True):
    """A scalar in a member: the path to it, its value of ones only, and the expressions whose sum is the byte in the member."""

    path: str
    ones: str
    behind: tuple[str, ...] = ()


def members_of(record: Record, *, computed: bool = False) -> Iterator[Has]:
    """Yield the members of a record, with those of members without a name."""
    for member in record.members:
        inner = strip(member.type)
        if not member.name and isinstance(inner, Record):
            yield from members_of(inner, computed=True)
        elif member.name:
            yield Has(member.name, member, computed or record.union)


class Imported:
    """The declarations of a header as Swift imports them."""

    def __init__(self, header: Header, swift: Swift) -> None:
        self.header, self.swift = header, swift
        self.texts: dict[str, str] = {}
        self.records: dict[str, Record] = {}
        """Records by the names that Swift gives to them."""
        self.numbers: dict[str, int] = {}
        self.left: dict[str, str] = {}

    def module(self) -> Module:
        """All that Swift has of the header."""
        names = [name for one in self.header.declared.interfaces for name, _ in one.typedefs]
        enums = [enum for one in self.header.declared.interfaces for enum in one.enums]
        tags = [enum.name.rpartition(" ")[2] for enum in enums]
        constants = [one for enum in enums for one, _ in enum.enumerators]
        constants += self.header.macros
        functions = [one.name for one in self.header.declared.functions]
        self._ask([f"{name}.self" for name in (*names, *tags) if name.isidentifier()])
        self._ask([*constants, *(f"{one}.rawValue" for one in constants), *functions])
        self._ask(
            [f"{name}(rawValue: 0).rawValue" for name in (*names, *tags) if f"{name}.self" in self.texts]
        )
        self._records()
        self._count((*names, *tags), constants)
        return self._module((*names, *tags), constants, functions)

    def _ask(self, expressions: Sequence[str]) -> None:
        self.texts |= self.swift.types([one for one in dict.fromkeys(expressions) if one not in self.texts])

    def _records(self) -> None:
        """Ask for the members of all records, and of those without names in them."""
        new = {one.tag: one for one in self.header.declared.records if one.tag.isidentifier()}
        while new:
            self._ask([f"{name}.self" for name in new])
            new = {name: one for name, one in new.items() if f"{name}.self" in self.texts}
            self.records |= new
            self._ask([at(name, has) for name, one in new.items() for has in members_of(one)])
            inner = {}
            for name, one in new.items():
                for has in members_of(one):
                    c_type = strip(has.member.type)
                    while isinstance(c_type, Array):
                        c_type = strip(c_type.element)
                    text = element(self.texts.get(at(name, has), ""))
                    if isinstance(c_type, Record) and text and text not in self.records:
                        inner[text] = c_type
            new = inner

    def _count(self, names: Sequence[str], constants: Sequence[str]) -> None:
        asked = ["Int64(MemoryLayout<Int>.size)"]
        for name in {**dict.fromkeys(names), **self.records}:
            if f"{name}.self" in self.texts:
                asked += [sized(name), f"Int64(MemoryLayout<{name}>.alignment)"]
        for name, record in self.records.items():
            for has in members_of(record):
                if (text := self.texts.get(at(name, has))) is not None and has.member.width is None:
                    asked += [f"abi_size({at(name, has)})", *self._places(name, has, text)]
        for one in constants:
            value = self._value(one)
            if INTEGER.fullmatch(self.texts.get(value, "")):
                asked.append(f"Int64(truncatingIfNeeded: {value})")
        self.numbers = self.swift.numbers(list(dict.fromkeys(asked)))

    def _value(self, constant: str) -> str:
        return f"{constant}.rawValue" if f"{constant}.rawValue" in self.texts else constant

    def _places(self, name: str, has: Has, text: str) -> list[str]:
        """The numbers that tell where a member is: its byte, or the words of a record in which it alone has ones."""
        if not has.computed:
            return [offset(name, has)]
        first = self._first(has.name, text)
        try:
            size = self.header.target.model().types.extent(self.records[name]).size
        except (SilentError, AbsentError):
            return []
        if first is None or size > LARGEST:
            return []
        write = f"var one = {name}(); one.{first.path} = {first.ones}; return abi_word(one, "
        return [f"{write}{word})" for word in range(0, size + 1, 8)]

    def _first(self, path: str, text: str) -> Scalar | None:
        """The first scalar in a member, if there is one that can be written to."""
        text = present(text)
        if text.startswith("(") and "->" not in text:
            return self._first(f"{path}.0", parts(text[1:-1])[0])
        if text in self.records:
            has = next(members_of(self.records[text]), None)
            if has is None or has.computed or has.member.width is not None or at(text, has) not in self.texts:
                return None
            inner = self._first(f"{path}.{has.name}", self.texts[at(text, has)])
            return inner and Scalar(inner.path, inner.ones, (*inner.behind, offset(text, has)))
        if INTEGER.fullmatch(text):
            return Scalar(path, "~0")
        if text in {"Double", "Float"}:
            return Scalar(path, f"{text}(bitPattern: ~0)")
        return Scalar(path, ".init(bitPattern: -1)") if POINTER.match(text) else None

    def _module(self, names: Sequence[str], constants: Sequence[str], functions: Sequence[str]) -> Module:
        word = self.numbers.get("Int64(MemoryLayout<Int>.size)", 0)
        if not word:
            raise Problem(f"{self.swift.file} cannot be compiled by Swift", "does swift-frontend compile it?")
        types: dict[str, Described] = {
            name: Described("record", *self._extent(name), name)
            for name in self.records
            if sized(name) in self.numbers
        }
        for name in names:
            raw = self.texts.get(f"{name}(rawValue: 0).rawValue")
            if raw and name not in types:
                signed = described(raw, {}, word).signed
                types[name] = Described("integer", *self._extent(name), name, signed)
        plain = dict(types)
        for name in names:
            text = self.texts.get(f"{name}.self", "").removesuffix(".Type").removeprefix("(")
            if text and name not in types and sized(name) in self.numbers:
                size, align = self._extent(name)
                own = described(text.removesuffix(")") if "->" in text else text, plain, word, size)
                types[name] = msgspec.structs.replace(own, size=size, align=align)
        for name in self.records:
            if name in types:
                types[name] = msgspec.structs.replace(
                    types[name], fields=dict(self._fields(name, plain, word))
                )
        values = {
            one: self.numbers.get(f"Int64(truncatingIfNeeded: {self._value(one)})") for one in constants
        }
        for one, value in values.items():
            if one in self.texts and value is None:
                self.left[one] = f"Swift has a {self.texts[one]}, whose value is not read"
        said = {
            name: found
            for name in functions
            if (found := function_of(self.texts.get(name, ""), plain, word)) is not None
        }
        known = {name: self._signed(name, one) for name, one in values.items() if one is not None}
        return Module(types, known, said, tuple(self.left.items()))

    def _signed(self, name: str, value: int) -> int:
        text = self.texts.get(f"{name}.rawValue") or self.texts.get(name, "")
        return value % (1 << 64) if text.startswith("UInt") else value

    def _extent(self, name: str) -> tuple[int, int]:
        return self.numbers.get(sized(name), 0), self.numbers.get(f"Int64(MemoryLayout<{name}>.alignment)", 0)

    def _fields(
        self, name: str, types: Mapping[str, Described], word: int
    ) -> Iterator[tuple[str, DescribedField]]:
        for has in members_of(self.records[name]):
            text = self.texts.get(at(name, has))
            if text is None or has.member.width is not None:
                continue
            size = self.numbers.get(f"abi_size({at(name, has)})")
            offset = self._offset(name, has, text)
            if size is None or offset is None:
                self.left[f"{name}.{has.name}"] = "Swift has accessors of it, which are not read"
                continue
            yield (
                has.name,
                DescribedField(
                    offset, size, 0, 0, self._type(has.member, text, types, word, size), anonymous=False
                ),
            )

    def _offset(self, name: str, has: Has, text: str) -> int | None:
        """The byte of a member; of one that has accessors that of its first scalar, less what is before that in it."""
        values = [self.numbers.get(one) for one in self._places(name, has, text)]
        if not has.computed:
            return values[0] if values[0] != -1 else None
        first = self._first(has.name, text)
        behind = [self.numbers.get(one, -1) for one in first.behind] if first is not None else []
        if None in values or -1 in behind:
            return None
        bits = sum((value or 0) % (1 << 64) << 64 * word for word, value in enumerate(values))
        return (bits & -bits).bit_length() // 8 - sum(behind) if bits else None

    def _type(
        self, member: Member, text: str, types: Mapping[str, Described], word: int, size: int
    ) -> Described:
        """The type of a member; an array is a tuple, but for one of one element."""
        lengths, c_type = [], strip(member.type)
        while isinstance(c_type, Array):
            lengths.append(c_type.length or 1)
            c_type = strip(c_type.element)
        count = 1
        for one in lengths:
            count *= one
        found = described(element(text), types, word, size // count)
        for one in reversed(lengths):
            found = Described("array", found.size * one, found.align, "", element=found)
        return msgspec.structs.replace(found, size=size) if lengths else found


def at(name: str, has: Has) -> str:
    """The expression that is a member of a value of a type."""
    return f"(nil as {name}?)!.{has.name}"


def offset(name: str, has: Has) -> str:
    """The expression that is the byte of a member that Swift stores."""
    return f"Int64(MemoryLayout<{name}>.offset(of: \\{name}.{has.name}) ?? -1)"


def sized(name: str) -> str:
    """The expression that is the size of a type."""
    return f"Int64(MemoryLayout<{name}>.size)"


def element(text: str) -> str:
    """The innermost element of tuples of tuples."""
    text = present(text)
    while text.startswith("(") and text.endswith(")") and "->" not in text:
        text = present(parts(text[1:-1])[0]) if text != "()" else ""
    return text
