"""Functions stepped under Unicorn, and every instruction's row held against what is known since their entry.

The caller's frame is known: the stack pointer at the call site, the return address, and the contents of the registers that a
function preserves. Functions of another unit are a return instruction, at which everything that they may change is changed.
"""

from __future__ import annotations

import importlib
import math
import random
from bisect import bisect_right
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, ParamSpec

import msgspec

from abiprobe.harness.unwind.exidx import EXIDX, Index
from abiprobe.harness.unwind.instructions import Disassembler
from abiprobe.harness.unwind.machines import Stepped
from abiprobe.harness.unwind.routines import placed_routines
from abiprobe.harness.unwind.spelling import Spelling
from abiprobe.harness.unwind.state import STACK, STACK_BYTES, LostError, State
from abiprobe.harness.unwind.tables import Table
from abiprobe.harness.unwind.wrong import CFA_NAME, RETURN_NAME, ROW_NAME, SIGN_NAME, Wrong
from abiprobe.oracles.text.place import Register
from abiprobe.oracles.unwinding import ehabi
from abiprobe.oracles.unwinding.rules import (
    CLAUSES,
    Clauses,
    Row,
    Rule,
    SameValue,
    UndefinedError,
    UnknownOperationError,
    canonical_frame,
    recovered,
)

P = ParamSpec("P")
TURNS = (0, 1, 2, 5, 11)
"""The values of `n`, by which paths are chosen."""
MOST = 20_000
"""Instructions after which a function is stopped."""
ABOVE = 0x1000
"""Bytes of the stack above the first frame."""
CODE = 0x1200_0000
"""Where the code lies: above where lld begins programs of any machine."""
STUBS, STUB_BYTES = CODE - 0x1_0000, 16
"""Where the functions of another unit lie, and the bytes of each."""
HOME = STUBS + 0xF00
"""Where functions return to."""
ROUTINES = STUBS + 0x1000
"""Where the routines lie that save and restore registers."""


class Stepping(msgspec.Struct):
    """The results of stepping: the bytes of each instruction that ran, and wrong rows, each once; `ended` has why runs stopped early.

    Wrong rows are known by their instruction, the table that they are in, and what they are wrong about.
    """

    steps: int = 0
    facts: int = 0
    lengths: dict[int, int] = msgspec.field(default_factory=dict)
    wrong: dict[tuple[int, str, str], Wrong] = msgspec.field(default_factory=dict)
    ended: list[str] = msgspec.field(default_factory=list)


class Frame(msgspec.Struct):
    """A frame as it is known since the entry of its function; `saved` are registers by their DWARF numbers.

    `signed` says that the return address is signed now.
    """

    cfa: int
    return_address: int
    saved: Mapping[int, int]
    signed: bool = False


class Checked(msgspec.Struct, frozen=True):
    """The row of an instruction, ready to be compared: the registers that it says are unchanged, to be read at once, and all other rules.

    It is a row of the table that is called so; `why` says why there is none. `signs` says that the instruction signs the return address, or that it makes it plain again; `None` for one that does neither.
    """

    row: Row | None
    unchanged: tuple[int, ...]
    identities: tuple[int, ...]
    rules: tuple[tuple[int, Rule], ...]
    signs: bool | None
    table: str = ""
    why: str = "the table has none"


class Stepper:
    """A linked unit in an emulator."""

    def __init__(
        self,
        image: Path,
        table: Table,
        index: Index | None,
        about: Stepped,
        functions: Mapping[str, tuple[int, int]],
    ) -> None:
        """Load a program; `functions` has the address and size of each, `index` the rows of call sites where a machine has such."""
        from abiprobe.harness.machines.executors.unicorn_child import emulator, load

        self.unicorn: Any = importlib.import_module("unicorn")
        self.table, self.index, self.about, self.result = table, index, about, Stepping()
        unwinding = about.unwinding
        cfa, unsaved = unwinding.cfa or CLAUSES.cfa, unwinding.default or CLAUSES.unsaved
        self.clauses: Mapping[str, Clauses] = {
            "": msgspec.structs.replace(CLAUSES, cfa=cfa, unsaved=unsaved),
            EXIDX: ehabi.CLAUSES,
        }
        self.uc: Any = emulator(about.core)
        _, _, code = load(self.uc, image.read_bytes())
        self.uc.mem_map(STUBS, CODE - STUBS)
        for at in range(STUBS, HOME, STUB_BYTES):
            self.uc.mem_write(at, about.returns)
        self.uc.mem_write(ROUTINES, placed_routines(about.machine.name, ROUTINES)[1])
        self.state = State(self.uc, about)
        self.random = random.Random(0)  # noqa: S311 - test data, not secrets
        self.functions = functions
        self.starts = sorted((start, size, name) for name, (start, size) in functions.items())
        self.entries = {entry.start for entry in table.entries}
        self.disassembler, self.spelled = Disassembler(about.machine.name), Spelling(about.names)
        self.masks = {number: (1 << size * 8) - 1 for number, size in about.preserved.items()}
        self.checks: dict[int, Checked] = {}
        self.call_sites: dict[int, Checked] = {}
        self.frames: list[Frame] = []
        self.last = self.next = self.stop = self.argument = 0
        self.failure: Exception | None = None
        for start, contents in code:
            self.uc.hook_add(
                self.unicorn.UC_HOOK_CODE, self.on_instruction, None, start, start + len(contents) - 1
            )
        self.uc.hook_add(self.unicorn.UC_HOOK_CODE, self.on_call, None, STUBS, HOME - 1)

    def noise(self, name: str) -> int:
        """A number for a register that is no address."""
        bits = self.about.bits
        if name in self.about.wide:
            return self.random.getrandbits(64)
        return self.random.getrandbits(bits) | 1 << (bits - 2)

    def run(self, name: str, stop: int) -> None:
        """Step a function with each argument; `stop` is the address of the function that does not return."""
        self.stop = stop
        for self.argument in TURNS:
            start = self.functions[name][0]
            self.enter(start, self.argument)
            try:
                self.uc.emu_start(start, HOME, count=MOST)
            except self.unicorn.UcError as error:
                self.result.ended.append(f"{name}({self.argument}): {error}")
            else:
                if self.failure is not None:
                    raise self.failure
                if self.uc.reg_read(self.about.core.pc) not in {HOME, stop}:
                    self.result.ended.append(f"{name}({self.argument}): more than {MOST} instructions")

    def enter(self, start: int, n: int) -> None:
        """Make the state at the entry of the function at an address with the argument `n`."""
        about, write = self.about, self.write
        for name in about.identities:
            write(name, self.noise(name))
        call_site = STACK + STACK_BYTES - ABOVE
        top = call_site
        self.uc.mem_write(STACK, self.random.randbytes(64) * (STACK_BYTES // 64))
        if about.unwinding.link:
            write(about.unwinding.link, HOME)
        else:
            top -= about.machine.pointer
            self.uc.mem_write(top, HOME.to_bytes(about.machine.pointer, about.machine.order))
        write(about.machine.sp, top)
        if about.unwinding.entry:
            write(about.unwinding.entry, start)
        place = about.argument
        if isinstance(place, Register):
            write(place.name, n)
        else:
            self.uc.mem_write(top + place.offset, n.to_bytes(about.machine.pointer, about.machine.order))
        self.frames = [self.frame(call_site, HOME)]
        self.last = self.next = 0

    def write(self, name: str, value: int) -> None:
        """Write a register."""
        self.uc.reg_write(self.about.identities[name], value)

    def frame(self, call_site: int, return_address: int) -> Frame:
        """The frame of a function that is entered now."""
        read = self.uc.reg_read
        saved = {
            number: read(self.about.identities[self.about.names[number]]) for number in self.about.preserved
        }
        return Frame(call_site + self.about.unwinding.above, return_address, saved)

    def on_call(self, _uc: Any, address: int, _size: int, _data: Any) -> None:
        """Change what a function of another unit may change, or end where it does not return."""
        if self.index is not None and self.returns()[0] == self.next:
            self.check_call_site()
        if address == self.stop:
            self.uc.emu_stop()
            return
        for name in self.about.changed:
            self.write(name, self.noise(name))

    def on_instruction(self, _uc: Any, address: int, size: int, _data: Any) -> None:
        """Compare the row of an instruction, before it runs."""
        try:
            self.check(address, size)
        except Exception as error:  # noqa: BLE001 - Unicorn would swallow it
            self.failure = error
            self.uc.emu_stop()

    def check(self, address: int, size: int) -> None:
        """Compare every fact of an instruction."""
        checked = self.checks.get(address) or self.prepared(address)
        self.read(checked)
        if address != self.next:
            self.follow(address)
        result, frame = self.result, self.frames[-1]
        result.steps += 1
        result.lengths[address] = size
        self.compare(address, size, checked, frame)
        if checked.signs is not None:
            frame.signed = checked.signs
        self.last, self.next = address, address + size

    def read(self, checked: Checked) -> None:
        """Read the registers that a row says are unchanged."""
        read = self.uc.reg_read_batch(checked.identities) if checked.identities else ()
        self.state.values = dict(zip(checked.unchanged, read, strict=True))

    def follow(self, address: int) -> None:
        """Follow a jump: a call of a function of the same unit begins a frame, and a return ends one."""
        if len(self.frames) > 1 and address == self.frames[-1].return_address:
            self.frames.pop()
        elif address in self.entries and self.last:
            returns, sp = self.returns()
            if returns == self.next:
                if self.index is not None:
                    self.check_call_site()
                self.frames.append(self.frame(sp, returns))

    def returns(self) -> tuple[int, int]:
        """The address to which a function returns that is entered now, and the stack pointer behind it."""
        about = self.about
        sp = self.uc.reg_read(about.identities[about.machine.sp])
        if about.unwinding.link:
            return self.uc.reg_read(about.identities[about.unwinding.link]), sp
        return self.state.word(sp), sp + about.machine.pointer

    def check_call_site(self) -> None:
        """Compare what the index says of the call that was made last, before the called function does anything."""
        at = self.last
        checked = self.call_sites.get(at) or self.prepared_call_site(at)
        self.read(checked)
        self.compare(at, self.next - at, checked, self.frames[-1])

    def compare(self, address: int, size: int, checked: Checked, frame: Frame) -> None:
        """Compare CFA, return address and registers, these from the CFA as it is, so that no fact is told by another one."""
        state, bits, row = self.state, self.about.bits, checked.row
        clauses, note = self.clauses[checked.table], partial(self.note, address, size, checked.table)
        self.result.facts += 1 + len(checked.unchanged) + len(checked.rules)
        if row is None:
            note(ROW_NAME, "", clauses.row, None, None, checked.why)
            return
        rules = checked.rules
        if not state.values.items() <= frame.saved.items():
            rules = (*rules, *((number, SameValue()) for number in checked.unchanged))
        cfa, why, lost = self.attempt(canonical_frame, row.cfa, state, bits)
        if cfa != frame.cfa:
            note(CFA_NAME, self.spelled.cfa(row.cfa), lost or clauses.cfa, frame.cfa, cfa, why)
        if row.signed != frame.signed:
            said = "signed" if row.signed else "not signed"
            clause = self.about.unwinding.sign
            note(SIGN_NAME, said, clause, int(frame.signed), int(row.signed))
        for number, rule in rules:
            is_return = number == row.return_column
            expected = frame.return_address if is_return else frame.saved[number]
            found, why, lost = self.attempt(recovered, rule, number, frame.cfa, state, bits)
            different = found is None or (found ^ expected) & self.masks.get(number, ~0)
            if different:
                what = RETURN_NAME if is_return else self.about.names[number]
                clause = lost or clauses.of(self.rule(row, number), is_return=is_return)
                note(what, self.spelled.rule(rule), clause, expected, found, why)

    def rules(self, row: Row) -> tuple[tuple[int, Rule], ...]:
        """The rules of a row: first that of the return address, then those of the preserved registers."""
        columns = dict.fromkeys((row.return_column, *self.about.preserved))
        return tuple((number, self.rule(row, number) or SameValue()) for number in columns)

    def rule(self, row: Row, number: int) -> Rule | None:
        """The rule that a row has for a register, by its number or an older one."""
        older = self.about.unwinding.older.get(number, number)
        return row.registers.get(number) or row.registers.get(older)

    def attempt(
        self, compute: Callable[P, int], *about: P.args, **more: P.kwargs
    ) -> tuple[int | None, str, str]:
        """Return the value of a rule, or none, the reason, and the clause by which it is lost."""
        try:
            return compute(*about, **more), "", ""
        except LostError as error:
            return None, str(error), self.about.unwinding.below
        except UndefinedError as error:
            return None, str(error), ""
        except UnknownOperationError as error:
            return None, f"{error} is not known in call frame information", ""

    def note(
        self,
        address: int,
        size: int,
        table: str,
        what: str,
        rule: str,
        clause: str,
        expected: int | None,
        found: int | None,
        why: str = "",
    ) -> None:
        """Note what is wrong at an instruction, the first time that it is."""
        if (address, table, what) in self.result.wrong:
            return
        start, _, name = self.starts[bisect_right(self.starts, (address, math.inf)) - 1]
        before = self.result.wrong.get((self.last, table, what))
        self.result.wrong[address, table, what] = Wrong(
            function=name,
            n=self.argument,
            at=address - start,
            instruction=self.text(address, size),
            behind=self.text(self.last, self.next - self.last) if self.last else "",
            what=what,
            rule=f"{table} {rule}".strip(),
            clause=clause,
            expected=expected,
            found=found,
            why=why,
            sequel=before is not None and is_sequel(before, rule, expected, found),
        )

    def text(self, address: int, size: int) -> str:
        """The instruction at an address, disassembled."""
        return self.disassembler.text(bytes(self.uc.mem_read(address, size)), address)

    def prepared(self, address: int) -> Checked:
        """The row of an instruction with what is to be read for it."""
        signs = self.about.signs.get(bytes(self.uc.mem_read(address, 4))) if self.about.signs else None
        found = self.checks[address] = self.checked(self.table.row(address), signs)
        return found

    def prepared_call_site(self, address: int) -> Checked:
        """The row of a call in the index."""
        assert self.index is not None, "it is asked where there is one"
        entry = self.index.entry(address)
        checked = msgspec.structs.replace(self.checked(entry.row), table=EXIDX, why=entry.why)
        self.call_sites[address] = checked
        return checked

    def checked(self, row: Row | None, signs: bool | None = None) -> Checked:  # noqa: FBT001 - a fact of the instruction
        """A row with what is to be read for it."""
        rules = () if row is None else self.rules(row)
        unchanged = tuple(number for number, rule in rules[1:] if rule == SameValue())
        others = tuple(one for one in rules if one[0] not in unchanged)
        identities = tuple(self.about.identities[self.about.names[number]] for number in unchanged)
        return Checked(row, unchanged, identities, others, signs)


def is_sequel(before: Wrong, rule: str, expected: int | None, found: int | None) -> bool:
    """Return whether a wrong row follows from that of the instruction before: by the same rule, or wrong by as many bytes."""
    if before.expected is None or before.found is None or expected is None or found is None:
        return before.rule == rule
    return before.rule == rule or before.expected - before.found == expected - found
