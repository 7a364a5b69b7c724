"""What the public tools of the IPU and the DPU show: frames and files, and of how sure each fact is."""

from __future__ import annotations

import re
from collections import Counter
from importlib import resources
from typing import Any

import pytest
from laboratory.golden import tables
from laboratory.golden.frames import holds, rows

from abiprobe.oracles import golden
from abiprobe.oracles.golden import TYPES, parsed
from abiprobe.oracles.registry import find_model, find_target

EVIDENT = resources.files(golden)
EVIDENCE = re.compile(
    r"(ipu|dpu)-(?:call|type|layout|conv)-\d+, (test|binary|source|standin): .*; the document (?:agrees|is ).*"
)


@pytest.mark.parametrize(("target", "asked", "said"), rows())
def test_frames_and_files(target: str, asked: str, said: Any) -> None:
    assert holds(find_target(target), find_model(f"{target}@compiler"), asked, said)


def test_another_answer_is_noticed() -> None:
    target, asked, _ = next(row for row in rows() if row[1] == "stack-alignment")
    assert not holds(find_target(target), find_model(f"{target}@compiler"), asked, 16)


def test_every_kind_of_evidence_is_there() -> None:
    texts = (EVIDENT.joinpath(name).read_text("utf-8") for name in ("dpu-evidence.tsv", "ipu-evidence.tsv"))
    given = [*tables.rows("accelerators", "frames.tsv"), *(row for text in texts for row in parsed(text))]
    remarks = [row[-1] for row in given if row[0] != TYPES]
    found = [EVIDENCE.fullmatch(remark) for remark in remarks]
    assert all(found)
    assert Counter(match.groups() for match in found if match is not None) == {
        ("ipu", "test"): 33,
        ("ipu", "source"): 29,
        ("ipu", "standin"): 16,
        ("dpu", "binary"): 54,
        ("dpu", "source"): 8,
        ("dpu", "standin"): 7,
    }
