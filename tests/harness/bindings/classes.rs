// As bindgen writes it, but for what C++ has by its address and bindgen by value.
#[repr(C)] pub struct Plain { pub a: ::std::os::raw::c_int, pub b: f64 }
#[repr(C)] pub struct Gone { pub i: ::std::os::raw::c_int }
#[repr(C)] pub struct Base { pub c: ::std::os::raw::c_char, pub n: ::std::os::raw::c_int }
#[repr(C)] pub struct Derived { pub _base: Base, pub d: ::std::os::raw::c_char }
#[repr(C)] pub struct Poly__bindgen_vtable(::std::os::raw::c_void);
#[repr(C)] pub struct Poly { pub vtable_: *const Poly__bindgen_vtable, pub x: ::std::os::raw::c_int }
#[repr(C)] pub struct Empty { pub _address: u8 }
#[repr(C)] pub struct OverEmpty { pub e: ::std::os::raw::c_int }
#[repr(C)] pub struct Tail { pub a: ::std::os::raw::c_int, pub b: ::std::os::raw::c_char }
#[repr(C)] pub struct More { pub _base: [u8; 5], pub type_: ::std::os::raw::c_char, pub align: [u32; 0] }
#[repr(C)] pub struct Bits { pub _bitfield_align_1: [u8; 0], pub _bitfield_1: [u8; 2], pub padding: u16, pub align: [u32; 0] }
impl Bits {
    pub fn a(&self) -> u32 { unsafe { ::std::mem::transmute(self._bitfield_1.get(0usize, 3u8) as u32) } }
    pub fn b(&self) -> u32 { unsafe { ::std::mem::transmute(self._bitfield_1.get(3usize, 7u8) as u32) } }
}
#[repr(C)] pub struct ns_In { pub l: ::std::os::raw::c_long, pub s: ::std::os::raw::c_short }
#[repr(C)] pub struct Left { pub vtable_: *const ::std::os::raw::c_void, pub _base: Base }
extern "C" {
    #[link_name = "\u{1}_ZNK7Derived5twiceEi"]
    pub fn Derived_twice(this: *const Derived, k: ::std::os::raw::c_int) -> ::std::os::raw::c_int;
    #[link_name = "\u{1}_ZN4Poly1vEi"]
    pub fn Poly_v(this: *mut ::std::os::raw::c_void, arg1: ::std::os::raw::c_int) -> ::std::os::raw::c_int;
    #[link_name = "\u{1}_ZN2ns4makeEi"]
    pub fn ns_make(arg1: ::std::os::raw::c_int) -> ns_In;
    #[link_name = "\u{1}_ZN2ns4takeENS_2InE4Gone"]
    pub fn ns_take(arg1: ns_In, arg2: *mut Gone) -> ::std::os::raw::c_int;
    #[link_name = "\u{1}_ZN2ns3refERK5PlainO4Gone"]
    pub fn ns_ref(arg1: *const Plain, arg2: *mut Gone);
    #[link_name = "\u{1}_Z6resulti"]
    pub fn result(to: *mut Gone, arg1: ::std::os::raw::c_int);
    #[link_name = "\u{1}_Z4overd"]
    pub fn over(arg1: f64) -> f64;
    #[link_name = "\u{1}_Z4overi"]
    pub fn over1(arg1: ::std::os::raw::c_int) -> ::std::os::raw::c_int;
}
