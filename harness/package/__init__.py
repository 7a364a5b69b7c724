"""abiprobe: test compilers against executable models of the written ABIs.

    import abiprobe

    abiprobe.predict("struct S { char a; int b; }; void f(struct S, double);", "x86_64-sysv").call("f")
    abiprobe.explain("void f(float _Complex);", "riscv64-lp64d").text
    assert abiprobe.check("struct S f(struct S { short a[3]; } s);", "x86_64-sysv", ["gcc:build/cc"]).agrees
    abiprobe.run("riscv64-lp64d", ["clang:build/bin/clang"], cases=250, seed=1).new

This namespace is what abiprobe promises to Python programs; it follows `__version__`, and nothing below it is promised.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from abiprobe.harness.api.checking import Answer, CheckResult, check
    from abiprobe.harness.api.predicting import (
        Explanation,
        PredictedCall,
        PredictedLayout,
        Prediction,
        explain,
        predict,
    )
    from abiprobe.harness.api.running import Cause, RunResult, run
    from abiprobe.harness.base.problem import Problem
    from abiprobe.oracles.text.class_layout import ClassLayout
    from abiprobe.oracles.text.place import (
        Assignment,
        Hidden,
        Layout,
        MemberPlace,
        Passed,
        Passing,
        Piece,
        Register,
        StackSlot,
        Unspecified,
        Unsupported,
    )
    from abiprobe.results.verdicts.record import Difference, Judgement, Outcome, Verdict

    __version__: str

_MODULES = {
    "abiprobe.harness.api.checking": ("Answer", "CheckResult", "check"),
    "abiprobe.harness.api.predicting": (
        *("Explanation", "PredictedCall", "PredictedLayout", "Prediction", "explain", "predict"),
    ),
    "abiprobe.harness.api.running": ("Cause", "RunResult", "run"),
    "abiprobe.harness.base.problem": ("Problem",),
    "abiprobe.oracles.text.class_layout": ("ClassLayout",),
    "abiprobe.oracles.text.place": (
        *(
            "Assignment",
            "Hidden",
            "Layout",
            "MemberPlace",
            "Passed",
            "Passing",
            "Piece",
            "Register",
            "StackSlot",
        ),
        *("Unspecified", "Unsupported"),
    ),
    "abiprobe.results.verdicts.record": ("Difference", "Judgement", "Outcome", "Verdict"),
}
"""Where each name is. A module is imported when a name of it is used, so that a program pays for what it uses."""
_HOMES = {name: module for module, names in _MODULES.items() for name in names}

__all__ = [
    "Answer",
    "Assignment",
    "Cause",
    "CheckResult",
    "ClassLayout",
    "Difference",
    "Explanation",
    "Hidden",
    "Judgement",
    "Layout",
    "MemberPlace",
    "Outcome",
    "Passed",
    "Passing",
    "Piece",
    "PredictedCall",
    "PredictedLayout",
    "Prediction",
    "Problem",
    "Register",
    "RunResult",
    "StackSlot",
    "Unspecified",
    "Unsupported",
    "Verdict",
    "__version__",
    "check",
    "explain",
    "predict",
    "run",
]


def __getattr__(name: str) -> object:
    if name == "__version__":
        from abiprobe.harness.base.version import version

        return version()
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return list(__all__)
