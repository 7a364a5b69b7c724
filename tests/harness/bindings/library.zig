//! A binding of library.h in Zig, in the manner of `zig translate-c`.
const std = @import("std");

pub const Z_OK = @as(c_int, 0);
pub const Z_DATA_ERROR = -@as(c_int, 3);
pub const ZLIB_VERSION = "1.2.13";
pub const Z_BAD = @compileError("unable to translate macro");

pub const Bytef = u8;
pub const uInt = c_uint;
pub const uLong = c_ulong;
pub const alloc_func = ?*const fn (@"opaque": ?*anyopaque, items: uInt, size: uInt) callconv(.c) ?*anyopaque;
pub const struct_internal_state = opaque {};

pub const struct_z_stream_s = extern struct {
    next_in: [*c]const Bytef = null,
    avail_in: uInt = 0,
    total_in: uLong = 0,
    msg: [*c]const u8 = null,
    state: ?*struct_internal_state = null,
    zalloc: alloc_func = null,
    data_type: c_int = 0,
    adler: uLong = 0,
};
pub const z_stream = struct_z_stream_s;

const union_unnamed_1 = extern union {
    number: c_int,
    real: f64,
};
pub const struct_flags = extern struct {
    type: u8,
    bits: u8,
    unnamed_0: union_unnamed_1,
    extra: [3]c_short,
};

pub const enum_strategy = c_uint;
pub const Z_FILTERED: c_int = 1;
pub const Z_HUFFMAN_ONLY: c_int = 2;

pub extern fn deflate(stream: [*c]z_stream, flush: c_int) c_int;
pub extern fn crc32(crc: uLong, buffer: [*c]const Bytef, length: usize) uLong;
pub extern fn tuned(flags: struct_flags, good: c_short, strategy: enum_strategy) struct_flags;
pub extern fn gzprintf(format: [*c]const u8, ...) c_int;
pub extern fn zlibVersion() [*c]const u8;

pub inline fn ZEXPORT(_: anytype) void {}
