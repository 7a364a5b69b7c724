"""Records of a batch's observations, kept small, so that a corrected model can judge them without any compiler.

What is kept of an observation is its observer's business, as long as it is plain: numbers, text, bytes, lists and
dictionaries. A subject may have been asked something that depends on the model: which registers were loaded, what a call
returned. So each observation stands beside a digest of what was asked, and only an answer to what a model would ask
today is used.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Mapping
from typing import Any, TypeAlias

import msgspec

from abiprobe.results.journal.packing import PackingError, decompressed

FORMAT = 2
"""The first word of a tape: earlier versions of abiprobe wrote none."""
DIGEST = 6
"""Bytes of a digest: enough to tell the questions to one probe apart."""
Plain: TypeAlias = Any
"""A value of numbers, text, bytes, lists and dictionaries."""


class Tape(msgspec.Struct, array_like=True):
    """The recorded observations of one subject, at one level, by the ids of probes.

    `asked` is what the model had a say in when a probe was asked, `seen` what was observed, `pairs` what arrived when a
    partner's callee was called, by partner.
    """

    asked: dict[str, Plain] = {}
    seen: dict[str, Plain] = {}
    pairs: dict[str, dict[str, Plain]] = {}


_ENCODER = msgspec.msgpack.Encoder()
_DECODER = msgspec.msgpack.Decoder(tuple[int, Tape])
_DIGESTS = msgspec.msgpack.Decoder(dict[str, bytes])


def packed(tape: Tape) -> bytes:
    """A tape as compressed bytes."""
    return zlib.compress(_ENCODER.encode((FORMAT, tape)), 6)


def unpacked(data: bytes) -> Tape:
    """The tape that `packed` wrote; raises `ValueError` for anything else."""
    try:
        version, tape = _DECODER.decode(decompressed(data))
    except (PackingError, msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ValueError(f"no record of observations that this version reads ({error})") from error
    if version != FORMAT:
        raise ValueError(f"no record of observations that this version reads (it has format {version})")
    return tape


def packed_digests(predictions: Mapping[str, bytes]) -> bytes:
    """Digests of what the model said, by probe, as bytes."""
    return _ENCODER.encode(predictions)


def unpacked_digests(data: bytes) -> dict[str, bytes]:
    """The digests that `packed_digests` wrote; raises `ValueError` for anything else."""
    try:
        return _DIGESTS.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"no record of predictions ({error})") from error


def digest(value: object) -> bytes:
    """A digest of plain values, or of structs of them."""
    return hashlib.blake2b(_ENCODER.encode(value), digest_size=DIGEST).digest()
