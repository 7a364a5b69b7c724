"""Asks cffi for layouts, and makes and takes calls by it: a program of its own, for cffi may die.

`cffi_child.py` reads a JSON list of records from standard input and writes one answer for each (see `library.question`):
size and alignment in bytes, and for each member its bit offset and, for a bit-field, its width; or cffi's words of refusal.
`cffi_child.py --can QUESTIONS` writes a line of JSON for each prototype: why cffi cannot express it, empty where it can.
`cffi_child.py --serve QUESTIONS LIBRARY` loads the runtime's driver and lets it read its script from standard input and
write its records to standard output, with functions that cffi makes: number `2 * i` calls the driver's capture as question
`i` says, number `2 * i + 1` is a callback of that type. Imports nothing of abiprobe.
"""

from __future__ import annotations

import importlib
import json
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cffi

OPTIONS = "cffi takes no options"
DRIVER = """
extern unsigned char abi_in[65536], abi_out[65536];
extern void *abi_functions[4096];
extern void *abi_target;
void abi_main(void);
"""
NOT_READY = 70
"""The exit status where the functions could not be made."""
WIDENED = "long long *"
"""How narrow integers are stored."""


class Question:
    """A prototype as cffi reads it, and where its values lie in the driver's buffers."""

    def __init__(self, asked: dict[str, Any]) -> None:
        self.ffi: Any = cffi.FFI()
        for text, settings in asked["definitions"]:
            self.ffi.cdef(text, **settings)
        self.ffi.cdef(asked["function"])
        self.type = self.ffi.typeof("abi_function *")
        self.slots = asked["params"]
        self.result = asked["result"]
        self.live = asked["live"]
        self.char_signed = asked["char_signed"]
        for index, slot in enumerate(self.slots):
            self.measure(f"abi_param{index}", slot)
        if self.result is not None:
            self.measure("abi_result", self.result)

    def measure(self, name: str, slot: dict[str, int]) -> None:
        """Raise `TypeError` for a type that cffi lays out otherwise: what it passes is not what was asked."""
        size = self.ffi.sizeof(name)
        if size != slot["own"]:
            raise TypeError(f"{name} would be passed as {size} bytes, not {slot['own']}")

    def load(self, name: str, at: Any) -> Any:
        """The value of a type at an address."""
        return self.ffi.cast(f"{name} *", at)[0]

    def store(self, name: str, slot: dict[str, int], at: Any, value: Any) -> None:
        """Put a value into its slot, a narrow integer widened."""
        if not slot["narrow"]:
            self.ffi.cast(f"{name} *", at)[0] = value
            return
        char = isinstance(value, bytes)
        number = int.from_bytes(value, "little", signed=self.char_signed) if char else int(value)
        self.ffi.cast(WIDENED, at)[0] = number


def calling(question: Question, library: Any, driver: Any) -> Any:
    """A function of nothing that calls what the driver names (its capture, or a callback) with the arguments in `abi_in`."""
    ffi = question.ffi
    inside, outside = (
        ffi.cast("char *", int(driver.cast("uintptr_t", address)))
        for address in (library.abi_in, library.abi_out)
    )

    def call() -> None:
        function = ffi.cast("abi_function *", int(driver.cast("uintptr_t", library.abi_target)))
        arguments = [
            question.load(f"abi_param{index}", inside + slot["offset"])
            for index, slot in enumerate(question.slots)
        ]
        answer = function(*arguments)
        if question.result is not None:
            question.store("abi_result", question.result, outside + question.result["offset"], answer)
        for slot in question.live:
            ffi.memmove(outside + slot["offset"], inside + slot["offset"], slot["size"])

    return driver.callback("void(void)", call)


def called(question: Question, library: Any, driver: Any) -> Any:
    """A callback that stores its parameters in `abi_out` and returns what `abi_in` holds."""
    ffi = question.ffi
    inside, outside = (
        ffi.cast("char *", int(driver.cast("uintptr_t", address)))
        for address in (library.abi_in, library.abi_out)
    )

    def answer(*arguments: Any) -> Any:
        for index, (slot, value) in enumerate(zip(question.slots, arguments, strict=True)):
            question.store(f"abi_param{index}", slot, outside + slot["offset"], value)
        return None if question.result is None else question.load("abi_result", inside)

    return ffi.callback(question.type, answer)


def refusal(asked: dict[str, Any], make: Callable[[Question], Any]) -> str:
    """Return cffi's reason if it cannot express a question."""
    try:
        make(Question(asked))
    # Whatever it raises, down to MemoryError of a huge array, is its way of saying no.
    except Exception as error:  # noqa: BLE001
        return f"{type(error).__name__}: {error}".partition("\n")[0]
    return ""


def tried(question: Question) -> None:
    """Have libffi prepare a call and a callback of a type, without making either."""
    ffi = question.ffi
    ffi.callback(question.type, lambda *_: None)
    # The arguments are refused before anything is called, but only once the call has been prepared.
    function = ffi.cast("abi_function *", 1)
    try:
        function(*[object()] * (len(question.slots) or 1))
    except NotImplementedError:
        raise
    except (TypeError, ValueError):
        pass


def functions(asked: list[dict[str, Any]], library: Any, driver: Any) -> list[Any]:
    """Every function of the table, which is filled with their addresses; they live as long as the list."""
    made = []
    for index, one in enumerate(asked):
        question = Question(one)
        call, callback = calling(question, library, driver), called(question, library, driver)
        library.abi_functions[2 * index] = driver.cast("void *", call)
        address = int(question.ffi.cast("uintptr_t", callback))
        library.abi_functions[2 * index + 1] = driver.cast("void *", address)
        made += [call, callback]
    return made


def layout(asked: dict[str, Any]) -> dict[str, Any]:
    """The layout of one record as cffi has it."""
    ffi: Any = cffi.FFI()
    try:
        for text, settings in asked["definitions"]:
            ffi.cdef(text, **settings)
        record = ffi.typeof(asked["name"])
        places = [place(ffi, record, path) for path in asked["members"]]
        return {"size": ffi.sizeof(record), "align": ffi.alignof(record), "places": places}
    # Whatever it raises, down to MemoryError of a huge array, is its way of saying no.
    except Exception as error:  # noqa: BLE001
        return {"words": f"{type(error).__name__}: {error}".partition("\n")[0]}


def place(ffi: Any, record: Any, path: list[str | int]) -> tuple[int, int | None]:
    """The bit offset of a member, and the width of a bit-field."""
    at, bits, inner = 0, -1, record
    for step in path:
        if isinstance(step, int):
            inner = inner.item
            at += step * ffi.sizeof(inner) * 8
        else:
            field = dict(inner.fields)[step]
            at += field.offset * 8 + max(field.bitshift, 0)
            bits, inner = field.bitsize, field.type
    if bits >= 0:
        return at, bits
    return ffi.offsetof(record, *path) * 8, None


def serve(asked: list[dict[str, Any]], path: str) -> None:
    """Fill the driver's table with functions and let it read its script."""
    try:
        driver: Any = cffi.FFI()
        driver.cdef(DRIVER)
        library = driver.dlopen(path)
        kept = functions(asked, library, driver)
    # Nothing was asked yet, so nothing but ourselves is to blame.
    except Exception as error:  # noqa: BLE001
        sys.stderr.write(f"{type(error).__name__}: {error}\n")
        sys.exit(NOT_READY)
    library.abi_main()
    del kept


def version() -> list[str]:
    """Its version and that of the parser that it relies on, and the library that it loads."""
    import pycparser

    backend = importlib.import_module("_cffi_backend").__file__
    return [f"cffi {cffi.__version__}, pycparser {pycparser.__version__}", backend or ""]


def told(path: str) -> list[dict[str, Any]]:
    """The questions in a file."""
    questions: list[dict[str, Any]] = json.loads(Path(path).read_text("utf-8"))
    return questions


def main() -> None:
    """Answer the question that the arguments ask."""
    # What cffi only warns of it does not do: it would answer another question.
    warnings.simplefilter("error")
    mode, paths = sys.argv[1:2], sys.argv[2:]
    if mode == ["--version"]:
        sys.stdout.writelines(f"{line}\n" for line in version())
    elif mode == ["--can"] and len(paths) == 1:
        sys.stdout.writelines(json.dumps(refusal(asked, tried)) + "\n" for asked in told(paths[0]))
    elif mode == ["--serve"] and len(paths) == 2:
        serve(told(paths[0]), paths[1])
    elif mode:
        sys.exit(f"error: {OPTIONS}")
    else:
        json.dump([layout(asked) for asked in json.load(sys.stdin)], sys.stdout)


if __name__ == "__main__":
    main()
