"""Faults of machine code that no place shows: misaligned accesses, and registers that do not come back."""

from __future__ import annotations

from pathlib import Path

import pytest

from abiprobe.harness.machines.readers.ptx import signatures
from abiprobe.harness.observers.device.assembler import probes
from abiprobe.harness.observers.device.assembler.assemble import Assembler
from abiprobe.harness.observers.device.assembler.cubin import Cubin
from abiprobe.harness.observers.device.assembler.probes import START
from abiprobe.harness.observers.device.device_calls import ObservedDeviceCall
from abiprobe.harness.observers.device.observer import DeviceObserver
from abiprobe.harness.observers.device.sass.decode import RZ
from abiprobe.harness.observers.device.sass.follow import follow
from abiprobe.harness.observers.device.sass.state import Fault, Misaligned, Overwritten, State
from abiprobe.harness.observers.device.sass.symbols import Loaded
from abiprobe.harness.observers.observer import PredictionKey
from abiprobe.harness.ptxas.known import known
from abiprobe.harness.ptxas.physical import Checked, Side, check
from abiprobe.harness.subjects.cuda_tools import Tool
from abiprobe.oracles.abis.ptx.parameter import Signature, array, scalar
from abiprobe.oracles.abis.ptx.sass.places import ROLES
from abiprobe.oracles.abis.ptx.text.rules import MISALIGNED
from abiprobe.oracles.language.lang import Kind, Param, Prototype, Scalar
from abiprobe.oracles.language.question import ProbeKind, probe
from abiprobe.oracles.quirks.versions import Range
from abiprobe.oracles.registry import find_target
from abiprobe.results.verdicts.record import Judgement, Outcome
from tests.harness.observers.device.test_sass import RET, instruction

VARIADIC = Signature((scalar(4, "u"), array(8, 0)))
# Six values fill the registers, so that the seventh is on the stack.
CROWDED = Signature((*[scalar(8, "u")] * 6, array(2, 10)))


def local(opcode: int, register: int, offset: int, width: int) -> bytes:
    """A load or store of local memory by R1: `width` is the code of the access."""
    target = register << 16 if opcode == 0x983 else register << 32
    return instruction(opcode | 0x7000 | 1 << 24 | target | offset << 40, width << 9)


@pytest.mark.parametrize("opcode", [0x387, 0x983])
@pytest.mark.parametrize(
    ("width", "size", "offset", "faulty"),
    [
        (4, 4, 8, False),
        (4, 4, 6, True),
        (5, 8, 4, True),
        (5, 8, 8, False),
        (0, 1, 3, False),
        (6, 16, 8, True),
    ],
)
def test_an_access_of_the_stack_is_at_a_multiple_of_its_size(
    opcode: int, width: int, size: int, offset: int, *, faulty: bool
) -> None:
    faults = follow(local(opcode, 4, offset, width) + RET).faults
    assert [(fault.offset, fault.size) for fault in faults if isinstance(fault, Misaligned)] == (
        [(offset, size)] if faulty else []
    )


@pytest.mark.parametrize("opcode", [0x388, 0x984])
@pytest.mark.parametrize(("width", "address"), [(4, 8), (4, 6), (5, 0x14), (2, 3), (0, 3), (6, 0x20)])
def test_an_access_of_shared_memory_is_at_a_multiple_of_its_size(
    opcode: int, width: int, address: int
) -> None:
    register = 4 << 16 if opcode == 0x984 else 4 << 32
    access = instruction(opcode | 0x7000 | RZ << 24 | register | address << 40, width << 9)
    size = {0: 1, 2: 2, 4: 4, 5: 8, 6: 16}[width]
    faults = follow(access + RET).faults
    assert [
        (fault.offset, fault.size, fault.shared) for fault in faults if isinstance(fault, Misaligned)
    ] == ([(address, size, True)] if address % size else [])


def stored_misaligned(assembler: Assembler, folder: Path) -> State:
    """What ptxas makes of a store of 8 bytes at byte 2 of a stack argument, as clang 14 and 16 write it."""
    text = probes.header(assembler.arch) + probes.caller("c", "f", CROWDED)
    start = text.index("st.param.b16 [a6+2]")
    end = text.index("call f")
    text = f"{text[:start]}st.param.b64 [a6+2], %rd0;\n{text[end:]}"
    return follow(Cubin(assembler.assemble(text, folder).image).code("c") or b"")


def test_a_misaligned_store_to_the_stack_is_told(ptxas: Tool, tmp_path: Path) -> None:
    (fault,) = stored_misaligned(Assembler(ptxas), tmp_path).faults
    assert isinstance(fault, Misaligned)
    assert (fault.op, fault.size) == ("STL", 8)


def unnamed(tool: Tool, size: int) -> Checked:
    """The answer about a caller of so many bytes of unnamed arguments."""
    (one,) = check(Assembler(tool), Side.CALLER, (VARIADIC,), size)
    return one


@pytest.mark.parametrize("size", [8, 248, 252])
def test_a_caller_of_less_than_256_bytes_gives_back_what_it_saved(ptxas: Tool, size: int) -> None:
    assert unnamed(ptxas, size).judgement is Judgement.AGREES


@pytest.mark.parametrize("size", [256, 264, 1000])
def test_a_return_address_that_arguments_overwrite_is_told(ptxas: Tool, size: int) -> None:
    found = unnamed(ptxas, size)
    assert (found.judgement, found.clause) == (Judgement.DEVIATES, ROLES)
    assert found.what == f"(.u32, .align 8 .b8[]) of {size} bytes"
    assert "R20 at the return" in found.detail
    entry = known(Assembler(ptxas), found)
    assert entry is not None
    assert entry.id == "X8"


def test_an_array_with_its_size_is_passed_right(ptxas: Tool) -> None:
    sized = Signature((scalar(4, "u"), array(8, 264)))
    (one,) = check(Assembler(ptxas), Side.CALLER, (sized,))
    assert one.judgement is Judgement.AGREES


RESULT = Signature((), array(4, 52))
CRASH = Checked(RESULT, Side.CALLER, Judgement.UNOBSERVED, Outcome.CRASHED)
LOST = Checked(VARIADIC, Side.CALLER, Judgement.DEVIATES, unsized=256, clause=ROLES)


@pytest.mark.parametrize(
    ("release", "level", "one", "expected"),
    [
        ("13.0.88", "O1", CRASH, "X1"),
        ("13.2.51", "O1", CRASH, None),
        ("13.0.88", "O0", CRASH, None),
        ("13.0.88", "O1", Checked(RESULT, Side.CALLEE, Judgement.UNOBSERVED, Outcome.CRASHED), None),
        ("13.0.88", "O1", Checked(VARIADIC, Side.CALLER, Judgement.UNOBSERVED, Outcome.CRASHED), None),
        ("13.0.88", "O1", LOST, "X8"),
        (
            "13.0.88",
            "O1",
            Checked(VARIADIC, Side.CALLER, Judgement.DEVIATES, unsized=252, clause=ROLES),
            None,
        ),
        (
            "13.0.88",
            "O1",
            Checked(VARIADIC, Side.CALLER, Judgement.DEVIATES, unsized=256, detail="byte 0"),
            None,
        ),
    ],
)
def test_only_what_is_known_is_no_news(release: str, level: str, one: Checked, expected: str | None) -> None:
    entry = known(Assembler(Tool("ptxas", "/nowhere", release), level=level), one)
    assert (entry.id if entry is not None else None) == expected


def test_the_release_of_ptxas_is_a_version() -> None:
    assert Range.read("ptxas<13.2").has("ptxas", "13.0.88")
    assert not Range.read("ptxas<13.2").has("ptxas", "13.10.1")


def test_what_a_call_leaves_is_no_argument() -> None:
    assert follow(RET).faults == []
    assert not any(isinstance(fault, Overwritten) for fault in follow(local(0x983, 20, 8, 4) + RET).faults)


OBSERVER = DeviceObserver(PredictionKey(find_target("nvptx64-cuda")))
INT = Scalar(Kind.INT)
OPEN = Prototype("f", None, (Param("a", INT),), variadic=True, unnamed=(Scalar(Kind.DOUBLE),))
DECIDED = Prototype("f", None, (Param("a", INT),))
TAKEN = signatures(".visible .func f_0(.param .b32 a, .param .b64 b)\n{ }\n")["f_0"]


@pytest.mark.parametrize("function", [OPEN, DECIDED])
@pytest.mark.parametrize(
    ("fault", "clause", "words"),
    [
        (Overwritten(20, Loaded(8)), ROLES, "R20 in registers at the return: expected what it was at entry"),
        (Misaligned("STL", -38, 8, Loaded(START)), MISALIGNED.clause, "a in stack: expected a multiple of 8"),
        (
            Misaligned("STS", 0x4002, 4, Loaded(START), shared=True),
            MISALIGNED.clause,
            "a in shared memory: expected a multiple of 4, saw STS of 4 bytes at 0x4002",
        ),
    ],
)
def test_a_fault_is_a_deviation_whether_a_text_decides_or_not(
    function: Prototype, fault: Fault, clause: str, words: str
) -> None:
    (plan,) = OBSERVER.prepare((probe(function),)).plans
    caller = State(faults=[fault], calls=[State()])
    verdicts = OBSERVER.judge(plan, ObservedDeviceCall(TAKEN, State(), caller, declared=TAKEN))
    found = {one.kind: one for one in verdicts}[ProbeKind.CALLER]
    assert (found.verdict, found.clause) == (Judgement.DEVIATES, clause)
    assert words in found.detail
