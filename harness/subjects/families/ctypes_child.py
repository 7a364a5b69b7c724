"""Asks ctypes for layouts, and makes and takes calls by it: a program of its own, which any Python from 3.7 on runs.

`ctypes_child.py` reads a JSON list of records from standard input and writes one answer for each (see `library.question`):
size and alignment in bytes, and for each member its bit offset and, for a bit-field, its width; or words of refusal.
`ctypes_child.py --can QUESTIONS` writes a line of JSON for each prototype: why ctypes cannot make the call, and why it
cannot take it, empty where it can. `ctypes_child.py --serve QUESTIONS LIBRARY` serves the runtime's driver, as
`foreign/child.py` does for cffi. Imports nothing of abiprobe.
"""

from __future__ import annotations

import ctypes
import json
import platform
import sys
from pathlib import Path
from typing import Any

VERSION = f"ctypes of Python {platform.python_version()}"
OPTIONS = "ctypes takes no options"
NOT_READY = 70
"""The exit status where the functions could not be made."""
AREA, FUNCTIONS = 65536, 4096
SINCE_ALIGN = (3, 13)
"""The first Python that has `_align_`."""


class UnsupportedError(Exception):
    """Raised if ctypes cannot express a question."""


NAMES = {
    "_Bool": "c_bool",
    "char": "c_char",
    "signed char": "c_byte",
    "unsigned char": "c_ubyte",
    "short": "c_short",
    "unsigned short": "c_ushort",
    "int": "c_int",
    "unsigned int": "c_uint",
    "long": "c_long",
    "unsigned long": "c_ulong",
    "long long": "c_longlong",
    "unsigned long long": "c_ulonglong",
    "float": "c_float",
    "double": "c_double",
    "long double": "c_longdouble",
}
COMPLEX = {"float": "c_float_complex", "double": "c_double_complex", "long double": "c_longdouble_complex"}
"""Since Python 3.14, where libffi has them."""


def simple(name: str) -> Any:
    """A scalar as a class of its own: ctypes then hands over its bytes, and makes no Python number of them."""
    base = getattr(ctypes, name, None)
    if base is None:
        raise UnsupportedError(f"there is no {name}")
    return type(name, (base,), {})


SCALARS = {kind: simple(name) for kind, name in NAMES.items()}
POINTER, FUNCTION = simple("c_void_p"), simple("c_void_p")


class Types:
    """The classes of C types (JSON as `abiprobe.oracles.language.lang` writes it), each made once."""

    def __init__(self) -> None:
        self.records: dict[str, Any] = {}

    def of(self, c_type: dict[str, Any]) -> Any:
        """The class of a type."""
        sort = c_type["type"]
        if sort == "Scalar" and c_type["kind"] in SCALARS:
            return SCALARS[c_type["kind"]]
        if sort == "Complex" and c_type["kind"] in COMPLEX:
            return simple(COMPLEX[c_type["kind"]])
        if sort == "Pointer":
            return FUNCTION if c_type.get("function") else POINTER
        if sort == "Array":
            return self.of(c_type["element"]) * (c_type.get("length") or 0)
        if sort == "Typedef" and c_type.get("align") is None:
            return self.of(c_type["base"])
        if sort == "Record":
            key = json.dumps(c_type, sort_keys=True)
            if key not in self.records:
                self.records[key] = self.record(c_type)
            return self.records[key]
        raise UnsupportedError(f"there is no {c_type.get('kind', sort)}")

    def bit_field(self, c_type: dict[str, Any]) -> Any:
        """The class of a bit-field; one of characters is one of small integers."""
        found = self.of(c_type)
        return SCALARS["signed char"] if found is SCALARS["char"] else found

    def record(self, record: dict[str, Any]) -> Any:
        """The class of a struct or union."""
        if record.get("ms_struct") is not None:
            raise UnsupportedError("there is no ms_struct")
        fields: list[tuple[Any, ...]] = []
        hidden: list[str] = []
        for number, member in enumerate(record["members"]):
            if any(member.get(name) for name in ("packed", "align", "alignas")):
                raise UnsupportedError("members have no attributes")
            name = member.get("name") or f"anonymous_{number}"
            width = member.get("width")
            if width is None:
                hidden += [] if member.get("name") else [name]
                fields.append((name, self.of(member["type"])))
            elif member.get("name"):
                fields.append((name, self.bit_field(member["type"]), width))
            else:
                raise UnsupportedError("a bit-field has a name")
        content: dict[str, Any] = {"_anonymous_": hidden, **settings(record), "_fields_": fields}
        if "_pack_" in content and has_bit_fields(record):
            raise UnsupportedError("_pack_ means Microsoft's bit-fields")
        return type(record["tag"], (ctypes.Union if record.get("union") else ctypes.Structure,), content)


def settings(record: dict[str, Any]) -> dict[str, int]:
    """Return the attributes and pragmas of a record, as ctypes has them."""
    found: dict[str, int] = {}
    if record.get("packed") or record.get("pack"):
        found["_pack_"] = 1 if record.get("packed") else record["pack"]
    if record.get("align"):
        if sys.version_info < SINCE_ALIGN:
            raise UnsupportedError("there is no _align_ before Python 3.13")
        found["_align_"] = record["align"]
    return found


def has_bit_fields(c_type: dict[str, Any]) -> bool:
    """Return whether a type is a record with a bit-field, or has one in it."""
    if c_type["type"] in {"Array", "Typedef"}:
        return has_bit_fields(c_type["element" if c_type["type"] == "Array" else "base"])
    members = c_type["members"] if c_type["type"] == "Record" else ()
    return any(member.get("width") is not None or has_bit_fields(member["type"]) for member in members)


def layout(asked: dict[str, Any]) -> dict[str, Any]:
    """The layout of one record as ctypes has it."""
    try:
        record = Types().of(asked["type"])
        places = [place(record, path) for path in asked["members"]]
        return {"size": ctypes.sizeof(record), "align": ctypes.alignment(record), "places": places}
    # Whatever it raises is its way of saying no.
    except Exception as error:  # noqa: BLE001
        return {"words": words_of(error)}


def place(record: Any, path: list[str | int]) -> tuple[int, int | None]:
    """The bit offset of a member, and the width of a bit-field."""
    at, width, here = 0, None, record
    for step in path:
        if isinstance(step, int):
            here = here._type_
            at += 8 * step * ctypes.sizeof(here)
        else:
            field = getattr(here, step)
            at += 8 * field.offset
            here = type_of(here, step)
            # Of a bit-field the size is its width and, in the lower half, where it starts.
            if field.size >> 16:
                at, width = at + (field.size & 0xFFFF), field.size >> 16
    return at, width


def type_of(record: Any, name: str) -> Any:
    """The class of a member, which may be one of an anonymous record."""
    for field in record._fields_:
        if field[0] == name:
            return field[1]
    inner = (type_of(type_of(record, hidden), name) for hidden in record._anonymous_)
    return next((found for found in inner if found is not None), None)


class Question:
    """A prototype, and where its values lie in the driver's buffers."""

    def __init__(self, asked: dict[str, Any]) -> None:
        types = Types()
        self.slots, self.result, self.live = asked["arguments"], asked["result"], asked["live"]
        self.variadic, self.char_signed = asked["variadic"], asked["char_signed"]
        self.unnamed = asked["unnamed"]
        self.params = [types.of(c_type) for c_type in asked["types"]]
        self.returns: Any = None if self.result is None else types.of(asked["returns"])
        for c_type, slot in zip(self.params, self.slots):  # noqa: B905 - Python 3.9 has no `strict`
            measure(c_type, slot)
        if self.result is not None:
            measure(self.returns, self.result)
        named = self.params[: len(self.params) - self.unnamed]
        self.type = ctypes.CFUNCTYPE(self.returns, *named)

    def made(self) -> None:
        """Raise what ctypes raises for a call of this type: it calls a function that looks at no argument."""
        function = self.type(address(ctypes.CDLL(None).getppid))
        function(*(c_type() for c_type in self.params))

    def taken(self) -> None:
        """Raise what ctypes raises for a callback of this type."""
        if self.variadic:
            raise UnsupportedError("a callback is not variadic")
        if self.returns is SCALARS["long double"]:
            raise UnsupportedError("a callback returns a number of Python, which is no long double")
        self.type(lambda *_: None)


def address(function: Any) -> int:
    """The address of a function."""
    return ctypes.cast(function, ctypes.c_void_p).value or 0


def measure(c_type: Any, slot: dict[str, Any]) -> None:
    """Raise for a type that ctypes lays out otherwise: what it passes is not what was asked."""
    size = ctypes.sizeof(c_type)
    if size != slot["own"]:
        raise UnsupportedError(f"{c_type.__name__} would be passed as {size} bytes, not {slot['own']}")


def can(asked: dict[str, Any]) -> tuple[str, str]:
    """Return the reasons why ctypes cannot make a call, and why it cannot take it."""
    try:
        question = Question(asked)
        question.made()
    # Whatever it raises is its way of saying no.
    except Exception as error:  # noqa: BLE001
        return words_of(error), words_of(error)
    try:
        question.taken()
    except Exception as error:  # noqa: BLE001
        return "", words_of(error)
    return "", ""


def words_of(error: Exception) -> str:
    """Return an exception's message in a line."""
    return f"{type(error).__name__}: {error}".partition("\n")[0]


def store(c_type: Any, slot: dict[str, Any], at: int, value: Any, *, char_signed: bool) -> None:
    """Put a value into its slot, a narrow integer widened."""
    if not slot["narrow"]:
        ctypes.memmove(at, ctypes.addressof(value), ctypes.sizeof(c_type))
        return
    number = value.value
    if isinstance(number, bytes):
        number = int.from_bytes(number, sys.byteorder, signed=char_signed)
    ctypes.c_longlong.from_address(at).value = int(number)


class Driver:
    """The runtime as a shared library, and its buffers."""

    def __init__(self, path: str) -> None:
        self.library = ctypes.CDLL(path)
        area = ctypes.c_ubyte * AREA
        self.inside = ctypes.addressof(area.in_dll(self.library, "abi_in"))
        self.outside = ctypes.addressof(area.in_dll(self.library, "abi_out"))
        self.functions = (ctypes.c_void_p * FUNCTIONS).in_dll(self.library, "abi_functions")
        self.target = ctypes.c_void_p.in_dll(self.library, "abi_target")


def calling(question: Question, driver: Driver) -> Any:
    """A function of nothing that calls what the driver names (its capture, or a callback) with the arguments in `abi_in`."""

    def call() -> None:
        function = question.type(driver.target.value or 0)
        answer = function(
            *(
                c_type.from_address(driver.inside + slot["offset"])
                for c_type, slot in zip(question.params, question.slots)  # noqa: B905 - Python 3.9 has no `strict`
            )
        )
        if question.result is not None:
            at = driver.outside + question.result["offset"]
            store(question.returns, question.result, at, answer, char_signed=question.char_signed)
        for slot in question.live:
            ctypes.memmove(driver.outside + slot["offset"], driver.inside + slot["offset"], slot["size"])

    return ctypes.CFUNCTYPE(None)(call)


def called(question: Question, driver: Driver) -> Any:
    """A callback that stores its parameters in `abi_out` and returns what `abi_in` holds."""

    def answer(*arguments: Any) -> Any:
        for c_type, slot, value in zip(question.params, question.slots, arguments):  # noqa: B905 - Python 3.9 has no `strict`
            store(c_type, slot, driver.outside + slot["offset"], value, char_signed=question.char_signed)
        return None if question.result is None else question.returns.from_address(driver.inside).value

    return question.type(answer)


def functions(asked: list[dict[str, Any]], driver: Driver) -> list[Any]:
    """Every function of the table, which is filled with their addresses; they live as long as the list."""
    made: list[Any] = []
    for index, one in enumerate(asked):
        question = Question(one)
        made.append(calling(question, driver))
        driver.functions[2 * index] = address(made[-1])
        if one["taken"]:
            made.append(called(question, driver))
            driver.functions[2 * index + 1] = address(made[-1])
    return made


def serve(asked: list[dict[str, Any]], path: str) -> None:
    """Fill the driver's table with functions and let it read its script."""
    try:
        driver = Driver(path)
        kept = functions(asked, driver)
    # Nothing was asked yet, so nothing but ourselves is to blame.
    except Exception as error:  # noqa: BLE001
        sys.stderr.write(words_of(error) + "\n")
        sys.exit(NOT_READY)
    driver.library.abi_main()
    del kept


def told(path: str) -> list[dict[str, Any]]:
    """The questions in a file."""
    questions: list[dict[str, Any]] = json.loads(Path(path).read_text("utf-8"))
    return questions


def main() -> None:
    """Answer the question that the arguments ask."""
    mode, paths = sys.argv[1:2], sys.argv[2:]
    if mode == ["--version"]:
        import _ctypes

        sys.stdout.write(f"{VERSION}\n{getattr(_ctypes, '__file__', '')}\n")
    elif mode == ["--can"] and len(paths) == 1:
        sys.stdout.writelines(json.dumps(can(asked)) + "\n" for asked in told(paths[0]))
    elif mode == ["--serve"] and len(paths) == 2:
        serve(told(paths[0]), paths[1])
    elif mode:
        sys.exit(f"error: {OPTIONS}")
    else:
        json.dump([layout(asked) for asked in json.load(sys.stdin)], sys.stdout)


if __name__ == "__main__":
    main()
