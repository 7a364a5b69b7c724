"""What an answer of a model asks of bytes, apart from the clauses that it cites and from what no byte can show."""

from __future__ import annotations

import msgspec

from abiprobe.oracles.text.place import Assignment, Extension, Passed, Passing, Piece


def without_clauses(assignment: Assignment) -> Assignment:
    """An assignment that cites nothing."""
    replace = msgspec.structs.replace

    def value(one: Passed) -> Passed:
        pieces = tuple(replace(piece, clause="", extension_clause="") for piece in one.pieces)
        return replace(one, clause="", pieces=pieces)

    return replace(
        assignment,
        params=tuple(map(value, assignment.params)),
        result=None if assignment.result is None else value(assignment.result),
        hidden=tuple(
            replace(one, pieces=tuple(replace(piece, clause="", extension_clause="") for piece in one.pieces))
            for one in assignment.hidden
        ),
    )


def places(assignment: Assignment) -> object:
    """Where an assignment puts each byte."""
    result = () if assignment.result is None else (assignment.result,)
    values = [
        (one.passing, [(piece.start, piece.end, piece.place, piece.lane) for piece in one.pieces])
        for one in (*assignment.params, *result)
    ]
    return values, [[piece.place for piece in one.pieces] for one in assignment.hidden], assignment.pops


def bare(assignment: Assignment) -> object:
    """What an assignment asks of bytes: without clauses, and without what no byte can show.

    Above a value that may be followed by anything nothing is compared; of an address only the place is; the size of the
    argument area matters to a callee that pops it.
    """
    result = () if assignment.result is None else (assignment.result,)
    values = tuple(
        (one.passing, one.mask, tuple(demand(one, piece) for piece in one.pieces))
        for one in (*assignment.params, *result)
    )
    hidden = tuple((one.role, tuple(piece.place for piece in one.pieces)) for one in assignment.hidden)
    return values, hidden, assignment.pops


def demand(value: Passed, piece: Piece) -> object:
    """What one piece asks of bytes."""
    if value.passing is Passing.INDIRECT:
        return piece.place
    size = piece.end - piece.start
    extended = piece.extension not in {None, Extension.ANY} and size < piece.width
    above = (piece.extension, piece.width) if extended else None
    significant = value.mask[piece.start : piece.end].rstrip(b"\0")
    whole = (piece.start * 8, size * 8)
    alone = None if (piece.bit, piece.bits) == whole else (piece.bit, piece.bits)
    return piece.place, piece.start, significant, above, alone or (None, None), piece.lane, piece.form
