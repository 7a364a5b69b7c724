"""The part that runs inside gdb: stop in every function, finish it, return from it, and call it, each value read as bytes from memory.

gdb assigns what it shows to a variable of the same type, whose memory is read: so a value is seen as gdb has it, wherever it is.
It imports nothing of abiprobe, and reads and writes files that the environment names.
"""

from __future__ import annotations

import importlib
import json
import os
import shlex
import subprocess
import time
from pathlib import Path
from typing import Any

gdb: Any = importlib.import_module("gdb") if __name__ == "__main__" else None
ASKED, ANSWERED = "ABIPROBE_DEBUGGER_ASKED", "ABIPROBE_DEBUGGER_ANSWERED"
STUB = "ABIPROBE_DEBUGGER_STUB"
"""The command that runs the program and waits at a socket, the word before its last; empty where gdb runs the program."""
IGNORED = "will be ignored"
"""A part of the words with which gdb says that it does not know where a result is to be."""
SECONDS = 30.0


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


def returned(number: int) -> str:
    """Return from a function in which the program has stopped; gdb's words behind a `!` where it cannot, or nothing."""
    gdb.execute("set confirm on")
    try:
        # As typed at a terminal, so that gdb tells what it would ask about.
        said = gdb.execute(f"return given_{number}", from_tty=True, to_string=True)
    except gdb.error as error:
        return f"!{error}"
    finally:
        gdb.execute("set confirm off")
    return f"!{said.splitlines()[0]}" if IGNORED in said else ""


def called(number: int, names: list[str], has_result: bool) -> dict[str, Any]:  # noqa: FBT001 - from JSON
    """The arguments as a function keeps them that gdb calls, and its result."""
    call = f"f{number}({', '.join(f'in_{number}_{index}' for index in range(len(names)))})"
    try:
        if has_result:
            result = assigned(f"out_{number}", call)
            if result.startswith("!"):
                return {"arguments": [result] * len(names), "result": result}
        else:
            gdb.execute(f"call {call}", to_string=True)
            result = ""
        return {
            "arguments": [read(f"seen_{number}_{index}") for index in range(len(names))],
            "result": result,
        }
    except gdb.error as error:
        return {"arguments": [f"!{error}"] * len(names), "result": f"!{error}" if has_result else ""}


def start() -> None:
    """Start the program, or reach that which an emulator runs."""
    stub = shlex.split(os.environ.get(STUB, ""))
    if not stub:
        gdb.execute("run", to_string=True)
        return
    subprocess.Popen(stub, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    deadline = time.monotonic() + SECONDS
    while True:
        try:
            gdb.execute(f"target remote {stub[-2]}", to_string=True)
            break
        except gdb.error:
            if time.monotonic() >= deadline:
                raise
            time.sleep(0.05)
    gdb.execute("continue", to_string=True)


def main() -> None:
    """Ask about every function of the program."""
    gdb.execute("set pagination off")
    gdb.execute("set confirm off")
    gdb.execute("set unwindonsignal on")
    asked = json.loads(Path(os.environ[ASKED]).read_text("utf-8"))
    found: dict[str, dict[str, Any]] = {}
    stops = [gdb.Breakpoint(f"f{one['number']}") for one in asked]
    last = gdb.Breakpoint("done")
    start()
    by_name = {f"f{one['number']}": one for one in asked}
    while gdb.selected_inferior().pid and (name := gdb.selected_frame().name()) in by_name:
        if name in found:
            found[name]["return"] = returned(by_name[name]["number"])
        else:
            found[name] = stopped_in(**by_name[name])
        gdb.execute("continue", to_string=True)
    for one in (*stops, last):
        one.delete()
    for name, one in by_name.items():
        if gdb.selected_inferior().pid and name in found:
            if found[name].get("return") == "":
                found[name]["return"] = read(f"got_{one['number']}")
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
