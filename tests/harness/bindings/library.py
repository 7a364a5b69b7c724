# ruff: noqa: N801, N816
"""A binding of library.h with ctypes; the library is not there."""

import enum
from ctypes import (
    CDLL,
    CFUNCTYPE,
    POINTER,
    Structure,
    Union,
    c_char,
    c_char_p,
    c_double,
    c_int,
    c_short,
    c_size_t,
    c_ubyte,
    c_uint,
    c_ulong,
    c_void_p,
)

Z_OK = 0
Z_DATA_ERROR = -3
ZLIB_VERSION = "1.2.13"

Bytef = c_ubyte
uInt = c_uint
uLong = c_ulong
alloc_func = CFUNCTYPE(c_void_p, c_void_p, uInt, uInt)


class z_stream(Structure):
    _fields_ = [
        ("next_in", POINTER(Bytef)),
        ("avail_in", uInt),
        ("total_in", uLong),
        ("msg", c_char_p),
        ("state", c_void_p),
        ("zalloc", alloc_func),
        ("data_type", c_int),
        ("adler", uLong),
    ]


class value(Union):
    _fields_ = [
        ("number", c_int),
        ("real", c_double),
    ]


class flags(Structure):
    _anonymous_ = ("_value",)
    _fields_ = [
        ("type", c_char),
        ("text", c_ubyte, 3),
        ("level", c_ubyte, 5),
        ("_value", value),
        ("extra", c_short * 3),
    ]


class strategy(enum.IntEnum):
    Z_FILTERED = 1
    Z_HUFFMAN_ONLY = 2


lib = CDLL("libabsent.so.1")
lib.deflate.argtypes = [POINTER(z_stream), c_int]
lib.deflate.restype = c_int
lib.crc32.argtypes = [uLong, POINTER(Bytef), c_size_t]
lib.crc32.restype = uLong
lib.tuned.argtypes = [flags, c_short, c_int]
lib.tuned.restype = flags
lib.gzprintf.argtypes = [c_char_p]
lib.zlibVersion.argtypes = []
lib.zlibVersion.restype = c_char_p
