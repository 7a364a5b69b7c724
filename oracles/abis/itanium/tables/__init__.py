"""Virtual tables, the table of virtual tables, and type information (sections 2.5, 2.6 and 2.9)."""

from __future__ import annotations

from abiprobe.oracles.abis.itanium.tables.model import tables_of

__all__ = ["tables_of"]
