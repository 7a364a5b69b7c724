"""The part that runs inside gdb: stop in every function, finish it, and call it, each value read as bytes from memory.

gdb assigns what it shows to a variable of the same type, whose memory is read: so a value is seen as gdb has it, wherever it is.
It imports nothing of abiprobe, and reads and writes files that the environment names.
"""

from __future__ import annotations

import importlib
import json
import os
from pathlib import Path
from typing import Any

gdb: Any = importlib.import_module("gdb") if __name__ == "__main__" else None
ASKED, ANSWERED = "ABIPROBE_GDB_ASKED", "ABIPROBE_GDB_ANSWERED"


def read(name: str) -> str:
    """The bytes of a variable in hexadecimal."""
    value = gdb.parse_and_eval(name)
    return bytes(gdb.selected_inferior().read_memory(int(value.address), value.type.sizeof)).hex()


def assigned(variable: str, expression: str) -> str:
    """The bytes of an expression in hexadecimal, or gdb's words on why it has none behind a `!`."""
    try:
        gdb.execute(f"set var {variable} = {expression}", to_string=True)
        return read(variable)
    except gdb.error as error:
        return f"!{error}"


def stopped_in(number: int, names: list[str], has_result: bool) -> dict[str, Any]:  # noqa: FBT001 - from JSON
    """The parameters in a function in which the program has stopped, and the result when it returns."""
    found: dict[str, Any] = {
        "parameters": [assigned(f"out_{number}_{index}", name) for index, name in enumerate(names)]
    }
    try:
        gdb.execute("finish", to_string=True)
    except gdb.error as error:
        found["finish"] = f"!{error}"
        return found
    if has_result:
        found["finish"] = assigned(f"out_{number}", "$")
    return found


def called(number: int, names: list[str], has_result: bool) -> dict[str, Any]:  # noqa: FBT001 - from JSON
    """The arguments as a function keeps them that gdb calls, and its result."""
    call = f"f{number}({', '.join(f'in_{number}_{index}' for index in range(len(names)))})"
    try:
        if has_result:
            result = assigned(f"out_{number}", call)
        else:
            gdb.execute(f"call {call}", to_string=True)
            result = ""
        return {
            "arguments": [read(f"seen_{number}_{index}") for index in range(len(names))],
            "result": result,
        }
    except gdb.error as error:
        return {"arguments": [f"!{error}"] * len(names), "result": f"!{error}" if has_result else ""}


def main() -> None:
    """Ask about every function of the program."""
    gdb.execute("set pagination off")
    gdb.execute("set confirm off")
    asked = json.loads(Path(os.environ[ASKED]).read_text("utf-8"))
    found: dict[str, dict[str, Any]] = {}
    stops = [gdb.Breakpoint(f"f{one['number']}") for one in asked]
    last = gdb.Breakpoint("done")
    gdb.execute("run", to_string=True)
    by_name = {f"f{one['number']}": one for one in asked}
    while gdb.selected_inferior().pid and (name := gdb.selected_frame().name()) in by_name:
        found[name] = stopped_in(**by_name[name])
        gdb.execute("continue", to_string=True)
    for one in (*stops, last):
        one.delete()
    for name, one in by_name.items():
        if gdb.selected_inferior().pid and name in found:
            for index in range(len(one["names"])):
                gdb.execute(
                    f"call clear(&seen_{one['number']}_{index}, sizeof seen_{one['number']}_{index})",
                    to_string=True,
                )
            found[name] |= called(**one)
    Path(os.environ[ANSWERED]).write_text(json.dumps(found), "utf-8")
    gdb.execute("kill", to_string=True)


if __name__ == "__main__":
    main()
