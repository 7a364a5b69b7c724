"""Our decoder against NVIDIA's: every instruction of an image, by name and place."""

from __future__ import annotations

import re
from pathlib import Path

from abiprobe.harness.base import child
from abiprobe.harness.base.problem import Problem
from abiprobe.harness.observers.device.assembler.cubin import Cubin
from abiprobe.harness.observers.device.sass.decode import decode
from abiprobe.harness.observers.device.sass.opcodes import UNIFORM, Op
from abiprobe.harness.subjects.cuda_tools import Tool

SECONDS = 60.0
_SECTION = re.compile(r"^\.text\.(\S+):", re.MULTILINE)
_LINE = re.compile(r"^\s*/\*([0-9a-f]{4,})\*/\s+(?:@!?U?P\w+\s+)?([A-Z][A-Z0-9_.]*)", re.MULTILINE)
ALIASES = {"VIADD": Op.IADD3, "EXIT": Op.RET, "HFMA2": Op.HFMA2}
NAMELESS = {Op.NOTHING, Op.OPAQUE, Op.OPAQUE_PREDICATE}


def differences(tool: Tool, path: Path) -> tuple[int, tuple[str, ...]]:
    """Return the number of instructions of an image that both decoders have, and those that they name differently.

    Raises `Problem` when nvdisasm does not read the image, `UndecodedError` when we do not.
    """
    done = child.run((tool.path, "-c", str(path)), timeout=SECONDS)
    if not done.ok:
        raise Problem(f"nvdisasm does not read {path.name}: {done.stderr[:200].decode('utf-8', 'replace')}")
    text = done.stdout.decode("utf-8", "replace")
    image = Cubin(path.read_bytes())
    parts = _SECTION.split(text)[1:]
    count, found = 0, []
    for name, body in zip(parts[::2], parts[1::2], strict=True):
        theirs = {int(at, 16): word for at, word in _LINE.findall(body)}
        for own in decode(image.code(name) or b""):
            count += 1
            word = theirs.get(own.at, "nothing").split(".")[0]
            word = word.removeprefix("U") if own.opcode in UNIFORM else word
            if (
                own.op not in NAMELESS
                and ALIASES.get(word) is not own.op
                and word != own.op.value.split(".")[0]
            ):
                found.append(f"{name}+{own.at:#x}: {own.op.value}, nvdisasm {word}")
    return count, tuple(found)
