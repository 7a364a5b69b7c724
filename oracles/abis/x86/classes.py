"""The register classes of x86-64 System V (AMD64 psABI 3.2.3)."""

from __future__ import annotations

from enum import Enum as PyEnum


class Class(PyEnum):
    """The register class of one eightbyte."""

    __hash__ = object.__hash__  # that of enumerations is written in Python

    NO_CLASS = "NO_CLASS"
    """padding, an empty struct or union"""
    INTEGER = "INTEGER"
    """fits a general purpose register"""
    SSE = "SSE"
    """fits a vector register"""
    SSEUP = "SSEUP"
    """travels in the upper bytes of a vector register"""
    X87 = "X87"
    """the mantissa of a long double"""
    X87UP = "X87UP"
    """the exponent of a long double"""
    COMPLEX_X87 = "COMPLEX_X87"
    """a complex long double"""
    MEMORY = "MEMORY"
    """travels in memory"""
