"""`python benchmarks/symbols.py LIBRARY...`: the mangled names of shared libraries, read by the grammar and mangled again.

A line for each library: its mangled names, those that return letter for letter, those that come back as another name, and
those that cannot be read; behind it the reasons with their counts, each with a name. Reader and mangler share the entities; that
substitutions, abbreviations and codes are numbered and used as compilers do it is what returns.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from time import process_time

from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection
from mangled_names import UnreadError, read

from abiprobe.oracles.abis.itanium.names import MangledName, mangle
from abiprobe.oracles.abis.itanium.names.writing import NamePolicy
from abiprobe.oracles.engine.reading import Reading

POLICY = NamePolicy(Reading.GCC)
OTHER = "another name"


def symbols(path: Path) -> list[str]:
    """The mangled names of an object, without versions and what compilers append behind a point."""
    with path.open("rb") as file:
        found = {
            symbol.name.partition("@")[0].partition(".")[0]
            for section in ELFFile(file).iter_sections()
            if isinstance(section, SymbolTableSection)
            for symbol in section.iter_symbols()
        }
    return sorted(name for name in found if name.startswith("_Z"))


def returned(name: str) -> str:
    """Nothing where a name returns, and else why it does not."""
    try:
        entity = read(name)
    except (UnreadError, RecursionError) as error:
        return str(error)
    found = mangle(entity, POLICY)
    if not isinstance(found, MangledName):
        return found.why
    return "" if found.text == name else f"{OTHER} by {found.clause_of(name)}"


def rows(path: Path) -> Iterator[str]:
    """The line of one library, and those of its reasons."""
    began, names = process_time(), symbols(path)
    why = [(returned(name), name) for name in names]
    count = Counter(reason for reason, _ in why)
    example = dict(reversed(why))
    same, other = count[""], sum(n for reason, n in count.items() if reason.startswith(OTHER))
    spent = 1000 * (process_time() - began) / max(len(names), 1)
    yield f"{path.name}\t{len(names)}\t{same}\t{other}\t{len(names) - same - other}\t{spent:.2f}"
    yield from (f"\t{n}\t{reason}\t{example[reason]}" for reason, n in count.most_common() if reason)


def main() -> None:
    """Print the lines of each library."""
    sys.setrecursionlimit(10_000)
    print("library\tmangled names\treturn\tother\tnot read\tms a name")
    for path in sys.argv[1:]:
        for row in rows(Path(path)):
            print(row, flush=True)


if __name__ == "__main__":
    main()
