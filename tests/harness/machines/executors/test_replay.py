"""Scripts in which operations kill or hang the program."""

from __future__ import annotations

import struct

import pytest
from elftools.elf.elffile import ELFFile

from abiprobe.harness.base.child import Exit
from abiprobe.harness.machines.executors import replay
from abiprobe.harness.machines.executors.find import absent, find
from abiprobe.harness.machines.executors.replay import DEATHS, Died, observe
from abiprobe.harness.machines.runtime.machine import MACHINES, RISCV64
from abiprobe.harness.machines.runtime.messages import encode_op
from abiprobe.harness.machines.runtime.script import Enter, Entered

STATE = RISCV64.state({})
RECORD = struct.pack("<6I4Q", 56 + len(STATE), 2, 0, 0, 0, 0, 0, 0, 0, 0) + STATE + bytes(4)
FINE, WRITES_NOWHERE, HANGS = 7, 5, 6


class Scripted:
    """An executor that answers by a function of how many operations are left, and of how many runs there were."""

    name, machine = "scripted", "riscv64"

    def __init__(self, answer):
        self.answer, self.runs = answer, 0

    def run(self, image, script, *, timeout, memory=None):
        self.runs += 1
        return self.answer(script.count(encode_op(Enter(index=0, enter=STATE), RISCV64)), self.runs)


def ended(records=0, *, returncode=0, signal=None, timed_out=False, tail=b"", stderr=b""):
    return Exit(
        returncode=returncode,
        signal=signal,
        timed_out=timed_out,
        truncated=False,
        stdout=RECORD * records + tail,
        stderr=stderr,
        cpu_seconds=0.0,
    )


def scripted(answer, count, tmp_path):
    executor = Scripted(answer)
    ops = [Enter(index=0, enter=STATE)] * count
    return observe(executor, tmp_path, ops, RISCV64, timeout=1), executor.runs


def kinds(answers):
    return "".join("D" if isinstance(answer, Died) else "." for answer in answers)


def test_all_is_well(tmp_path):
    answers, runs = scripted(lambda left, _: ended(left), 5, tmp_path)
    assert (kinds(answers), runs) == (".....", 1)


def test_no_operations(tmp_path):
    assert scripted(lambda left, _: ended(left), 0, tmp_path) == ([], 1)


@pytest.mark.parametrize(
    ("end", "why"),
    [
        ({"returncode": -11, "signal": "SIGSEGV"}, "SIGSEGV"),
        ({"returncode": 113, "stderr": b"noise\nat 0x1: stopped\n"}, "exit status 113: stopped"),
        ({"returncode": 0}, "exit status 0"),
        ({"returncode": -9, "signal": "SIGKILL", "tail": RECORD[:-1]}, "SIGKILL"),
    ],
)
def test_the_rest_goes_on_after_a_death(end, why, tmp_path):
    answers, runs = scripted(lambda left, run: ended(2, **end) if run == 1 else ended(left), 5, tmp_path)
    assert (kinds(answers), runs) == ("..D..", 2)
    assert answers[2] == Died(0, why)


def test_time_that_others_took_is_not_blamed_on_an_operation(tmp_path):
    answers, runs = scripted(lambda left, _: ended(min(left, 2), timed_out=left > 2), 6, tmp_path)
    assert (kinds(answers), runs) == ("......", 3)


def test_an_operation_that_takes_all_the_time_is_blamed(tmp_path):
    answers, _ = scripted(
        lambda left, run: ended(0, timed_out=True) if run == 1 else ended(left), 2, tmp_path
    )
    assert answers[0] == Died(0, "timed out")
    assert kinds(answers) == "D."


def test_a_script_in_which_everything_dies_ends(tmp_path):
    answers, runs = scripted(lambda _, __: ended(0, returncode=1), DEATHS + 100, tmp_path)
    assert (kinds(answers), runs) == ("D" * (DEATHS + 100), 1 + DEATHS)
    assert [answer.ran for answer in answers] == [True] * (DEATHS + 1) + [False] * 99


def test_a_script_in_which_everything_hangs_ends_sooner(tmp_path):
    answers, runs = scripted(lambda _, __: ended(0, timed_out=True), 100, tmp_path)
    assert runs == 1 + replay.HANGS
    assert sum(answer.ran for answer in answers) == 1 + replay.HANGS


def test_the_last_operation_dies(tmp_path):
    answers, runs = scripted(lambda left, _: ended(left - 1, returncode=1), 3, tmp_path)
    assert (kinds(answers), runs) == ("..D", 1)


def entering(machine, indices):
    return [Enter(index=index, enter=machine.state({}), inputs=bytes(8), out_bytes=1) for index in indices]


def test_dying_for_real(built_once):
    built, indices = built_once, [FINE, WRITES_NOWHERE, FINE]
    for executor in find(built.machine.name):
        answers = observe(
            executor, built.image, entering(built.machine, indices), built.machine, timeout=20, memory=8 << 30
        )
        assert kinds(answers) == ".D.", (executor, answers)
        assert [answer.index for answer in answers] == indices
        assert answers[1].why == "SIGSEGV"


class Counted:
    """An executor that counts how often it starts a program."""

    def __init__(self, executor):
        self.executor, self.name, self.machine, self.runs = executor, executor.name, executor.machine, 0

    def run(self, image, script, *, timeout, memory=None):
        self.runs += 1
        return self.executor.run(image, script, timeout=timeout, memory=memory)


def address_of(name, image):
    with image.open("rb") as file:
        (found,) = ELFFile(file).get_section_by_name(".symtab").get_symbol_by_name(name)
        return found["st_value"]


HEARD = sorted(machine.full_name for machine in MACHINES.values() if machine.signals)


@pytest.mark.parametrize("built_once", HEARD, indirect=True)
@pytest.mark.parametrize("damage", [False, True], ids=["unharmed", "harmed"])
def test_a_program_goes_on_after_a_signal_unless_it_is_damaged(built_once, damage):
    built = built_once
    qemu = next((each for each in find(built.machine.name) if each.name == "qemu-user"), None)
    if qemu is None:
        pytest.skip("qemu-user is not installed")
    executor, machine = Counted(qemu), built.machine
    asked = entering(machine, [FINE, WRITES_NOWHERE, FINE])
    if damage:
        # Nobody calls it, and it is code.
        address = address_of("memcmp", built.image).to_bytes(machine.pointer, machine.order)
        asked[0] = Enter(index=WRITES_NOWHERE, enter=machine.state({}), inputs=address, out_bytes=1)
    answers = observe(executor, built.image, asked, machine, timeout=20, memory=8 << 30)
    assert (kinds(answers), executor.runs) == (".D.", 1 + damage)
    assert answers[1].why == "SIGSEGV"


@pytest.mark.parametrize("built_once", ["x86_64", "aarch64"], indirect=True)
def test_hanging_for_real(built_once):
    built = built_once
    for executor in find(built.machine.name):
        operations = entering(built.machine, [FINE, HANGS, FINE])
        answers = observe(executor, built.image, operations, built.machine, timeout=1.5, memory=8 << 30)
        assert kinds(answers) == ".D.", (executor, answers)
        assert answers[1].why == "timed out"
        assert isinstance(answers[2], Entered)


@pytest.mark.parametrize("name", sorted({machine.name for machine in MACHINES.values()}))
def test_every_executor_is_there_or_says_why(name):
    there, missing = [each.name for each in find(name)], absent(name)
    known = ["wasmtime"] if name == "wasm32" else ["native", "qemu-user", "unicorn"]
    assert sorted([*there, *(each.name for each in missing)]) == known
    assert all(each.reason for each in missing)
