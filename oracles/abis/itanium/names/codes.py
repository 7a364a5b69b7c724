"""The codes of builtin types (5.1.5.2) and of operators (5.1.3, 5.1.6)."""

from __future__ import annotations

import re

BUILTIN = {
    "void": "v",
    "wchar_t": "w",
    "bool": "b",
    "char": "c",
    "signed char": "a",
    "unsigned char": "h",
    "short": "s",
    "unsigned short": "t",
    "int": "i",
    "unsigned int": "j",
    "long": "l",
    "unsigned long": "m",
    "long long": "x",
    "unsigned long long": "y",
    "__int128": "n",
    "unsigned __int128": "o",
    "float": "f",
    "double": "d",
    "long double": "e",
    "__float128": "g",
    "...": "z",
    "std::decimal::decimal64": "Dd",
    "std::decimal::decimal128": "De",
    "std::decimal::decimal32": "Df",
    "half": "Dh",
    "_Float16": "DF16_",
    "_Float32": "DF32_",
    "_Float64": "DF64_",
    "_Float128": "DF128_",
    "_Float32x": "DF32x",
    "_Float64x": "DF64x",
    "std::bfloat16_t": "DF16b",
    "char32_t": "Di",
    "char16_t": "Ds",
    "char8_t": "Du",
    "auto": "Da",
    "decltype(auto)": "Dc",
    "decltype(nullptr)": "Dn",
}
"""The codes of builtin types by their spellings."""
BIT_INT = re.compile(r"(unsigned )?_BitInt\((\d+)\)")
UNARY = {
    "+": "ps",
    "-": "ng",
    "&": "ad",
    "*": "de",
    "~": "co",
    "!": "nt",
    "++": "pp",
    "--": "mm",
    "delete": "dl",
    "delete[]": "da",
    "co_await": "aw",
}
"""The codes of operators with one operand."""
BINARY = {
    "+": "pl",
    "-": "mi",
    "*": "ml",
    "/": "dv",
    "%": "rm",
    "&": "an",
    "|": "or",
    "^": "eo",
    "=": "aS",
    "+=": "pL",
    "-=": "mI",
    "*=": "mL",
    "/=": "dV",
    "%=": "rM",
    "&=": "aN",
    "|=": "oR",
    "^=": "eO",
    "<<": "ls",
    ">>": "rs",
    "<<=": "lS",
    ">>=": "rS",
    "==": "eq",
    "!=": "ne",
    "<": "lt",
    ">": "gt",
    "<=": "le",
    ">=": "ge",
    "<=>": "ss",
    "&&": "aa",
    "||": "oo",
    ",": "cm",
    "->*": "pm",
    ".*": "ds",
    "[]": "ix",
}
"""The codes of operators with two operands."""
FUNCTION = {**UNARY, **BINARY, "->": "pt", "()": "cl", "new": "nw", "new[]": "na"}
"""The codes of operators as functions; of those with one operand and with two that of two."""
CAST = {"dynamic_cast": "dc", "static_cast": "sc", "const_cast": "cc", "reinterpret_cast": "rc"}
OF_TYPE = {"typeid": "ti", "sizeof": "st", "alignof": "at"}
OF_EXPRESSION = {"typeid": "te", "sizeof": "sz", "alignof": "az", "noexcept": "nx", "throw": "tw"}
ELABORATED = {"struct": "Ts", "union": "Tu", "enum": "Te"}
DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def builtin(spelling: str) -> str:
    """The code of a builtin type; raises `KeyError` for none."""
    bits = BIT_INT.fullmatch(spelling)
    if bits:
        return f"{'DU' if bits[1] else 'DB'}{bits[2]}_"
    return BUILTIN[spelling]


def sequence(index: int) -> str:
    """A sequence number: nothing for the first element, then 0, 1 and so on in base 36."""
    if index == 0:
        return ""
    number, digits = index - 1, ""
    while number or not digits:
        number, digit = divmod(number, len(DIGITS))
        digits = DIGITS[digit] + digits
    return digits


def following(number: int) -> str:
    """The number of one that is counted from 1: nothing for the first, and for others the number less two."""
    return "" if number < 2 else str(number - 2)


def signed(number: int) -> str:
    """A number in decimal, with n for a minus sign."""
    return f"n{-number}" if number < 0 else str(number)
