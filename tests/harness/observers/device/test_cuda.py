"""The executor `cuda`: images of real compilers and NVIDIA's tools, launched by a faux driver whose hardware follows the code."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import msgspec
import pytest

from abiprobe.harness.input import read
from abiprobe.harness.observers.attempt import Failed
from abiprobe.harness.observers.device import observer
from abiprobe.harness.observers.device.assembler.driver import MEMORY
from abiprobe.harness.observers.device.assembler.probes import END, OUT, RESULT, START
from abiprobe.harness.observers.device.cuda import beside, executor, partners, windows
from abiprobe.harness.observers.device.cuda.executor import Cuda
from abiprobe.harness.observers.device.cuda.judging import ran, ran_pair
from abiprobe.harness.observers.device.cuda.linking import ImageLinker, without_prototypes
from abiprobe.harness.observers.device.cuda.partners import Raw
from abiprobe.harness.observers.device.cuda.windows import fits
from abiprobe.harness.observers.device.device_calls import ObservedDeviceCall
from abiprobe.harness.observers.device.observer import DeviceObserver
from abiprobe.harness.observers.device.plan import DevicePlan
from abiprobe.harness.observers.observer import PredictionKey
from abiprobe.harness.runs import executor_versions
from abiprobe.harness.subjects.compile import Limits
from abiprobe.harness.subjects.cuda_tools import Tool
from abiprobe.harness.subjects.find import parse_subject
from abiprobe.oracles.language.lang import Prototype
from abiprobe.oracles.language.question import ProbeKind, probe
from abiprobe.oracles.registry import find_target
from abiprobe.oracles.text.place import StackSlot
from abiprobe.results.journal import journal
from abiprobe.results.verdicts.record import Judgement, Outcome, Verdict
from tests.harness.observers.device.faux_driver import ILLEGAL_ADDRESS, FauxDriver, Trap, faux_gpu
from tests.harness.observers.device.faux_hardware import Hardware, hardware

TARGET = find_target("nvptx64-cuda")
SOURCE = """
struct T { double d; char c[4]; };
struct T f(short a, struct T t, long c);
void g(unsigned char a);
struct B { long a[8]; };
struct B h(int a, struct B b, _Bool c);
double i(long a, long b, long c, long d, long e, long f, struct T g, char h);
int j(void);
"""
LEAVES_OUT = """
union U { struct { double r; unsigned s; } a; double b[2]; };
void f(union U a);
"""
MISALIGNED = """
struct P { short a; double b; } __attribute__((packed));
void f(long a, long b, long c, long d, long e, long g, struct P h);
"""
KERNEL = "struct T { double d; char c[4]; }; void k(char a, struct T t, short b);"
FIRST_LAUNCHES = 3
"""The process, counted from the one in which a driver is made and the one that says which device."""
CALLS = (ProbeKind.CALLER, ProbeKind.CALLEE, ProbeKind.RESULT)


def functions(source: str, *, kernel: bool = False) -> tuple[Prototype, ...]:
    found = read(source, filename="f.h", triple="nvptx64-nvidia-cuda").functions
    return tuple(msgspec.structs.replace(one, kernel=kernel) for one in found)


class Bench:
    """An observer with a faux GPU, which compilers are put to."""

    def __init__(self, library: FauxDriver, folder: Path) -> None:
        self.library, self.folder = library, folder
        self.observer = DeviceObserver(PredictionKey(TARGET))
        found = Cuda.found(faux_gpu(library))
        assert isinstance(found, Cuda)
        self.cuda = found

    def observed(
        self, subject: str, asked: Sequence[Prototype]
    ) -> tuple[observer.DeviceAttempt, list[tuple[DevicePlan, ObservedDeviceCall | Failed]]]:
        folder = self.folder / subject
        folder.mkdir(exist_ok=True)
        plans = self.observer.prepare([probe(one) for one in asked]).plans
        attempt = self.observer.begin(parse_subject(subject), "O1", folder, Limits())
        return attempt, list(self.observer.observe(attempt, plans))

    def verdicts(self, subject: str, asked: Sequence[Prototype]) -> list[Verdict]:
        _, seen = self.observed(subject, asked)
        return [verdict for plan, one in seen for verdict in self.observer.judge(plan, one)]


@pytest.fixture
def on(
    ptxas: Tool, nvlink: Tool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[..., Bench]]:
    """Makes a bench of hardware that code for an architecture runs on."""
    benches: list[Bench] = []

    def make(own: Hardware = hardware, arch: tuple[int, int] = (7, 5)) -> Bench:
        for name in ("clang-14", "clang-19"):
            if shutil.which(name) is None:
                pytest.skip(f"{name} is not installed")
        bench = Bench(FauxDriver(own, arch=arch), tmp_path)
        monkeypatch.setattr(executor, "find", lambda: bench.cuda)
        benches.append(bench)
        return bench

    yield make
    for bench in benches:
        assert bench.library.faults == []
        # A process that ends leaves what it has.
        assert bench.library.fail or bench.library.left == []


def changed(what: Callable[[bytearray], None]) -> Hardware:
    """Hardware that changes shared memory once more, behind the code."""

    def run(device: FauxDriver, block: bytes, image: bytes) -> None:
        hardware(device, block, image)
        memory = device.variable(MEMORY)
        window = bytearray(device.read(memory, END))
        what(window)
        device.write(memory, bytes(window))

    return run


@pytest.mark.parametrize("arch", [(7, 5), (9, 0)])
def test_each_side_of_a_call_is_run_by_itself(on: Callable[..., Bench], arch: tuple[int, int]) -> None:
    bench = on(arch=arch)
    _, seen = bench.observed("clang-19", functions(SOURCE))
    assert len(seen) == 5
    for plan, one in seen:
        assert isinstance(one, ObservedDeviceCall)
        assert one.ran.arch == f"sm_{arch[0]}{arch[1]}"
        verdicts = {kind: ran(plan, one.ran, kind) for kind in bench.observer.kinds(plan) if kind in CALLS}
        assert {kind: own and own.verdict for kind, own in verdicts.items()} == dict.fromkeys(
            verdicts, Judgement.AGREES
        )
        assert all(
            verdict.verdict is Judgement.AGREES and not verdict.detail
            for verdict in bench.observer.judge(plan, one)
        )


def test_what_is_run_is_remembered_and_judged_again(on: Callable[..., Bench]) -> None:
    bench = on(changed(lambda window: window.__setitem__(START + OUT, window[START + OUT] ^ 1)))
    _, seen = bench.observed("clang-19", functions(SOURCE))
    for plan, one in seen:
        assert isinstance(one, ObservedDeviceCall)
        kept = msgspec.json.decode(msgspec.json.encode(bench.observer.record(plan, one)))
        again = bench.observer.replay(plan, kept, bench.observer.fingerprint(plan))
        assert bench.observer.judge(plan, again) == bench.observer.judge(plan, one)


def test_a_byte_that_is_elsewhere_deviates_and_is_told_with_its_clause(on: Callable[..., Bench]) -> None:
    bench = on(changed(lambda window: window.__setitem__(START + OUT, window[START + OUT] ^ 1)))
    found = {one.kind: one for one in bench.verdicts("clang-19", functions("void g(int a, int b);"))}
    assert found[ProbeKind.PARAM].verdict is Judgement.AGREES
    for kind, side in ((ProbeKind.CALLER, "caller"), (ProbeKind.CALLEE, "callee")):
        own = found[kind]
        assert (own.verdict, own.clause) == (Judgement.DEVIATES, "ptx_sass:place.register")
        assert own.detail.startswith(f"{side}: a[0] in R4")
        # The code that ran is read as agreeing, too.
        assert own.detail.endswith(f"(read as right; {beside.OURS})")


def test_a_byte_that_nobody_stores_does_not_arrive(on: Callable[..., Bench]) -> None:
    """What is loaded stands elsewhere than what is stored, so that it does not pass for it."""

    def nothing(_device: FauxDriver, _block: bytes, _image: bytes) -> None:
        pass

    found = on(nothing).verdicts("clang-19", functions(SOURCE))
    told = {one.kind: one.verdict for one in found if one.kind in CALLS}
    assert told == dict.fromkeys(CALLS, Judgement.DEVIATES)


def test_code_that_does_not_end_on_a_gpu_is_not_observed(on: Callable[..., Bench]) -> None:
    bench = on()
    _, [(plan, one)] = bench.observed("clang-19", functions("int g(int a);"))
    assert isinstance(one, ObservedDeviceCall)
    assert one.ran.caller is not None
    caller = msgspec.structs.replace(one.ran.caller, outcome=Outcome.TIMED_OUT, words="SIGALRM", turns=())
    late = msgspec.structs.replace(one, ran=msgspec.structs.replace(one.ran, caller=caller))
    found = {each.kind: each for each in bench.observer.judge(plan, late)}
    for kind in (ProbeKind.CALLER, ProbeKind.RESULT):
        assert (found[kind].verdict, found[kind].outcome) == (Judgement.UNOBSERVED, Outcome.TIMED_OUT)
        assert found[kind].detail == "a launch does not end: SIGALRM"
    assert found[ProbeKind.CALLEE].verdict is Judgement.AGREES


def test_a_narrow_argument_is_extended(on: Callable[..., Bench]) -> None:
    bench = on(changed(lambda window: window.__setitem__(START + OUT + 3, 0x55)))
    found = {one.kind: one for one in bench.verdicts("clang-19", functions("void g(unsigned char a);"))}
    own = found[ProbeKind.CALLER]
    assert (own.verdict, own.differences[0].above) == (Judgement.DEVIATES, True)
    assert found[ProbeKind.CALLEE].verdict is Judgement.AGREES


def test_reading_and_running_find_what_a_compiler_leaves_out(on: Callable[..., Bench]) -> None:
    found = {one.kind: one for one in on().verdicts("clang-19", functions(LEAVES_OUT))}
    own = found[ProbeKind.CALLER]
    assert (own.verdict, own.outcome) == (Judgement.DEVIATES, Outcome.OBSERVED)
    assert "GPU" not in own.detail


def test_a_misaligned_store_traps_and_costs_itself(on: Callable[..., Bench]) -> None:
    bench = on()
    asked = (*functions(MISALIGNED), *functions(SOURCE))
    _, seen = bench.observed("clang-14", asked)
    (plan, one), *others = seen
    assert isinstance(one, ObservedDeviceCall)
    assert one.ran.caller is not None
    assert one.ran.caller.outcome is Outcome.DIED
    died = ran(plan, one.ran, ProbeKind.CALLER)
    assert died is not None
    assert (died.verdict, died.outcome, died.clause) == (
        Judgement.DEVIATES,
        Outcome.DIED,
        "ptx:access.aligned",
    )
    # What is read tells the argument, too.
    read = {verdict.kind: verdict for verdict in bench.observer.judge(plan, one)}[ProbeKind.CALLER]
    assert (read.outcome, read.clause) == (Outcome.OBSERVED, died.clause)
    for other, own in others:
        assert isinstance(own, ObservedDeviceCall)
        assert own.ran.callee is not None
        assert own.ran.callee.outcome is Outcome.OBSERVED, other.prototype
    # The driver's first, one that says which device, one up to the trap, and one behind it in each turn.
    assert bench.library.processes == 1 + 1 + 1 + 2


@pytest.mark.parametrize("fail", [{"cuInit": 999}, {"cuModuleGetFunction": 500}, {"cuLaunchKernel": 1}])
def test_what_was_not_run_is_read(on: Callable[..., Bench], fail: dict[str, int]) -> None:
    bench = on()
    bench.library.fail |= fail
    verdicts = bench.verdicts("clang-19", functions(SOURCE))
    assert {one.verdict for one in verdicts} == {Judgement.AGREES}
    assert not any(one.detail for one in verdicts)


def test_pairs_are_run(on: Callable[..., Bench]) -> None:
    bench = on()
    attempts = [bench.observed(name, functions(SOURCE))[0] for name in ("clang-14", "clang-19")]
    pairs = list(bench.observer.pair(*attempts))
    assert len(pairs) == 5
    for plan, arrived in pairs:
        assert not isinstance(arrived, Failed)
        own = ran_pair(plan, arrived.ran)
        assert own is not None
        assert own.verdict is Judgement.AGREES, own.detail
        assert bench.observer.judge_pair(plan, arrived).verdict is Judgement.AGREES
        kept = msgspec.json.decode(msgspec.json.encode(bench.observer.record_pair(arrived)))
        again = bench.observer.replay_pair(plan, kept, bench.observer.fingerprint(plan))
        assert bench.observer.judge_pair(plan, again) == bench.observer.judge_pair(plan, arrived)


def test_a_pair_that_loses_a_byte_deviates(on: Callable[..., Bench]) -> None:
    bench = on(changed(lambda window: window.__setitem__(RESULT + OUT, window[RESULT + OUT] ^ 1)))
    asked = functions("int f(int a);")
    attempts = [bench.observed(name, asked)[0] for name in ("clang-14", "clang-19")]
    ((plan, arrived),) = bench.observer.pair(*attempts)
    own = bench.observer.judge_pair(plan, arrived)
    assert (own.verdict, own.kind) == (Judgement.DEVIATES, ProbeKind.PAIR)
    assert "result[0]" in own.detail
    assert beside.OURS in own.detail


def test_pairs_that_are_declared_less_aligned_are_latent(on: Callable[..., Bench]) -> None:
    """A GPU that runs them shows nothing, and nobody is at fault."""
    bench = on()
    asked = functions("struct S { char a[64]; } __attribute__((aligned(16))); struct S f(void);")
    attempts = [bench.observed(name, asked)[0] for name in ("clang-14", "clang-19")]
    for order in (attempts, attempts[::-1]):
        for plan, arrived in bench.observer.pair(*order):
            assert "GPU" not in bench.observer.judge_pair(plan, arrived).detail


def test_kernels_are_launched_by_block_and_value_by_value(on: Callable[..., Bench]) -> None:
    bench = on()
    _, ((plan, one),) = bench.observed("clang-19", functions(KERNEL, kernel=True))
    assert isinstance(one, ObservedDeviceCall)
    assert one.ran.block is not None
    assert one.ran.values is not None
    assert {one.ran.block.outcome, one.ran.values.outcome} == {Outcome.OBSERVED}
    own = ran(plan, one.ran, ProbeKind.PARAM)
    assert own is not None
    assert own.verdict is Judgement.AGREES
    assert [len(one.ran.block.given[0]), len(one.ran.values.given[0])] == [1, 3]


@pytest.mark.parametrize("byte", [0, 8, 24])
def test_a_parameter_that_a_kernel_finds_elsewhere_deviates(on: Callable[..., Bench], byte: int) -> None:
    bench = on(changed(lambda window: window.__setitem__(START + OUT + byte, window[START + OUT + byte] ^ 1)))
    found = bench.verdicts("clang-19", functions(KERNEL, kernel=True))
    assert [one.verdict for one in found] == [Judgement.DEVIATES]
    assert found[0].differences[0].what == {0: "a[0]", 8: "t[0]", 24: "b[0]"}[byte]


def test_a_driver_that_packs_values_otherwise_is_told(on: Callable[..., Bench]) -> None:
    def run(device: FauxDriver, block: bytes, image: bytes) -> None:
        hardware(device, block if launches.pop() else bytes(len(block)), image)

    # Two turns by block come first.
    launches = [False, False, True, True]
    _, ((plan, one),) = (bench := on(run)).observed("clang-19", functions(KERNEL, kernel=True))
    (own,) = bench.observer.judge(plan, one)
    assert own.verdict is Judgement.DEVIATES


def test_a_raw_partner_has_each_register_and_the_stack() -> None:
    raw = Raw(24, 48, in_memory=False)
    assert raw.slot(StackSlot(24)) is None
    assert raw.slot(StackSlot(8)) == START + 12 * 8 + 8
    assert raw.size == 12 * 8 + 24
    hidden = Raw(0, 100, in_memory=True)
    assert hidden.registers == 11
    assert str(hidden.signature(16)).endswith("-> .align 16 .b8[100]")
    assert str(Raw(0, -1, in_memory=False).signature(16)) == f"({', '.join(['.b32'] * 12)})"


@pytest.mark.parametrize(
    ("source", "room"),
    [
        ("struct S { char a[14000]; }; void f(struct S a);", True),
        ("struct S { char a[14400]; }; void f(struct S a);", False),
        ("struct S { char a[5120]; }; struct S f(void);", True),
        ("struct S { char a[5124]; }; struct S f(void);", False),
    ],
)
def test_values_have_room_beside_their_copies(source: str, *, room: bool) -> None:
    (plan,) = DeviceObserver(PredictionKey(TARGET)).prepare([probe(one) for one in functions(source)]).plans
    assert fits(plan) is room


def test_what_has_no_room_is_read(on: Callable[..., Bench], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(windows, "fits", lambda _: False)
    bench = on()
    _, ((plan, one),) = bench.observed("clang-19", functions("void g(int a);"))
    assert isinstance(one, ObservedDeviceCall)
    assert one.ran.caller is None
    assert {own.verdict for own in bench.observer.judge(plan, one)} == {Judgement.AGREES}


def test_only_what_is_linked_raw_has_no_prototypes(on: Callable[..., Bench], tmp_path: Path) -> None:
    bench = on()
    attempt, ((plan, one),) = bench.observed("clang-19", functions("int f(int a);"))
    assert isinstance(one, ObservedDeviceCall)
    assert one.callee_part is not None
    linker = ImageLinker(bench.cuda.linker, bench.cuda.assembler, attempt)

    def partner(some: Sequence[int]) -> str:
        raw = Raw.of(plan.assignment)
        return partners.module("sm_75", (partners.raw_caller(number, raw) for number in some))

    ((_, refused),) = linker.images([0], [one.callee_part], partner, raw=False)
    assert isinstance(refused, Failed)
    assert "Prototype doesn't match" in refused.words
    ((_, taken),) = linker.images([0], [one.callee_part], partner, raw=True)
    assert isinstance(taken, bytes)
    assert without_prototypes(one.callee_part.data) != one.callee_part.data


AGREES = Verdict("p", ProbeKind.CALLER, Judgement.AGREES)
LOST = Verdict("p", ProbeKind.CALLER, Judgement.DEVIATES, detail="lost")
UNREAD = Verdict("p", ProbeKind.CALLER, Judgement.UNOBSERVED, Outcome.UNDECODED)
ENDLESS = Verdict(
    "p", ProbeKind.CALLER, Judgement.UNOBSERVED, Outcome.TIMED_OUT, detail="a launch does not end"
)


@pytest.mark.parametrize(
    ("read", "run", "again", "verdict", "words"),
    [
        (AGREES, None, AGREES, Judgement.AGREES, ""),
        (AGREES, AGREES, AGREES, Judgement.AGREES, ""),
        (LOST, LOST, LOST, Judgement.DEVIATES, "lost"),
        (UNREAD, AGREES, UNREAD, Judgement.AGREES, ""),
        (AGREES, ENDLESS, AGREES, Judgement.UNOBSERVED, "a launch does not end"),
        (LOST, ENDLESS, LOST, Judgement.DEVIATES, "lost"),
        (UNREAD, LOST, UNREAD, Judgement.DEVIATES, "lost"),
        (AGREES, LOST, AGREES, Judgement.DEVIATES, f"lost; read as right; {beside.OURS}"),
        (AGREES, LOST, UNREAD, Judgement.DEVIATES, f"lost; read as right; {beside.UNKNOWN}"),
        (
            AGREES,
            LOST,
            LOST,
            Judgement.DEVIATES,
            "lost; read as right; ptxas makes other code for sm_90 than what is read",
        ),
        (LOST, AGREES, LOST, Judgement.DEVIATES, f"lost; arrives on a GPU; {beside.OURS}"),
        (
            LOST,
            AGREES,
            AGREES,
            Judgement.DEVIATES,
            "lost; arrives on a GPU; ptxas makes other code for sm_90 than what is read",
        ),
    ],
)
def test_where_reading_and_running_differ_it_is_said_whose_fault_it_is(
    read: Verdict, run: Verdict | None, again: Verdict, verdict: Judgement, words: str
) -> None:
    found = beside.beside(read, run, lambda: again, "sm_90")
    assert (found.verdict, found.detail) == (verdict, words)


def test_a_gpu_is_named_and_decides_whether_answers_are_remembered(on: Callable[..., Bench]) -> None:
    bench = on()
    assert "cuda (faux, sm_75, driver 13.0)" in DeviceObserver.capabilities(TARGET).executors
    assert not any(one.what == "a GPU" for one in DeviceObserver.capabilities(TARGET).advice)
    assert executor_versions.tools([TARGET]) == (
        journal.Tool("nvptx64-cuda", "cuda", "faux, sm_75, driver 13.0"),
    )
    with_gpu = list(bench.observer.tools(parse_subject("clang-19"), "O1"))
    assert with_gpu[-1].digest == "cuda (faux, sm_75, driver 13.0)"


def test_without_a_gpu_there_is_one_line_of_advice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executor, "find", lambda: "no CUDA driver library")
    found = DeviceObserver.capabilities(TARGET)
    assert [one.what for one in found.advice].count("a GPU") == 1
    assert not any(one.startswith("cuda") for one in found.executors)
    assert executor_versions.tools([TARGET]) == ()


def test_a_trap_in_one_launch_leaves_the_other_turn(on: Callable[..., Bench]) -> None:
    def run(device: FauxDriver, block: bytes, image: bytes) -> None:
        if device.processes == FIRST_LAUNCHES:
            raise Trap(ILLEGAL_ADDRESS)
        hardware(device, block, image)

    bench = on(run)
    _, ((plan, one),) = bench.observed("clang-19", functions("void g(int a);"))
    assert isinstance(one, ObservedDeviceCall)
    died, other = ran(plan, one.ran, ProbeKind.CALLER), ran(plan, one.ran, ProbeKind.CALLEE)
    assert died is not None
    assert other is not None
    assert (died.outcome, died.clause) == (Outcome.DIED, "ptx_sass:place.register")
    assert "700" in died.detail
    assert other.verdict is Judgement.AGREES
