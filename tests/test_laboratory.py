"""Wrong models and wrong compilers: the menu is systematic, and what is wrong is noticed."""

from __future__ import annotations

import ast
import importlib.util
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from laboratory.families import FAMILIES, nothing
from laboratory.fate import DETECTED, Fate, Outcome
from laboratory.flags import Flag, kill
from laboratory.lies import notices
from laboratory.menu import Mutant, mutants
from laboratory.model_rows import ALL, ELSEWHERE, PLACING, REFUTED, score_rows, unnoticed_rows
from laboratory.reasons import EQUIVALENT, reasons
from laboratory.recording import Recording, record
from laboratory.release_rows import release_rows
from laboratory.scoring import Score, Tried, hunted, tried, wrong_models
from laboratory.tally import tally
from laboratory.trial import Evidence

from abiprobe.generators.pool import draw
from abiprobe.harness.base.table_file import read
from abiprobe.harness.runs import tours
from abiprobe.harness.subjects.find import installed, parse_subject
from abiprobe.oracles.language.question import ProbeKind, Sort
from abiprobe.oracles.registry import find_target
from abiprobe.results.journal.journal import BatchDone, BatchKey, Header, Plan, Run
from abiprobe.results.verdicts.record import Judgement, Verdict

TARGET = "x86_64-ms"
DATA = Path(__file__).parents[1] / "docs" / "data"
SCORES = read(DATA / "wrong-models.tsv").rows
UNNOTICED = read(DATA / "wrong-models-not-noticed.tsv").rows
SOURCE = '''
"""A module."""
LIMIT = 16
ORDER = ("x", "y")
CLAUSE = cite("7")

def place(size, cursor):
    """A function of 3 words."""
    if size > LIMIT and not cursor.used:
        raise SilentError(9, "words")
    match size:
        case 0:
            return None
        case _:
            return size // 8
'''


def test_the_menu_goes_through_the_whole_source() -> None:
    found = {(one.operator, one.was, one.becomes) for one in mutants("abiprobe.oracles.x", SOURCE)}
    assert found == {
        ("number", "16", "17"),
        ("number", "16", "15"),
        ("order", "('x', 'y')", "('y', 'x')"),
        ("fewer", "('x', 'y')", "('x',)"),
        ("condition", "if size > LIMIT and (not cursor.used)", "if not"),
        ("connective", "size > LIMIT and (not cursor.used)", "size > LIMIT or not cursor.used"),
        ("comparison", "size > LIMIT", "size >= LIMIT"),
        ("negation", "not cursor.used", "+cursor.used"),
        ("case", "case 0", "no such case"),
        ("number", "0", "1"),
        ("arithmetic", "size // 8", "size * 8"),
        ("number", "8", "9"),
        ("number", "8", "7"),
    }


@pytest.mark.parametrize("family", FAMILIES)
def test_wrong_models_have_names_of_their_own_and_can_be_read(family: str) -> None:
    found = list(wrong_models(FAMILIES[family]))
    assert len({one.name for one in found}) == len(found) > 50
    for one in found[::40]:
        ast.parse(one.source)
    names = [one.name for one in found]
    for key in reasons().get(family, {}):
        assert any(name.startswith(key[:-1]) if key.endswith("*") else name == key for name in names), key


def needed(*names: str) -> str:
    for name in names:
        if installed(parse_subject(name), (find_target(TARGET),)):
            return name
    pytest.skip(f"none of {', '.join(names)} is installed for {TARGET}")


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Recording:
    questions = (
        *tours.questions(find_target(TARGET))[-10:],
        *draw(seed=1, kind=Sort.PROTOTYPES, start=0, count=60),
        *draw(seed=1, kind=Sort.RECORDS, start=0, count=20),
    )
    folder = tmp_path_factory.mktemp("recorded") / "one"
    return record(TARGET, needed("gcc-12", "clang-22", "zig", "gcc"), "O0", questions, folder)


CHOSEN = [
    ("('rcx', 'rdx', 'r8', 'r9')", Fate.KILLED),
    ("taken.first + taken.count", Fate.BROKEN),
    ("case Kind.REFERENCE", Fate.BROKEN),
    ("if in_register", Fate.ALIKE),
]


@pytest.mark.parametrize(("words", "fate"), CHOSEN)
def test_a_wrong_model_meets_its_fate(recording: Recording, words: str, fate: Fate) -> None:
    family = FAMILIES["ms"]
    chosen = next(one for one in wrong_models(family) if one.was == words)
    (found,) = tried(family, Evidence(recordings=(recording,)), [chosen], 1)
    assert found.outcome.fate is fate, found.outcome


def test_the_model_itself_is_not_killed(recording: Recording) -> None:
    family = FAMILIES["ms"]
    module = f"{family.package}.ms.calls"
    spec = importlib.util.find_spec(module)
    assert spec is not None
    source = Path(str(spec.origin)).read_text("utf-8")
    right = Mutant(module, "none", "", "", "", source, 0, lambda _node: None)
    (found,) = tried(family, Evidence(recordings=(recording,)), [right], 1)
    assert found.outcome.fate is Fate.SAME


@pytest.mark.parametrize("name", [name for name, family in FAMILIES.items() if family.facts is not nothing])
def test_golden_vectors_hold_and_kill(name: str) -> None:
    family = FAMILIES[name]
    evidence = Evidence(facts=family.facts())
    module = family.module(family.placing[0])
    spec = importlib.util.find_spec(module)
    assert spec is not None
    source = Path(str(spec.origin)).read_text("utf-8")
    right = Mutant(module, "none", "", "", "", source, 0, lambda _node: None)
    chosen = list(wrong_models(family))[::40]
    fates = [one.outcome.fate for one in tried(family, evidence, [right, *chosen], 1)]
    assert fates[0] is Fate.SAME
    assert {Fate.KILLED, Fate.BROKEN} & set(fates[1:])


def test_a_flag_that_changes_the_abi_is_noticed() -> None:
    subject = needed("gcc-12", "gcc")
    found = kill(Flag("x86_64-ms", "gcc", ("-fpack-struct",)), subject, "O0", 1)
    assert found is not None
    assert found.fate == "killed"
    assert found.probes


def test_a_flag_that_is_refused_is_told() -> None:
    subject = needed("gcc-12", "gcc")
    found = kill(Flag("x86_64-sysv", "gcc", ("-fno-such-thing",)), subject, "O0", 1)
    assert found is not None
    assert found.fate == "refused"
    assert "no-such-thing" in found.detail


def test_a_model_that_claims_less_misses_a_lie(recording: Recording) -> None:
    noticed = {lie.name: lie.noticed for lie in recording.lies}
    assert all(noticed[name] for name in ("rbx", "frame of the caller"))
    # Microsoft's text has no rule for the last two.
    assert not any(noticed[name] for name in ("status of MXCSR", "x87 stack", "MMX"))
    right = recording.bench.registers
    kept = replace(right, preserved=tuple(one for one in right.preserved if one.register != "rbx"))
    told = {lie.name: notices(recording.bench, lie.plan, lie.path, kept) for lie in recording.lies}
    assert not told["rbx"]
    assert told["r12"]


def test_a_question_that_tells_a_wrong_model_is_hunted() -> None:
    family = FAMILIES["dpu"]
    chosen = next(one for one in wrong_models(family) if one.name.startswith("dpu.places.FreePlaces: 2 -> "))
    found = hunted(replace(family, read=(("upmem-dpu", "standin-spirv32"),)), [chosen], 1)
    if not found:
        pytest.skip("no stand-in for the DPU is installed")
    assert any(found.values())


def test_words_caches_and_assertions_are_no_policies() -> None:
    source = """
REMEMBERED = 100
Names: TypeAlias = A | B

def place(kept, one, kinds):
    if len(kept) > REMEMBERED:
        kept.clear()
    shown: bool = field(default=one, repr=False)
    assert one > 1
    for _ in zip(kept, kinds, strict=True):
        assert_never(one)
    return one in (1, 2)
"""
    found = [one.name for one in mutants("abiprobe.oracles.x", source)]
    assert found == [
        "x.place: one in (1, 2) -> one not in (1, 2)",
        "x.place: (1, 2) -> (1,)",
        "x.place: 1 -> 2",
        "x.place: 1 -> 0",
        "x.place: 2 -> 3",
        "x.place: 2 -> 1",
    ]


def put_on_trial(name: str, fate: Fate) -> Tried:
    mutant = next(one for one in wrong_models(FAMILIES["ms"]) if one.name == name)
    return Tried(mutant, Outcome(fate))


SAME_MODEL = "x86.ms.calls.table: (1, 2, 4, 8) -> (2, 1, 4, 8)"
OTHER_MODEL = "x86.ms.calls.table: (1, 2, 4, 8) -> (1, 2, 4)"


def test_what_is_neither_noticed_nor_proved_counts_as_missed() -> None:
    found = tally("ms", [put_on_trial(SAME_MODEL, Fate.SAME), put_on_trial(OTHER_MODEL, Fate.KILLED)])
    assert (found.counted, found.killed, found.score) == (1, 1, "100.0%")
    found = tally("ms", [put_on_trial(OTHER_MODEL, Fate.SAME), put_on_trial(OTHER_MODEL, Fate.KILLED)])
    assert (found.counted, found.killed, found.score) == (2, 1, "50.0%")


@pytest.mark.parametrize("outcome", [Outcome(Fate.KILLED), Outcome(Fate.SURVIVED, moves=True)])
def test_a_proof_of_what_is_noticed_is_refuted(outcome: Outcome) -> None:
    one = replace(put_on_trial(SAME_MODEL, outcome.fate), outcome=outcome)
    assert not tally("ms", [one]).equivalent
    (refuted, *_) = unnoticed_rows("ms", [one])
    assert (refuted["result"], refuted["wrong model"]) == (REFUTED, f"`{SAME_MODEL}`")


def test_the_scores_of_a_family() -> None:
    some = (put_on_trial(SAME_MODEL, Fate.SAME), put_on_trial(OTHER_MODEL, Fate.KILLED))
    every, placing, _ = score_rows("ms", Score(Evidence(), 0, some), 1.0)
    assert (every["wrong models"], every["killed"], every[EQUIVALENT], every["score"]) == (
        "2",
        "1",
        "1",
        "100.0%",
    )
    assert (placing["policies"], placing["score"], placing["seconds"]) == (PLACING, "100.0%", "")
    assert every.keys() == placing.keys() == SCORES[0].keys() - {"family"}


def test_the_numbers_of_each_family_add_up() -> None:
    assert {row["family"] for row in SCORES} == FAMILIES.keys()
    for row in SCORES:
        assert int(row["wrong models"]) == sum(int(row[fate.value]) for fate in Fate), row
    told = Counter((row["family"], row["result"] == EQUIVALENT) for row in UNNOTICED)
    for row in SCORES:
        if row["policies"] == ALL:
            unnoticed = sum(int(row[fate.value]) for fate in Fate if fate not in DETECTED)
            assert told[row["family"], True] == int(row[EQUIVALENT]), row
            assert told[row["family"], False] == unnoticed - int(row[EQUIVALENT]), row


def test_nearly_all_wrong_models_are_noticed_and_all_that_place_arguments() -> None:
    least = {ALL: 97.0, ELSEWHERE: 100.0}
    assert [row for row in SCORES if float(row["score"].rstrip("%")) < least.get(row["policies"], 0)] == []


def test_a_row_for_each_clause_and_a_column_for_each_release() -> None:
    def batch(subject: str, *verdicts: Verdict) -> BatchDone:
        return BatchDone(BatchKey(TARGET, subject, "O0", Sort.PROTOTYPES, 0), len(verdicts), verdicts)

    bad = Verdict("p", ProbeKind.CALLER, Judgement.DEVIATES, clause="ms:types")
    again = Verdict("p", ProbeKind.CALLEE, Judgement.DEVIATES, clause="ms:types")
    good = Verdict("q", ProbeKind.CALLER, Judgement.AGREES)
    header = Header(1, "0", "now", Plan(1, 1, (TARGET,), ("old", "new", "other"), ("O0",)), ())
    run = Run(header, (batch("old", bad, again, good), batch("new", good)), None)
    assert list(release_rows([run])) == [
        {"target": TARGET, "clause": "probes compared", "old": "2", "new": "1", "other": "-"},
        {"target": TARGET, "clause": "`ms:types`", "old": "1", "new": "", "other": "-"},
    ]
