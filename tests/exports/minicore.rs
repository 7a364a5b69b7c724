// As much of rust's tests/auxiliary/minicore.rs as the exported tests use, for the compiler's own version.
#![feature(no_core, lang_items, auto_traits, cfg_version)]
#![cfg_attr(version("1.89"), feature(f16, f128))]
#![no_core]
#![allow(internal_features)]

#[cfg(version("1.89"))]
#[lang = "pointee_sized"]
pub trait PointeeSized {}
#[cfg(version("1.89"))]
#[lang = "meta_sized"]
pub trait MetaSized: PointeeSized {}
#[cfg(version("1.89"))]
#[lang = "sized"]
pub trait Sized: MetaSized {}
#[cfg(not(version("1.89")))]
#[lang = "sized"]
pub trait Sized {}
#[lang = "copy"]
pub trait Copy {}
#[lang = "freeze"]
pub unsafe auto trait Freeze {}

macro_rules! impls { ($($name:ty)*) => { $(impl Copy for $name {})* } }
impls! { i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize f32 f64 bool }
impl<T: Copy, const N: usize> Copy for [T; N] {}
