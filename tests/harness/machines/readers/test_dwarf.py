"""Types from DWARF: whatever version and machine, and whatever a file may be."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from abiprobe.harness.base import child
from abiprobe.harness.machines.readers.debug_types import DebugRecord, place
from abiprobe.harness.machines.readers.dwarf import children_of, variable_types
from abiprobe.harness.machines.readers.unread import UnreadError
from abiprobe.harness.subjects.families import zig

UNIT = """
struct In { char c; int x : 3, y : 9; };
struct S { char a; volatile struct In in[3][2]; union { int u; const float f; }; long l : 5; void *p;
           enum { ONE } e; int v __attribute__((vector_size(16))); char flex[]; } __attribute__((aligned(32)));
typedef struct S T;
T abi_object_0;
int abi_object_1;
static int other;
"""
PLACES = {
    "a": (0, 8),
    "in": (32, 192),
    "in[1]": (96, 64),
    "in[2][1].c": (192, 8),
    "in[2][1].x": (200, 3),
    "in[2][1].y": (203, 9),
    "u": (224, 32),
    "f": (224, 32),
    "l": (256, 5),
    "e": (384, 32),
    "v": (512, 128),
    "flex": (640, 0),
    "none": None,
    "a[0]": None,
    "in.c": None,
}
TARGETS = ("x86_64-linux-gnu", "i386-linux-gnu", "riscv64-linux-gnu", "riscv32-linux-gnu")


def compiled(folder: Path, *options: str) -> Path:
    program = zig.program()
    if program is None:
        pytest.skip("zig is not installed")
    source, output = folder / "unit.c", folder / "unit.o"
    source.write_text(UNIT)
    done = child.run((program, "clang", "-w", "-c", str(source), "-o", str(output), *options), timeout=60)
    assert done.ok, done.stderr
    return output


@pytest.mark.parametrize("version", [2, 3, 4, 5])
@pytest.mark.parametrize("target", TARGETS)
def test_a_record_with_members_of_every_shape(tmp_path: Path, target: str, version: int) -> None:
    path = compiled(tmp_path, f"--target={target}", f"-gdwarf-{version}")
    found = variable_types(path, "abi_object_")
    assert set(found) == {"abi_object_0", "abi_object_1"}
    record = found["abi_object_0"]
    assert isinstance(record, DebugRecord)
    narrow = target.startswith(("i386", "riscv32"))
    assert (record.size, record.align) == (64 if narrow else 96, 32)
    expected = PLACES | {"p": (288, 32) if narrow else (320, 64)}
    expected |= {"e": (320, 32)} if narrow else {}
    expected |= {"v": (384, 128), "flex": (512, 0)} if narrow else {}
    assert {name: place(record, name) for name in expected} == expected


WIDE = (
    "aarch64-linux-gnu",
    "aarch64_be-linux-gnu",
    "powerpc64le-linux-gnu",
    "powerpc64-linux-gnu",
    "mips64el-linux-gnuabi64",
    "mips64-linux-gnuabi64",
    "loongarch64-linux-gnu",
    "sparc64-linux-gnu",
    "s390x-linux-gnu",
    "arm64-apple-macos",
    "x86_64-apple-macos",
)
NARROW = (
    "mips-linux-gnu",
    "mipsel-linux-gnu",
    "powerpc-linux-gnu",
    "arm-linux-gnueabi",
    "armeb-linux-gnueabi",
    "loongarch32-linux-gnu",
    "sparc-linux-gnu",
    "hexagon-unknown-elf",
    "i686-windows-gnu",
)


@pytest.mark.parametrize("version", [3, 4, 5])
@pytest.mark.parametrize("target", WIDE + NARROW)
def test_the_same_record_on_other_machines_and_in_other_formats(
    tmp_path: Path, target: str, version: int
) -> None:
    """Where bits are counted from the first one, a big-endian machine has the same places."""
    same = ("-mno-ms-bitfields", "-fno-short-enums")
    path = compiled(tmp_path, f"--target={target}", f"-gdwarf-{version}", *same)
    found = variable_types(path, "abi_object_")
    record = found["abi_object_0"]
    assert isinstance(record, DebugRecord)
    # How a vector is aligned is the machine's affair.
    expected = {name: at for name, at in PLACES.items() if name not in {"v", "flex"}}
    if target in NARROW:
        expected |= {"p": (288, 32), "e": (320, 32)}
    assert {name: place(record, name) for name in expected} == expected


def test_an_object_without_dwarf_has_no_types(tmp_path: Path) -> None:
    assert variable_types(compiled(tmp_path), "abi_object_") == {}


@pytest.mark.parametrize("kept", [0, 4, 100, 2000])
def test_a_truncated_object_is_a_value_error(tmp_path: Path, kept: int) -> None:
    path = compiled(tmp_path, "-g")
    path.write_bytes(path.read_bytes()[:kept])
    with pytest.raises(ValueError, match=r"unit\.o"):
        variable_types(path, "abi_object_")


def test_an_entry_whose_sibling_stands_before_it_is_refused() -> None:
    entries = [SimpleNamespace(offset=offset) for offset in (11, 30, 11)]
    parent = SimpleNamespace(iter_children=lambda: iter(entries))
    found = children_of(parent)
    assert [next(found).offset, next(found).offset] == [11, 30]
    with pytest.raises(UnreadError, match="its own sibling"):
        next(found)
