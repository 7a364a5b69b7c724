"""What golden vectors say of stack frames, preserved registers and object files of the IPU and the DPU."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

from abiprobe.oracles.abis.dpu import elf
from abiprobe.oracles.language.lang import Kind, Pointer, Prototype, Scalar, Type, Vector
from abiprobe.oracles.model import AbiModel, Target
from abiprobe.oracles.text.place import Assignment, Layout
from laboratory.golden import Fact, tables


def rows() -> tuple[tuple[str, str, Any], ...]:
    """Target, what is asked, and the answer."""
    found = tables.rows("accelerators", "frames.tsv")
    return tuple((target, asked, json.loads(said)) for target, asked, said, _evidence in found)


def facts(name: str) -> tuple[Fact, ...]:
    """The rows about a target as facts, in the dialect of the compiler."""
    return tuple(
        Fact(asked, f"{target}@compiler", partial(holds, asked=asked, wanted=wanted))
        for target, asked, wanted in rows()
        if target == name
    )


def holds(target: Target, model: AbiModel, asked: str, wanted: Any) -> bool:
    """Return whether a target says so of its frames, files and data."""
    return bool(told(target, model, asked, wanted) == wanted)


def told(target: Target, model: AbiModel, asked: str, wanted: Any) -> object:
    """What a target says, as the table writes it."""
    frame = target.frame
    assert frame is not None, "the frames of the target are modelled"
    match asked:
        case "callee-saved":
            return list(frame.preserved)
        case "stack-alignment":
            return frame.align
        case "stack-growth":
            return frame.grows
        case "frame-pointer":
            return {"frame": frame.frame_pointer, "base": frame.base_pointer}
        case "first-stack-argument":
            return f"sp+{frame.arguments} at callee entry"
        case "first-unnamed-argument":
            return f"sp+{frame.variadic} at callee entry"
        case "first-stack-word":
            return f"entry r22 - {-frame.arguments}"
        case "first-stack-double-word":
            return f"entry r22 - {-frame.arguments + 4}"
        case "saved-link-register":
            links = [(saved.register, saved.of, saved.offset) for saved in frame.saved]
            return wanted if links == [("m10", "entry", -4)] else links
        case "saved-pair":
            return {
                f"entry r22 + framesize - {-saved.offset}": f"{saved.register} ({saved.role})".replace(
                    "stack pointer of the caller", "previous stack pointer"
                )
                for saved in frame.saved
            }
        case "va_list-start":
            return f"entry r22 - {-(frame.variadic or 0)}, moving down; 8-byte items aligned down to 8"
        case "pair-order":
            long = Prototype("f", Scalar(Kind.LONG), ())
            answer = model.assign(long)
            result = answer.result if isinstance(answer, Assignment) else None
            pieces = () if result is None else result.pieces
            low, high = (str(getattr(piece.place, "name", "")) for piece in pieces)
            return {"d0": {"most-significant": high, "least-significant": low}}
        case "elf-header":
            flags = elf.VERSION_IS_GIVEN | elf.ABI_VERSION << elf.VERSION_SHIFT
            return {"e_machine": elf.EM_DPU, "e_flags": f"{flags:#010x}"}
        case "llvm-data-layout":
            return wanted if follows(target.name, model, wanted) else "another"
    raise AssertionError(asked)


def follows(name: str, model: AbiModel, text: str) -> bool:
    """Return whether a model says the same as LLVM's description of a target, as far as both speak of it."""
    parts = dict(part.split(":", 1) for part in text.split("-")[2:] if ":" in part)
    says: dict[str, Type] = {
        "p": Pointer(),
        "i16": Scalar(Kind.SHORT),
        "i32": Scalar(Kind.INT),
        "f64": Scalar(Kind.DOUBLE),
    }
    if name == "upmem-dpu":
        # clang gives the alignment of the IPU's long long itself, against LLVM's description.
        says["i64"] = Scalar(Kind.LLONG)
    says["v128"] = Vector(Kind.INT, 16)
    for key, c_type in says.items():
        layout = model.layout(c_type)
        values = parts.get(key, "").split(":")
        bits = values[1] if key == "p" else values[0]
        if bits and (not isinstance(layout, Layout) or layout.align * 8 != int(bits)):
            return False
    return True
