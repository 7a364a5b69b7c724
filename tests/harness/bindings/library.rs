#![allow(non_camel_case_types)]
use std::os::raw::{c_char, c_int, c_uchar, c_uint, c_ulong, c_void};

pub const Z_OK: c_int = 0;
pub const Z_DATA_ERROR: i32 = -3;
pub const ZLIB_VERSION: &[u8; 7] = b"1.2.13\0";

pub type Bytef = c_uchar;
type uInt = c_uint;
pub type uLong = c_ulong;
pub type alloc_func = Option<unsafe extern "C" fn(opaque: *mut c_void, items: uInt, size: uInt) -> *mut c_void>;
pub enum internal_state {}

#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct z_stream_s {
    pub next_in: *const Bytef,
    pub avail_in: uInt,
    pub total_in: uLong,
    pub msg: *const c_char,
    pub state: *mut internal_state,
    pub zalloc: alloc_func,
    pub data_type: c_int,
    pub adler: uLong,
}
pub type z_stream = z_stream_s;

#[repr(C)]
#[derive(Copy, Clone)]
pub struct __BindgenBitfieldUnit<Storage> {
    storage: Storage,
}
impl<Storage> __BindgenBitfieldUnit<Storage>
where
    Storage: AsRef<[u8]> + AsMut<[u8]>,
{
    pub fn get(&self, bit_offset: usize, bit_width: u8) -> u64 {
        unimplemented!()
    }
}

#[repr(C)]
#[derive(Copy, Clone)]
pub struct flags {
    pub type_: c_char,
    pub _bitfield_align_1: [u8; 0],
    pub _bitfield_1: __BindgenBitfieldUnit<[u8; 1usize]>,
    pub __bindgen_anon_1: flags__bindgen_ty_1,
    pub extra: [::std::os::raw::c_short; 3usize],
}
#[repr(C)]
#[derive(Copy, Clone)]
pub union flags__bindgen_ty_1 {
    pub number: c_int,
    pub real: f64,
}
impl flags {
    #[inline]
    pub fn text(&self) -> c_uint {
        unsafe { ::std::mem::transmute(self._bitfield_1.get(0usize, 3u8) as u32) }
    }
    #[inline]
    pub fn level(&self) -> c_uint {
        unsafe { ::std::mem::transmute(self._bitfield_1.get(3usize, 5u8) as u32) }
    }
}

#[repr(u32)]
#[derive(Copy, Clone)]
pub enum strategy {
    Z_FILTERED = 1,
    Z_HUFFMAN_ONLY = 2,
}

#[link(name = "z")]
extern "C" {
    pub fn deflate(stream: *mut z_stream, flush: c_int) -> c_int;
    #[link_name = "crc32"]
    pub fn sum(crc: uLong, buffer: *const Bytef, length: usize) -> uLong;
    pub fn tuned(flags: flags, good: i16, strategy: strategy) -> flags;
    pub fn gzprintf(format: *const c_char, ...) -> c_int;
    pub fn zlibVersion() -> *const c_char;
}
