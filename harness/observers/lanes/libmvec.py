"""glibc's libmvec as a witness: hand-written code for the same ABI, independent of any compiler.

Every vector name that it exports is derived from the prototype of its scalar function, read back, and called through the
model's places; each lane is compared with the scalar function.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
from elftools.common.exceptions import ELFError
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.base.progress import counted
from abiprobe.harness.observers.lanes.library import Checked, LibraryCall, answers_of, compare, library_call
from abiprobe.harness.observers.lanes.workbench import AVX512, MIDDLE, processor_flags
from abiprobe.oracles.abis.vfabi import NotAVectorNameError, VectorModel, parse_name
from abiprobe.oracles.abis.vfabi.dialect import Isa
from abiprobe.oracles.abis.vfabi.libmvec import prototypes
from abiprobe.oracles.abis.vfabi.variant import Variant, Variants
from abiprobe.oracles.language.lang import Prototype
from abiprobe.oracles.registry import find_model

FOLDERS = ("/lib/x86_64-linux-gnu", "/usr/lib64", "/lib64", "/usr/lib")
LIBRARY = "libmvec.so.1"


class Report(msgspec.Struct, frozen=True):
    """The whole library: names only exported, names only derived, and every symbol in both."""

    path: str
    exported: int
    underived: tuple[str, ...]
    unexported: tuple[str, ...]
    unread: tuple[str, ...]
    checked: tuple[Checked, ...]

    @property
    def wrong(self) -> bool:
        """Return whether anything differs from the model."""
        return bool(
            self.underived or self.unexported or self.unread or any(one.failed for one in self.checked)
        )


def find_library() -> Path:
    """The system's libmvec; raises `Problem` where there is none."""
    for folder in FOLDERS:
        path = Path(folder, LIBRARY)
        if path.exists():
            return path
    raise Problem(f"no {LIBRARY} in {', '.join(FOLDERS)}", "it is a part of glibc on x86-64")


def exported(path: Path) -> frozenset[str]:
    """The vector names that a shared library exports; raises `Problem` for a file that is none."""
    try:
        with path.open("rb") as file:
            table = ELFFile(file).get_section_by_name(".dynsym")
            symbols = table.iter_symbols() if isinstance(table, SymbolTableSection) else ()
            return frozenset(
                symbol.name
                for symbol in symbols
                if symbol.name.startswith("_ZGV") and symbol["st_shndx"] != "SHN_UNDEF"
            )
    except (OSError, ELFError) as error:
        raise Problem(f"{path} is not a library that can be read ({error})") from error


def derived() -> dict[str, tuple[Prototype, Variant]]:
    """Every name that the prototypes give."""
    model = find_model("x86_64-vfabi")
    assert isinstance(model, VectorModel), "the target has vector functions"
    found: dict[str, tuple[Prototype, Variant]] = {}
    for function in prototypes():
        answer = model.variants(function)
        assert isinstance(answer, Variants), "every dialect has an answer to these"
        found |= {variant.symbol: (function, variant) for variant in answer.variants}
    return found


def check_library(path: Path) -> Report:
    """Derive, read back and call everything that libmvec exports."""
    there, known = exported(path), derived()
    names = sorted(there & set(known))
    asked = [library_call(*known[symbol]) for symbol in counted(names, "what to call", len(names))]
    return Report(
        str(path),
        len(there),
        tuple(sorted(there - set(known))),
        tuple(sorted(set(known) - there)),
        tuple(sorted(symbol for symbol in there if not is_read_back(symbol))),
        tuple(checked(path, asked)),
    )


def is_read_back(symbol: str) -> bool:
    """Return whether taking a name apart and putting it together gives the name."""
    try:
        return str(parse_name(symbol)) == symbol
    except NotAVectorNameError:
        return False


def checked(path: Path, asked: Sequence[LibraryCall]) -> Iterator[Checked]:
    """Call what the processor runs, and compare lane by lane."""
    flags = processor_flags()
    runs = tuple(Isa) if flags >= AVX512 else MIDDLE if "avx2" in flags else (Isa.SSE,)
    able = [one for one in asked if one.variant.name.isa in runs]
    for one in asked:
        if one not in able:
            yield Checked(one.variant.symbol, skipped=True)
    answers, died = answers_of(path, [one.request for one in able])
    for number_, one in enumerate(counted(able, "lanes of each function", len(able))):
        if number_ < len(answers):
            yield compare(one, answers[number_])
        else:
            yield Checked(one.variant.symbol, failed=died if number_ == len(answers) else "not called")
