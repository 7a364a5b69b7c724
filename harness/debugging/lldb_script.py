"""The part that runs inside lldb: what `gdb_script` does, by lldb's own values.

It imports nothing of abiprobe, and reads and writes the same files.
"""

from __future__ import annotations

import importlib
import json
import os
from pathlib import Path
from typing import Any

ASKED, ANSWERED = "ABIPROBE_DEBUGGER_ASKED", "ABIPROBE_DEBUGGER_ANSWERED"
CLEARED = 0xCC
SECONDS = 10
NO_RESULT = 0x1001
"""The error of an expression whose type is `void`."""


class Asking:
    """A program in lldb."""

    def __init__(self, lldb: Any, target: Any) -> None:
        """Start the program, which stops in the first function."""
        self.lldb, self.target = lldb, target
        self.options = lldb.SBExpressionOptions()
        self.options.SetIgnoreBreakpoints(True)  # noqa: FBT003 - lldb's
        self.options.SetUnwindOnError(True)  # noqa: FBT003 - lldb's
        self.options.SetTimeoutInMicroSeconds(SECONDS * 1_000_000)
        error = lldb.SBError()
        self.process = target.Launch(lldb.SBLaunchInfo([]), error)

    @property
    def frame(self) -> Any:
        """The innermost frame."""
        return self.process.GetSelectedThread().GetFrameAtIndex(0)

    def value(self, value: Any) -> str:
        """The bytes of a value in hexadecimal, or lldb's words on why it has none behind a `!`."""
        if not value.IsValid():
            return "!no value"
        if value.GetError().Fail():
            return f"!{value.GetError()}".strip()
        size = value.GetByteSize()
        if not size:
            return ""
        error = self.lldb.SBError()
        found = value.GetData().ReadRawData(error, 0, size)
        return f"!{error}" if error.Fail() else bytes(found).hex()

    def variable(self, name: str) -> Any:
        """A variable of the program."""
        return self.target.FindFirstGlobalVariable(name)

    def stopped_in(self, names: list[str], *, has_result: bool) -> dict[str, Any]:
        """The parameters in a function in which the program has stopped, and the result when it returns."""
        found: dict[str, Any] = {
            "parameters": [self.value(self.frame.FindVariable(name)) for name in names],
        }
        thread, error = self.process.GetSelectedThread(), self.lldb.SBError()
        thread.StepOut(error)
        if error.Fail():
            found["finish"] = f"!{error}"
        elif has_result:
            found["finish"] = self.value(thread.GetStopReturnValue())
        return found

    def returned(self, number: int) -> str:
        """Return from a function in which the program has stopped; lldb's words behind a `!` where it cannot, or nothing."""
        thread = self.process.GetSelectedThread()
        error = thread.ReturnFromFrame(self.frame, self.variable(f"given_{number}"))
        return f"!{error}" if error.Fail() else ""

    def called(self, number: int, names: list[str], has_result: bool) -> dict[str, Any]:  # noqa: FBT001 - from JSON
        """The arguments as a function keeps them that lldb calls, and its result."""
        kept = [self.variable(f"seen_{number}_{index}") for index in range(len(names))]
        for one in kept:
            size = one.GetByteSize()
            self.process.WriteMemory(one.GetLoadAddress(), bytes([CLEARED]) * size, self.lldb.SBError())
        call = f"f{number}({', '.join(f'in_{number}_{index}' for index in range(len(names)))})"
        value = self.frame.EvaluateExpression(call, self.options)
        error = value.GetError()
        if error.Fail() and (has_result or error.GetError() != NO_RESULT):
            words = f"!{error}"
            return {"arguments": [words] * len(names), "result": words if has_result else ""}
        return {
            "arguments": [self.value(self.variable(f"seen_{number}_{index}")) for index in range(len(names))],
            "result": self.value(value) if has_result else "",
        }


def ask(lldb: Any, debugger: Any) -> None:
    """Ask about every function of the program."""
    debugger.SetAsync(False)  # noqa: FBT003 - lldb's
    target = debugger.GetSelectedTarget()
    asked = json.loads(Path(os.environ[ASKED]).read_text("utf-8"))
    by_name = {f"f{one['number']}": one for one in asked}
    for name in (*by_name, "done"):
        target.BreakpointCreateByName(name)
    found: dict[str, dict[str, Any]] = {}
    asking = Asking(lldb, target)
    while asking.process.GetState() == lldb.eStateStopped:
        name = asking.frame.GetFunctionName()
        if name not in by_name:
            break
        if name in found:
            found[name]["return"] = asking.returned(by_name[name]["number"])
        else:
            found[name] = asking.stopped_in(by_name[name]["names"], has_result=by_name[name]["has_result"])
        asking.process.Continue()
    for name, one in by_name.items():
        if asking.process.GetState() == lldb.eStateStopped and name in found:
            if found[name].get("return") == "":
                found[name]["return"] = asking.value(asking.variable(f"got_{one['number']}"))
            found[name] |= asking.called(**one)
    Path(os.environ[ANSWERED]).write_text(json.dumps(found), "utf-8")
    asking.process.Kill()


def __lldb_init_module(debugger: Any, _names: dict[str, Any]) -> None:
    """Be imported by lldb."""
    ask(importlib.import_module("lldb"), debugger)
