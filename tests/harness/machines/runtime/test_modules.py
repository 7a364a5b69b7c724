"""A table of functions in a file of its own, beside a unit in another language, gets the types that the unit has."""

from __future__ import annotations

from pathlib import Path

import pytest

from abiprobe.harness.base import child
from abiprobe.harness.machines.languages.printer import table_text
from abiprobe.harness.machines.readers.wasm import NOTHING, FunctionType, bare_table, defined
from abiprobe.harness.machines.runtime.build import link, runtime_objects
from abiprobe.harness.machines.runtime.entries import typed_tables
from abiprobe.harness.machines.runtime.modules import bare_tables
from abiprobe.harness.machines.runtime.wasm import WASM32
from tests.skipping import trusted_or_skip

TABLE = "abi_functions"
UNIT = """
extern void *abi_target;
void abi_call_0(void) { ((double (*)(int))abi_target)(1); }
long long abi_callee_0(int a, float b) { return a + (int)b; }
void abi_call_1(void) {}
"""


@pytest.fixture(scope="module")
def objects(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A unit without a table, and the table, whose second probe has no callee."""
    trusted, folder = trusted_or_skip(WASM32), tmp_path_factory.mktemp("bare")
    texts = UNIT, table_text(2, TABLE, "", frozenset({1}))
    made = []
    for number, text in enumerate(texts):
        source, built = folder / f"{number}.c", folder / f"{number}.o"
        source.write_text(text, "utf-8")
        done = child.run((*trusted.cc, "-O1", "-c", str(source), "-o", str(built)), timeout=60)
        assert done.ok, done.stderr.decode()
        made.append(built)
    return made[0], made[1]


def test_a_file_with_a_table_alone_names_its_functions(objects: tuple[Path, Path]) -> None:
    unit, table = objects
    assert bare_table(table.read_bytes(), TABLE) == ("abi_call_0", "abi_callee_0", "abi_call_1", "")
    assert bare_table(unit.read_bytes(), TABLE) is None
    assert bare_table(table.read_bytes(), "abi_functions_2") is None


def test_its_functions_have_the_types_of_the_unit(objects: tuple[Path, Path]) -> None:
    unit, _ = objects
    found = defined(unit.read_bytes())
    assert found["abi_callee_0"].type == FunctionType(("i32", "f32"), ("i64",))
    assert found["abi_call_0"].calls == FunctionType(("i32",), ("f64",))
    bare = bare_tables(objects, (TABLE, "abi_functions_2"))
    assert list(bare) == [TABLE]
    assert bare[TABLE] == {
        "abi_call_0": found["abi_call_0"],
        "abi_callee_0": found["abi_callee_0"],
        "abi_call_1": found["abi_call_1"],
        "3": NOTHING,
    }
    text = typed_tables(bare)
    assert "    .functype abi_callee_0 (i32, f32) -> (i64)\n" in text
    assert text.endswith(
        "    .int32 abi_call_0\n    .int32 abi_callee_0\n    .int32 abi_call_1\n    .int32 0\n"
        f"    .size {TABLE}, 16\n"
    )


def test_an_image_is_linked_without_a_word_about_types(objects: tuple[Path, Path], tmp_path: Path) -> None:
    trusted = trusted_or_skip(WASM32)
    done = link(list(objects), runtime_objects(WASM32, trusted), tmp_path / "image", trusted)
    assert done.ok, done.stderr.decode()
    assert b"signature mismatch" not in done.stderr
