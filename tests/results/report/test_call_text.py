"""Calls as people read them: the derivation, the byte map, the legend."""

from __future__ import annotations

from io import StringIO
from textwrap import dedent
from typing import Any

import pytest
from hypothesis import given, settings
from rich.console import Console

from abiprobe.generators.prototypes import prototypes
from abiprobe.harness.machines.register_files import listed_files
from abiprobe.oracles.language.lang import (
    BitInt,
    Complex,
    Isa,
    Kind,
    Member,
    Param,
    Prototype,
    Record,
    Scalar,
    Vector,
)
from abiprobe.oracles.registry import find_model, find_target
from abiprobe.oracles.text.clause import find_clause
from abiprobe.oracles.text.place import Assignment, StackSlot
from abiprobe.results.report.call_map import entry_map, return_map
from abiprobe.results.report.call_steps import cited, place
from abiprobe.results.report.call_text import print_call
from abiprobe.results.report.explain import explain
from abiprobe.results.report.legend import print_legend
from abiprobe.results.report.pieces import carriers

CHAR, INT, LONG = Scalar(Kind.CHAR), Scalar(Kind.INT), Scalar(Kind.LONG)
FLOAT, DOUBLE, LDOUBLE = Scalar(Kind.FLOAT), Scalar(Kind.DOUBLE), Scalar(Kind.LDOUBLE)
TARGETS = ("riscv64-lp64d", "x86_64-sysv")

BIG = Record("Big", tuple(Member(LONG, name) for name in "abcde"))
REALS = Record("S", (Member(FLOAT, "a"), Member(INT, width=0), Member(FLOAT, "b")))
REAL_AND_BITS = Record("Mixed", (Member(DOUBLE, "d"), Member(INT, "x", width=5)))
PADDED = Record("Padded", (Member(INT, width=7), Member(DOUBLE, "d")))


def call(target: str, result: Any, *params: tuple[str, Any], width: int = 80, **more: Any) -> str:
    function = Prototype("f", result, tuple(Param(name, c_type) for name, c_type in params), **more)
    out = StringIO()
    print_call(
        Console(file=out, width=width), find_model(target), function, listed_files(find_target(target))
    )
    return out.getvalue()


def test_a_sign_is_copied_from_the_first_bit_of_a_big_endian_value() -> None:
    assert "bits [0..32) of o0 are copies of bit 32" in call("sparc64", None, ("n", INT), width=200)


def legend(*clauses: str) -> str:
    out = StringIO()
    print_legend(Console(file=out, width=80), clauses)
    return out.getvalue()


def test_a_struct_of_two_reals_beside_an_integer() -> None:
    assert call("riscv64-lp64d", FLOAT, ("x", REALS), ("n", INT), ("k", CHAR)) == dedent("""\
        float f(struct S x, int n, char k);

          result  float, 4 bytes
            A real of at most ABI_FLEN bits goes in a floating-point argument register
              while one is left, else as under the integer convention. [riscv:fp.real]
              -> in fa0
            A value narrower than FLEN in a floating-point register is NaN-boxed.
              [riscv:fp.nan-box] -> bits [32..64) of fa0 are ones (a NaN box)
          x  struct S { float a; int :0; float b; }, 8 bytes
            Zero-width bit-fields are ignored while flattening.
              [riscv:fp.flatten-zero-width] -> a in fa0; b in fa1
            as for result [riscv:fp.nan-box] -> bits [32..64) of fa0 are ones (a NaN
              box); bits [32..64) of fa1 are ones (a NaN box)
          n  int, 4 bytes
            A scalar of at most XLEN bits goes in one argument register, or on the
              stack when none is left. [riscv:int.scalar] -> in a0
            An integer narrower than XLEN is widened by the sign of its type to 32
              bits, then sign-extended to XLEN bits, in registers and on the stack.
              [riscv:int.extend] -> bits [32..64) of a0 are copies of bit 31
          k  char, 1 byte: as for n [riscv:int.scalar] -> in a1; as for n
              [riscv:int.extend] -> bits [8..64) of a1 are zeros

        +--------------------------------------------------+
        | on entry | holds    | members | bits above       |
        |----------+----------+---------+------------------|
        | a0       | n [0..4) |         | [32..64) sign    |
        | a1       | k [0..1) |         | [8..64) zero     |
        | fa0      | x [0..4) | a       | [32..64) nan-box |
        | fa1      | x [4..8) | b       | [32..64) nan-box |
        +--------------------------------------------------+

        +----------------------------------------------+
        | on return | holds         | bits above       |
        |-----------+---------------+------------------|
        | fa0       | result [0..4) | [32..64) nan-box |
        +----------------------------------------------+

        No stack arguments.
    """)


def test_a_lone_bit_field_and_a_result_in_memory() -> None:
    assert call("riscv64-lp64d", BIG, ("m", REAL_AND_BITS), ("b", BIG)) == dedent("""\
        struct Big f(struct Mixed m, struct Big b);

          result  struct Big { long a; long b; long c; long d; long e; }, 40 bytes
            A result that would be passed by reference is written to memory that the
              caller provides, whose address is an implicit first argument; the address
              need not be returned. [riscv:int.result-memory] -> in memory, at the
              address that the result pointer holds
          result pointer  hidden argument: as for result [riscv:int.result-memory]
              -> in a0
          m  struct Mixed { double d; int x:5; }, 16 bytes
            A struct of one real and one integer or bit-field, no wider than ABI_FLEN
              and XLEN, goes in one register of each file while both are left; the
              integer's upper bits are unspecified. [riscv:fp.real-and-integer] -> d in
              fa0; x in a1
          b  struct Big { long a; long b; long c; long d; long e; }, 40 bytes
            An aggregate larger than 2 XLEN bits is replaced by its address.
              [riscv:int.aggregate-reference] -> its address in a2

        +----------------------------------------------------------------+
        | on entry | holds                 | members | bits above        |
        |----------+-----------------------+---------+-------------------|
        | a0       | result pointer [0..8) |         |                   |
        | a1       | m bits [64..69)       | x       | [5..64) undefined |
        | a2       | &b [0..8)             |         |                   |
        | fa0      | m [0..8)              | d       |                   |
        +----------------------------------------------------------------+

        Undefined bits: riscv:fp.real-and-integer
        No stack arguments.
    """)


def test_eightbytes_the_stack_and_x87_results() -> None:
    params = (("m", REAL_AND_BITS), ("c", CHAR), ("b", BIG), ("q", LDOUBLE), ("n", INT))
    assert call("x86_64-sysv", Complex(Kind.LDOUBLE), *params, variadic=True, unnamed=(DOUBLE,)) == dedent("""\
        long double _Complex f(struct Mixed m, char c, struct Big b, long double q,
            int n, ... /* double */);

          result  long double _Complex, 32 bytes
            COMPLEX_X87 returns the real part in st0 and the imaginary part in st1.
              [x86_64:result.complex-x87] -> bytes [0..10) in st0; bytes [16..26) in st1
          vector count  hidden argument
            A call of a variadic function passes in al an upper bound on the number of
              vector registers used, 8 at most; the rest of rax is undefined.
              [x86_64:pass.vector-count] -> 2 to 8 in rax
          m  struct Mixed { double d; int x:5; }, 16 bytes
            Each eightbyte of an aggregate starts as NO_CLASS and is merged with the
              classes of the fields in it; padding and empty records are NO_CLASS.
              [x86_64:class.each-eightbyte]
            An SSE eightbyte takes the next of xmm0 to xmm7. [x86_64:pass.sse] -> d in
              xmm0
            An INTEGER eightbyte takes the next of rdi, rsi, rdx, rcx, r8, r9.
              [x86_64:pass.integer] -> x in rdi
          c  char, 1 byte: as for m [x86_64:pass.integer] -> in rsi
          b  struct Big { long a; long b; long c; long d; long e; }, 40 bytes
            A MEMORY argument goes on the stack at an address that respects its
              alignment; sizes are rounded up to eightbytes, and the area ends on a
              16-byte boundary. [x86_64:pass.memory] -> at stack+8
          q  long double, 16 bytes: as for b [x86_64:pass.memory] -> at stack+56
          n  int, 4 bytes: as for m [x86_64:pass.integer] -> in rdx
          ...0  double, 8 bytes: as for m [x86_64:pass.sse] -> in xmm1

        +----------------------------------------------------------------+
        | on entry | holds               | members | bits above          |
        |----------+---------------------+---------+---------------------|
        | rax      | vector count [0..1) |         | [8..64) undefined   |
        | rdi      | m [8..16)           | x       |                     |
        | rsi      | c [0..1)            |         | [8..64) undefined   |
        | rdx      | n [0..4)            |         | [32..64) undefined  |
        | xmm0     | m [0..8)            | d       | [64..128) undefined |
        | xmm1     | ...0 [0..8)         |         | [64..128) undefined |
        | stack+8  | b [0..8)            | a       |                     |
        | stack+16 | b [8..16)           | b       |                     |
        | stack+24 | b [16..24)          | c       |                     |
        | stack+32 | b [24..32)          | d       |                     |
        | stack+40 | b [32..40)          | e       |                     |
        | stack+48 | 8 bytes of padding  |         |                     |
        | stack+56 | q [0..8)            |         |                     |
        | stack+64 | q [8..16)           |         |                     |
        +----------------------------------------------------------------+

        +-----------------------------+
        | on return | holds           |
        |-----------+-----------------|
        | st0       | result [0..10)  |
        | st1       | result [16..26) |
        +-----------------------------+

        Undefined bits: x86_64:pass.vector-count, x86_64:pass.narrow
        64 bytes of stack arguments; stack+N is N bytes above the stack pointer at
          callee entry.
    """)


def test_a_wide_console_wraps_less() -> None:
    assert call("x86_64-sysv", None, ("a", LDOUBLE), ("i", Scalar(Kind.INT128)), width=120) == dedent("""\
        void f(long double a, __int128 i);

          a  long double, 16 bytes
            X87, X87UP and COMPLEX_X87 are passed in memory. [x86_64:pass.x87] -> at stack+8
          i  __int128, 16 bytes
            __int128 is classified as a struct of two longs, except that in memory it is aligned to 16 bytes.
              [x86_64:class.int128]
            An INTEGER eightbyte takes the next of rdi, rsi, rdx, rcx, r8, r9. [x86_64:pass.integer] -> bytes [0..8) in rdi;
              bytes [8..16) in rsi

        +----------------------+
        | on entry | holds     |
        |----------+-----------|
        | rdi      | i [0..8)  |
        | rsi      | i [8..16) |
        | stack+8  | a [0..8)  |
        | stack+16 | a [8..16) |
        +----------------------+

        16 bytes of stack arguments; stack+N is N bytes above the stack pointer at callee entry.
    """)


def test_padding_between_stack_arguments_has_a_row() -> None:
    longs = tuple((f"a{index}", LONG) for index in range(7))
    text = call("x86_64-sysv", None, *longs, ("q", LDOUBLE))
    assert "| stack+16 | 8 bytes of padding |" in text


def test_a_call_that_the_text_leaves_open_is_one_paragraph() -> None:
    assert call("riscv64-lp64d", None, ("p", PADDED)) == dedent("""\
        void f(struct Padded p);
        f is unspecified: p has an unnamed bit-field beside its fields. The text
          leaves it open [riscv:fp.unnamed-bit-field]: the text ignores zero-length
          bit-fields and counts bit-fields, but does not say whether padding bits count.
    """)


def test_a_value_that_fills_its_registers_leaves_nothing_undefined() -> None:
    assert "ndefined" not in call("x86_64-sysv", None, ("w", BitInt(128)))
    assert "| rsi      | w [8..16) | [36..64) undefined |" in call("x86_64-sysv", None, ("w", BitInt(100)))


def test_members_of_a_vector_that_a_target_attribute_brings_registers_for() -> None:
    wide = Record("U", (Member(DOUBLE, "a"), Member(Vector(Kind.INT, 32), "b")), union=True)
    assert "| ymm0     | u [0..32) | a, b    |" in call("x86_64-sysv", None, ("u", wide), isa=Isa.AVX)


def test_nothing_to_pass() -> None:
    assert call("riscv64-lp64d", None) == "void f(void);\n\nNo stack arguments.\n"


def test_explain_cites_each_clause_once() -> None:
    function = Prototype("f", FLOAT, (Param("x", REALS), Param("y", REALS)))
    out = StringIO()
    explain(
        Console(file=out, width=100),
        "riscv64-lp64d",
        find_model("riscv64-lp64d"),
        (REALS,),
        (function,),
        listed_files(find_target("riscv64-lp64d")),
    )
    text = out.getvalue()
    assert text.startswith("riscv64-lp64d\n\nstruct S {")
    below = text.partition("RISC-V ABIs Specification")[2]
    assert below.count("riscv:type.record") == 1
    assert below.count("riscv:fp.flatten-zero-width") == 1


def test_the_legend_gives_document_section_and_silence() -> None:
    assert legend("riscv:fp.named-only", "gnu:packed", "riscv:int.nameless") == dedent("""\

        RISC-V ABIs Specification (riscv-elf-psabi-doc), RISC-V Calling Conventions,
          editor's draft after 1.0, 2026-07-02 (e03d44a)
          https://github.com/riscv-non-isa/riscv-elf-psabi-doc
          riscv:fp.named-only  Hardware Floating-Point Calling Convention
              Unnamed arguments follow the integer convention.
          riscv:int.nameless  Integer Calling Convention
              A record of non-zero size without named members is neither empty nor does
              it hold a value (C17 6.7.2.1 leaves it undefined).
              Silent: the text speaks of empty records and of fields only.

        Using the GNU Compiler Collection (GCC manual), GCC 12.2
          https://gcc.gnu.org/onlinedocs/gcc-12.2.0/gcc/
          gnu:packed  6.33.1 Common Variable Attributes; 6.34.1 Common Type
              Attributes: packed
              A packed member takes the smallest possible alignment, one byte or one
              bit, unless aligned asks for more; packed on a record is packed on each
              member that is no zero-width bit-field.
    """)


def test_colour_changes_no_text() -> None:
    plain, coloured = StringIO(), StringIO()
    function = Prototype("f", FLOAT, (Param("x", REALS),))
    name = "riscv64-lp64d"
    model = find_model(name)
    explain(
        Console(file=plain, width=80),
        name,
        model,
        (REALS,),
        (function,),
        listed_files(find_target("riscv64-lp64d")),
    )
    colour = Console(file=coloured, width=80, force_terminal=True, color_system="standard", record=True)
    explain(colour, name, model, (REALS,), (function,), listed_files(find_target("riscv64-lp64d")))
    assert "\x1b[" in coloured.getvalue()
    assert colour.export_text() == plain.getvalue()


@pytest.mark.parametrize("target", TARGETS)
@given(prototype=prototypes(max_params=8, max_members=5))
@settings(max_examples=40, deadline=None)
def test_every_place_of_the_assignment_is_in_the_map(target: str, prototype: Prototype) -> None:
    model = find_model(target)
    answer = model.assign(prototype)
    if not isinstance(answer, Assignment):
        return
    rows = entry_map(model.types, prototype, answer, listed_files(find_target(target)))
    pieces = [
        piece
        for carrier, _ in carriers(answer, prototype)
        if carrier is not answer.result
        for piece in carrier.pieces
    ]
    assert {place(piece.place) for piece in pieces} <= {row.place for row in rows}
    assert len({row.place for row in rows}) == len(rows)
    offsets = [piece.place.offset for piece in pieces if isinstance(piece.place, StackSlot)]
    assert [row.place for row in rows if row.place.startswith("stack")][:1] == [
        f"stack+{offset}" for offset in sorted(offsets)[:1]
    ]
    if answer.result is not None:
        returned = return_map(model.types, prototype, answer)
        assert [row.place for row in returned] == [place(piece.place) for piece in answer.result.pieces]


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("width", [80, 120])
@given(prototype=prototypes(max_params=8, max_members=5))
@settings(max_examples=25, deadline=None)
def test_a_page_is_ascii_and_fits(target: str, width: int, prototype: Prototype) -> None:
    model = find_model(target)
    out = StringIO()
    clauses = print_call(Console(file=out, width=width), model, prototype, listed_files(find_target(target)))
    text = out.getvalue()
    assert text.isascii()
    assert all(line == line.rstrip() and len(line) <= width for line in text.splitlines())
    answer = model.assign(prototype)
    if isinstance(answer, Assignment):
        assert clauses == cited(answer, prototype)
    assert all(find_clause(clause).says for clause in clauses)
