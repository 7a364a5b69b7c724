"""A clang that writes LLVM IR about the functions that a unit names, and misbehaves in one way where it is told to.

`-DLIE=name` names one of the functions below. Needs the standard library only.
"""

from __future__ import annotations

import os
import re
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

LAYOUT = 'target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"\n'


def honest(text: str, _probes: dict[int, str]) -> str:
    """Writes what it has."""
    return text


def takes_reals_for_integers(text: str, _probes: dict[int, str]) -> str:
    """Passes a float as an integer."""
    return text.replace("float", "i32")


def forgets_promises(text: str, _probes: dict[int, str]) -> str:
    """Leaves `noundef` out."""
    return text.replace(" noundef", "")


def does_not_implement_unions(text: str, probes: dict[int, str]) -> str:
    """Refuses each prototype with a union, by its place."""
    for number, own in probes.items():
        if "union" in own:
            sys.stderr.write(f"probe_{number}:3:1: error: ClangIR code gen Not Yet Implemented: union\n")
    if any("union" in own for own in probes.values()):
        sys.exit(1)
    return text


def does_not_say_where(text: str, probes: dict[int, str]) -> str:
    """Refuses a unit with a union without saying where."""
    if any("union" in own for own in probes.values()):
        sys.stderr.write("error: Not Yet Implemented: union\n")
        sys.exit(1)
    return text


def crashes_on_unions(text: str, probes: dict[int, str]) -> str:
    """Dies of a unit with a union."""
    if any("union" in own for own in probes.values()):
        os.kill(os.getpid(), signal.SIGSEGV)
    return text


def hangs_on_unions(text: str, probes: dict[int, str]) -> str:
    """Does not end on a unit with a union."""
    if any("union" in own for own in probes.values()):
        time.sleep(60)
    return text


def warns(text: str, _probes: dict[int, str]) -> str:
    """Says that something is not there yet, and goes on."""
    sys.stderr.write("warning: variadic calls are not yet implemented\n")
    return text


def writes_another_ir(text: str, _probes: dict[int, str]) -> str:
    """Writes heads that nobody can read."""
    return text.replace("(", "(~", 1) if "define" in text else text


def forgets_definitions(text: str, _probes: dict[int, str]) -> str:
    """Writes no bodies."""
    return re.sub(r"^define.*\n(?: .*\n)*}\n", "", text, flags=re.MULTILINE)


def refuses_everything(_text: str, _probes: dict[int, str]) -> str:
    """Takes nothing."""
    sys.stderr.write("error: no licence\n")
    sys.exit(1)


def knows_no_triple(_text: str, _probes: dict[int, str]) -> str:
    """Does not know what it is to compile for."""
    sys.stderr.write("error: unknown target triple 'abacus'\n")
    sys.exit(1)


def refuses_options(text: str, _probes: dict[int, str]) -> str:
    """Has one way to LLVM IR."""
    if "-fclangir" in sys.argv or "-fexperimental-abi-lowering" in sys.argv:
        sys.stderr.write("error: unknown argument\n")
        sys.exit(1)
    return text


LIES: dict[str, Callable[[str, dict[int, str]], str]] = {
    own.__name__: own
    for own in (
        *(honest, takes_reals_for_integers, forgets_promises, does_not_implement_unions, does_not_say_where),
        *(crashes_on_unions, hangs_on_unions, warns, writes_another_ir, forgets_definitions),
        *(refuses_everything, knows_no_triple, refuses_options),
    )
}


def ir(number: int, text: str) -> str:
    """The IR about one prototype: an argument for what it has, and no more."""
    argument = "float noundef" if "float" in text else "i64 noundef"
    return (
        f"define dso_local void @callee_{number}({argument} %0) #0 {{\n  ret void\n}}\n"
        f"define dso_local void @call_{number}() #0 {{\n  call void @probe_{number}({argument} %1) #2\n}}\n"
        f"declare void @probe_{number}({argument}) #1\n"
    )


def main() -> None:
    """Compile, or say the version."""
    words = sys.argv[1:]
    if "--version" in words:
        sys.stdout.write("faux clang version 1\n")
        return
    lie = next((word.removeprefix("-DLIE=") for word in words if word.startswith("-DLIE=")), "honest")
    source = Path(words[words.index("-o") - 1])
    pieces = re.split(r'^#line 1 "probe_(\d+)"$', source.read_text("utf-8"), flags=re.MULTILINE)[1:]
    probes = {int(number): text for number, text in zip(pieces[::2], pieces[1::2], strict=True)}
    text = LAYOUT + "".join(ir(number, own) for number, own in probes.items())
    Path(words[words.index("-o") + 1]).write_text(LIES[lie](text, probes), "utf-8")


if __name__ == "__main__":
    main()
