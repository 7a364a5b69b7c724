"""Languages by their folders: what a description may say, and what is printed by its templates."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.machines.languages.language import EVERYTHING, Language, built_in, find_language
from abiprobe.harness.machines.languages.printer import Printer, table_text
from abiprobe.harness.machines.render.arrange import Manner, arrange
from abiprobe.harness.machines.targets import PLATFORMS
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.engine.supposed import supposed
from abiprobe.oracles.language.lang import Array, Kind, Member, Param, Prototype, Record, Scalar
from abiprobe.oracles.registry import find_model

INT, SHORT = Scalar(Kind.INT), Scalar(Kind.SHORT)
UNION = Record("U", (Member(INT, "a"), Member(Array(SHORT, 2), "end")), union=True)
INNER = Record("I", (Member(SHORT, "x"), Member(INT, "y")))
OUTER = Record("S", (Member(Scalar(Kind.CHAR), "type"), Member(Array(INNER, 3), "b")), packed=True)

SIMPLE = Prototype("f", SHORT, (Param("a", INNER), Param("b", Scalar(Kind.LONG))))

ZIG = """\
const I = extern struct { x: c_short, y: c_int, };
const S = extern struct { type: c_char align(1), b: [3]I align(1), };
"""
RUST = """\
#[repr(C)] struct I { x: i16, y: i32, } impl Copy for I {}
#[repr(C, packed)] struct S { type_: i8, b: [I; 3], } impl Copy for S {}
"""
ADA = """\
type I is record x : short; y : int; end record with Convention => C_Pass_By_Copy, Suppress_Initialization;
type S_b is array (0 .. 2) of I with Convention => C, Suppress_Initialization;
type S is record c_type : i8; b : S_b; end record with Convention => C_Pass_By_Copy, Suppress_Initialization, Pack, Alignment => 1;
type U_c_end is array (0 .. 1) of short with Convention => C, Suppress_Initialization;
type U (abi_member : unsigned := 0) is record case abi_member is when 0 => a : int; when others => c_end : U_c_end; \
end case; end record with Convention => C_Pass_By_Copy, Suppress_Initialization, Unchecked_Union;
"""
PASCAL = """\
type I = record x: smallint; y: longint; end;
type S = packed record &type: shortint; b: array[0..3 - 1] of I; end;
type U = record case longint of 0: (a: longint); 1: (&end: array[0..2 - 1] of smallint); end;
"""
SWIFT = """\
typedef struct I { Int16 x; Int32 y; } I;
typedef struct S { Int8 type; I b[3]; } __attribute__((packed)) S;
_Pragma("pack(push, 2)") typedef union B { Int32 a : 3; _Alignas(8) Int32 b; Int16 c __attribute__((aligned(4))); } B; _Pragma("pack(pop)")
"""
BITS = Record(
    "B",
    (Member(INT, "a", width=3), Member(INT, "b", alignas=8), Member(SHORT, "c", align=4)),
    union=True,
    pack=2,
)


def printer(name: str, target: str = "x86_64-sysv") -> Printer:
    return Printer(find_language(str(built_in()[name])), supposed(find_model(target).types, Reading.GCC))


def changed(folder: Path, name: str, old: str, new: str) -> Path:
    """A copy of the folder of zig with one text in one file replaced."""
    copy = folder / "zig"
    shutil.copytree(built_in()["zig-lang"], copy)
    path = copy / name
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")
    return copy


@pytest.mark.parametrize(("name", "expected"), [("zig-lang", ZIG), ("rustc", RUST)])
def test_records_are_printed_with_their_attributes(name: str, expected: str) -> None:
    assert printer(name).definitions((OUTER,)) == expected


@pytest.mark.parametrize(("name", "expected"), [("gnat", ADA), ("fpc", PASCAL)])
def test_unions_are_variant_records(name: str, expected: str) -> None:
    assert printer(name).definitions((OUTER, UNION)) == expected


def test_swift_has_the_records_of_c() -> None:
    assert printer("swift").definitions((OUTER, BITS)) == SWIFT


def test_integers_have_the_width_and_sign_of_the_target() -> None:
    assert printer("rustc").scalar(Kind.LONG) == "i64"
    assert printer("rustc", "i386-sysv").scalar(Kind.ULONG) == "u32"
    assert printer("rustc", "aarch64-aapcs64").scalar(Kind.CHAR) == "u8"


@pytest.mark.parametrize("name", built_in())
def test_a_unit_has_the_functions_of_its_table(name: str) -> None:
    one = printer(name)
    types = find_model("x86_64-sysv").types
    texts = [
        one.functions(SIMPLE, arrange(types, SIMPLE, manner)) for manner in (Manner.PLAIN, Manner.KEEPING)
    ]
    unit = one.calls_unit(texts, "_7")
    listed = re.findall(r"\w+", table_text(2, "abi_functions_7", "_7").partition("{")[2])
    assert listed == ["abi_call_0_7", "abi_callee_0_7", "abi_call_1_7", "abi_callee_1_7"]
    assert [len(re.findall(rf"[\"']{name}[\"']|[a-z]+ {name}\b(?!;)", unit)) for name in listed] == [1] * 4
    assert "\x01" not in unit
    assert "\x02" not in unit


FORTRAN = """\
type, bind(C) :: I
  integer(c_short) :: x
  integer(c_int) :: y
end type
interface
function f(a, b) bind(C) result(returned)
  type(I), value :: a
  integer(c_long), value :: b
  integer(c_short) :: returned
end function
end interface"""
PROTOTYPES = {
    "zig-lang": "extern fn f(a: I, b: c_long) callconv(.c) c_short;",
    "rustc": 'extern "C" { fn f(a: I, b: i64) -> i16; }',
    "ldc2": "extern (C) short f(I a, long b);",
    "gdc": "extern (C) short f(I a, long b);",
    "hare": "fn f(a: I, b: i64) i16;",
    "flang": FORTRAN,
    "gfortran": FORTRAN,
    "gnat": "function f (a : I; b : long) return short with Import, Convention => C;",
    "fpc": "function f(a: I; b: int64): smallint; cdecl; external;",
    "libffi": "i16 f(I a, i64 b);",
    "swift": '@_cdecl("f") func f(_ a: I, _ b: Int64) -> Int16',
}


@pytest.mark.parametrize("name", built_in())
def test_a_prototype_is_printed_as_people_write_it(name: str) -> None:
    assert printer(name).declaration(SIMPLE).endswith(PROTOTYPES[name])


@pytest.mark.parametrize("name", built_in())
def test_a_question_is_printed_for_people_without_what_tells_units_apart(name: str) -> None:
    text = printer(name).declaration(SIMPLE)
    assert "\x01" not in text
    assert "\x02" not in text
    assert printer(name).declaration(INNER) in text


@pytest.mark.parametrize("name", built_in())
def test_targets_and_words_of_a_language_exist(name: str) -> None:
    language = find_language(str(built_in()[name]))
    assert language.name == name
    assert set(language.about.targets) <= set(PLATFORMS)
    assert language.lacks == EVERYTHING - language.says


WRONG = {
    "no TOML": ("subject.toml", 'name = "zig-lang"', "name = ", "Invalid value"),
    "a missing field": ("subject.toml", 'suffix = ".zig"', "", "missing required field `suffix`"),
    "an unknown field": (
        "subject.toml",
        'suffix = ".zig"',
        'suffix = ".zig"\nsufix = ""',
        "unknown field `sufix`",
    ),
    "a file elsewhere": (
        "subject.toml",
        "[levels]",
        '[files]\n"../one" = ""\n[levels]',
        "'../one' is no file name",
    ),
    "a construct of no name": ("subject.toml", '"typedef"', '"typdef"', "nothing is called 'typdef'"),
    "a type of no name": ("subject.toml", "_Bool =", "Bool =", "nothing is called 'Bool'"),
    "a command without an object": ("subject.toml", "{object}", "unit.o", "the command has no {object}"),
    "no usual level": ("subject.toml", "O2 =", "O9 =", "no options for the level O2"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_description_is_told_in_one_line(tmp_path: Path, name: str) -> None:
    file, old, new, words = WRONG[name]
    with pytest.raises(Problem) as told:
        Language(changed(tmp_path, file, old, new))
    assert words in str(told.value)
    assert "\n" not in str(told.value)


@pytest.mark.parametrize("name", ["caller.j2", "callee.j2", "unit.j2", "record.j2", "subject.toml"])
def test_a_missing_file_is_told(tmp_path: Path, name: str) -> None:
    shutil.copytree(built_in()["zig-lang"], tmp_path / "zig")
    (tmp_path / "zig" / name).unlink()
    with pytest.raises(Problem, match=name):
        Language(tmp_path / "zig")


@pytest.mark.parametrize(
    ("new", "words"), [("{{ record.nmae }}", "nmae"), ("{{ record.name", "line 1: expected token")]
)
def test_a_wrong_template_is_told_with_its_line(tmp_path: Path, new: str, words: str) -> None:
    folder = changed(tmp_path, "record.j2", "{{ record.name }}", new)
    with pytest.raises(Problem, match=words):
        Printer(Language(folder), find_model("x86_64-sysv").types).definitions((OUTER,))


def test_the_digest_is_that_of_all_files(tmp_path: Path) -> None:
    folder = changed(tmp_path, "callee.j2", "return", "return ")
    assert Language(folder).digest != find_language(str(built_in()["zig-lang"])).digest


def test_two_compilers_of_a_language_say_once_what_they_have_in_common(tmp_path: Path) -> None:
    ldc, gdc = (find_language(str(built_in()[name])).about for name in ("ldc2", "gdc"))
    assert gdc.keywords == ldc.keywords
    assert (gdc.types, gdc.says, gdc.suffix) == (ldc.types, ldc.says, ldc.suffix)
    assert gdc.command != ldc.command
    assert not gdc.alone
    own = changed(tmp_path, "subject.toml", 'name = "zig-lang"', 'name = "zag"')
    kin = tmp_path / "kin"
    kin.mkdir()
    text = 'name = "kin"\nprograms = ["kin"]\ntemplates = "../zig"\ncommand = ["{source}", "{object}"]\nescape = "{name}__"\n'
    (kin / "subject.toml").write_text(f"{text}[targets]\nx86_64-sysv = []\n", "utf-8")
    found = find_language(str(kin)).about
    assert (found.name, found.escape, found.types) == ("kin", "{name}__", find_language(str(own)).about.types)
