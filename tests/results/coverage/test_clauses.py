"""Which clauses decided a compared byte, and why others did not."""

from __future__ import annotations

from abiprobe.harness.input import read
from abiprobe.oracles import registry  # noqa: F401 - loads every clause sheet
from abiprobe.oracles.language.question import ProbeKind, Sort
from abiprobe.oracles.registry import find_model, find_target
from abiprobe.oracles.text.clause import sheets
from abiprobe.oracles.text.place import Assignment, Layout
from abiprobe.results.coverage.clauses import Status, coverage, reasons, through
from abiprobe.results.coverage.decided import cited_clauses, of_call, of_layout
from abiprobe.results.journal.journal import BatchDone, BatchKey
from abiprobe.results.verdicts.record import Judgement, Verdict

TARGET = "riscv64-lp64d"
DECLARED = read(
    """
    struct Mixed { float f; int i; };
    struct Empty {};
    unsigned short mixed(struct Mixed a, struct Empty b);
    int wordy(int n, ...);
    static void calls(void) { wordy(1, 2.0); }
    """,
    filename="calls.h",
    triple="riscv64-linux-gnu",
)


def clauses(name: str, kind: ProbeKind) -> set[str]:
    (function,) = (one for one in DECLARED.functions if one.name == name)
    answer = find_model(TARGET).assign(function)
    assert isinstance(answer, Assignment)
    found = of_call(answer, len(function.params), find_target(TARGET).registers, kind)
    return {one.removeprefix("riscv:") for one in found}


def test_each_kind_of_probe_has_its_clauses() -> None:
    assert clauses("mixed", ProbeKind.RESULT) == {"int.scalar", "int.extend"}
    caller = clauses("mixed", ProbeKind.CALLER)
    assert caller == {"fp.real-and-integer", "fp.nan-box", "int.stack-alignment"}
    assert "int.empty" not in caller, "nothing travels, so nothing is compared"
    assert clauses("wordy", ProbeKind.VARIADIC) == {"int.real"}
    assert clauses("mixed", ProbeKind.PRESERVATION) == {
        "int.preserved",
        "fp.preserved",
        "int.stack-persistence",
    }


def test_a_layout_has_the_clauses_of_its_members() -> None:
    layout = find_model(TARGET).layout(DECLARED.records[0])
    assert isinstance(layout, Layout)
    assert of_layout(layout) == {"riscv:type.record"}


def test_a_prediction_of_any_shape_is_looked_through() -> None:
    layout = find_model(TARGET).layout(DECLARED.records[0])
    assert set(cited_clauses((layout, {"a": [layout]}))) == {"riscv:type.record"}


def batch(clauses: dict[str, int], *verdicts: Verdict) -> BatchDone:
    return BatchDone(
        BatchKey(TARGET, "cc", "O0", Sort.PROTOTYPES, 0), 1, verdicts, compared=tuple(clauses.items())
    )


def test_every_clause_has_a_status_and_a_reason_unless_it_decided() -> None:
    silent = Verdict("p", ProbeKind.CALLER, Judgement.UNSPECIFIED, clause="riscv:int.nameless")
    done = [batch({"riscv:int.scalar": 2}), batch({"riscv:int.scalar": 1}, silent)]
    (found,) = coverage(done, [sheet for sheet in sheets() if sheet.name == "riscv"])
    lines = {line.clause: line for line in found.lines}
    assert lines["riscv:int.scalar"].subjects == {"cc": 3}
    assert lines["riscv:int.nameless"].status == Status.SILENT.value
    assert lines["riscv:fp.union"].status == Status.THROUGH.value
    assert lines["riscv:int.extend"].status == Status.MISSED.value
    assert all(line.why for line in found.lines if line.status != Status.DECIDED.value)
    assert found.count(*Status) == len(found.lines)


def test_reasons_speak_of_clauses_that_there_are() -> None:
    known = {clause.id for sheet in sheets() for clause in sheet.clauses.values()}
    known |= {f"{sheet.name}:*" for sheet in sheets()}
    assert set(reasons()) <= known


def test_what_dialects_add_is_told_from_what_was_not_asked() -> None:
    for sheet in sheets():
        for name, clause in sheet.clauses.items():
            if name.startswith("dialect.") and not clause.excuse:
                assert clause.id in reasons() or through(sheet, name), clause.id


def test_a_clause_that_only_functions_follow_is_told_by_others() -> None:
    (riscv,) = (sheet for sheet in sheets() if sheet.name == "riscv")
    assert "oracles.abis.riscv" in through(riscv, "int.stack")
    assert through(riscv, "int.scalar") == ""
