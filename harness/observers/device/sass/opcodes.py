"""The table of opcodes: the low 12 bits of an instruction, and what it is.

Bits 9 to 11 say where the second and third operand come from, so that an operation occurs with several opcodes. An opcode that is
not here is not guessed at: the function in which it stands counts as undecoded.
"""

from __future__ import annotations

from enum import Enum


class Op(Enum):
    """The action of an instruction, as far as bytes of arguments can travel through it."""

    MOV = "MOV"
    IMAD = "IMAD"
    WIDE = "IMAD.WIDE"
    IADD3 = "IADD3"
    LEA = "LEA"
    LOP3 = "LOP3"
    PRMT = "PRMT"
    SHF = "SHF"
    SGXT = "SGXT"
    CS2R = "CS2R"
    HFMA2 = "HFMA2"
    UMOV = "UMOV"
    R2UR = "R2UR"
    LDS = "LDS"
    STS = "STS"
    LDL = "LDL"
    STL = "STL"
    LD = "LD"
    ST = "ST"
    ULDC = "ULDC"
    CALL = "CALL"
    RET = "RET"
    BRA = "BRA"
    NOTHING = "no effect on registers"
    OPAQUE = "computes: its target is unknown afterwards"
    OPAQUE_PREDICATE = "computes a predicate"


_REGISTER, _CONSTANT_C, _REGISTER_C = 0x200, 0x600, 0x400
_IMMEDIATE, _CONSTANT, _UNIFORM, _UNIFORM_C = 0x800, 0xA00, 0xC00, 0xE00
SOURCES = (_REGISTER, _REGISTER_C, _CONSTANT_C, _IMMEDIATE, _CONSTANT, _UNIFORM, _UNIFORM_C)

_ARITHMETIC = {
    0x002: Op.MOV,
    0x010: Op.IADD3,
    0x011: Op.LEA,
    0x012: Op.LOP3,
    0x016: Op.PRMT,
    0x019: Op.SHF,
    0x01A: Op.SGXT,
    0x024: Op.IMAD,
    0x031: Op.HFMA2,
    0x035: Op.HFMA2,
    0x036: Op.IADD3,  # VIADD: the third operand is RZ
    0x007: Op.OPAQUE,  # SEL
    0x017: Op.OPAQUE,  # IMNMX
    0x01B: Op.OPAQUE,  # BMSK
    0x023: Op.OPAQUE,  # FFMA
    0x025: Op.WIDE,
    0x00C: Op.OPAQUE_PREDICATE,  # ISETP
    0x00B: Op.OPAQUE_PREDICATE,  # FSETP
}
UNIFORM_FILE = 0x080
"""The addition to the opcode of an operation on uniform registers."""
_ON_UNIFORM = {
    UNIFORM_FILE | base: op
    for base, op in _ARITHMETIC.items()
    if op in {Op.IADD3, Op.LEA, Op.LOP3, Op.PRMT, Op.SHF, Op.SGXT, Op.IMAD, Op.WIDE} and base != 0x036
}
UNIFORM = frozenset(base | source for base in _ON_UNIFORM for source in SOURCES)
"""The opcodes that compute in uniform registers."""
_OTHERS = {
    0x805: Op.CS2R,
    0x882: Op.UMOV,
    0xC82: Op.UMOV,
    0x3C2: Op.R2UR,
    0x2CA: Op.R2UR,
    0x984: Op.LDS,
    0x388: Op.STS,
    0x988: Op.STS,
    0x983: Op.LDL,
    0x387: Op.STL,
    0x343: Op.CALL,
    0x943: Op.CALL,
    0x944: Op.CALL,
    0x950: Op.RET,
    0x94D: Op.RET,  # EXIT
    0x947: Op.BRA,
    0x918: Op.NOTHING,  # NOP
    0x946: Op.NOTHING,  # YIELD
    0x91A: Op.NOTHING,  # DEPBAR
    0x945: Op.NOTHING,  # BSSY
    0x941: Op.NOTHING,  # BSYNC
    0x948: Op.NOTHING,  # WARPSYNC
    0x919: Op.OPAQUE,  # S2R
    0x980: Op.LD,
    0x385: Op.ST,
    0x985: Op.ST,
    0xAB9: Op.ULDC,
}
OPCODES = {
    base | source: op for base, op in (_ARITHMETIC | _ON_UNIFORM).items() for source in SOURCES
} | _OTHERS
"""Every opcode that is known."""
