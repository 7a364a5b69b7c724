"""Compilers that misbehave in one way each.

`putting.program` makes a program that calls `main` with the command of a real compiler for each source file. The
environment variable ABIPROBE_TESTS_LIE names one of the functions below, which turns the text of a translation unit into
the text that is really compiled, or does worse. Needs the standard library only, so that the program starts at once.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

REGISTERS = 4
LOUD = "t.c:1: note: and another thing\n"
CHARACTERS = 2_000_000
LOAD_OF_LONG = r"\*\(long \*\)\(abi_in \+ \d+\)"
SPOIL = """\
#ifdef __x86_64__
#define SPOIL __asm__ volatile("mov $7, %r14")
#else
#define SPOIL __asm__ volatile("li s5, 7")
#endif
"""
# What a callee can write to of its caller's, in words above what clang has for the canonical frame address: on Arm the frame
# record, two words below it, elsewhere the stack pointer before the call.
FRAME = """\
#if defined __x86_64__ && defined _WIN32
#define HOME 0
#define ABOVE 4
#elif defined __i386__
#define ABOVE 1
#define NO_PARAMETER 1
#elif defined __s390x__
#define KEPT 0
#define HOME 1
#define ABOVE 20
#elif defined __powerpc64__
#define KEPT 0
#define HOME 2
#if _CALL_ELF == 2
#define ABOVE 4
#else
#define ABOVE 14
#endif
#elif defined __powerpc__
#define KEPT 0
#define HOME 1
#define ABOVE 2
#elif defined __sparc__ && defined __arch64__
#define HOME 16
#define ABOVE 22
#elif defined __sparc__
#define HOME 17
#define ABOVE 23
#elif defined __aarch64__ || defined __arm__ || defined __hexagon__
#define ABOVE 2
#else
#define ABOVE 0
#endif
#ifndef NO_PARAMETER
#define NO_PARAMETER 0
#endif
#define AT(n) (((volatile __SIZE_TYPE__ *)__builtin_dwarf_cfa())[n])
"""
KEPT_ADDRESS = """\
#ifdef __x86_64__
#define KEEP(what) __asm__ volatile("mov %0, %%r14" : : "r"(&what))
#elif defined __riscv
#define KEEP(what) __asm__ volatile("mv s5, %0" : : "r"(&what))
#else
#define KEEP(what) __asm__ volatile("mov x21, %0" : : "r"(&what))
#endif
"""
WRITE = """\
static void babble(const void *data, long size) {
#ifdef __x86_64__
  long result = 1;
  __asm__ volatile("syscall" : "+a"(result) : "D"(1L), "S"(data), "d"(size) : "rcx", "r11", "memory");
#else
  register long a0 __asm__("a0") = 1, a7 __asm__("a7") = 64, a2 __asm__("a2") = size;
  register const void *a1 __asm__("a1") = data;
  __asm__ volatile("ecall" : "+r"(a0) : "r"(a1), "r"(a2), "r"(a7) : "memory");
#endif
}
static const unsigned char nought[256];
"""


def tells_the_truth(text: str, _output: Path) -> str:
    """Compiles what it is given."""
    return text


def swaps_parameters(text: str, _output: Path) -> str:
    """Callees take their first two parameters for each other when both are `long`."""
    return re.sub(r"(callee_\d+\()long (\w+), long (\w+)", r"\1long \3, long \2", text)


def swaps_arguments(text: str, _output: Path) -> str:
    """Callers exchange their first two arguments when both are `long`."""
    return re.sub(rf"(abi_target\)\()({LOAD_OF_LONG}), ({LOAD_OF_LONG})", r"\1\3, \2", text)


def passes_the_object_itself(text: str, _output: Path) -> str:
    """Callers pass the address of their own `struct Big` instead of that of a copy."""
    return re.sub(r"\((struct Big_\d+)\)\)abi_target\)\((object\d+)\)", r"(\1 *))abi_target)(&\2)", text)


def changes_what_it_passed(text: str, _output: Path) -> str:
    """Callers change their own record after they have passed a copy of it."""
    return re.sub(r"(\*\(struct \w+ \*\)\(abi_out \+ \d+\) = (object\d+);)", r"++*(char *)&\2; \1", text)


def forgets_the_order(text: str, _output: Path) -> str:
    """Callees that forward two parameters to another function pass the first of them twice."""
    return re.sub(r"(forward_\d+\()(\w+), (\w+)\);", r"\1\2, \2);", text)


def reuses_its_arguments(text: str, _output: Path) -> str:
    """Callers that call twice in a row pass the second argument for the first one, too, the second time."""
    again = r"(abi_target\)\(object0, object1\);\n.*abi_target\)\()object0"
    return re.sub(again, r"\1object1", text)


def takes_a_neighbour(text: str, _output: Path) -> str:
    """Callers that use the member `last` of a result, and nothing else of it, get the one before it."""
    return re.sub(r"(abi_target\)\([^;]*\))\.last;", r"\1.first;", text)


def trusts_padding(text: str, _output: Path) -> str:
    """Callees that widen the `_BitInt(7)` member `tight` take the byte that it is in for the value."""
    return re.sub(r"= (\w+)\.tight;", r"= *(signed char *)&\1.tight;", text)


def forgets_to_convert(text: str, _output: Path) -> str:
    """Callees that convert a `float` to `double` take a bit of it for another one."""
    return re.sub(r"(ABI_WIDEN\(\d+, )(\w+)\)", r"\1-\2)", text)


def sometimes_swaps_parameters(text: str, output: Path) -> str:
    """Callees take their first two parameters for each other in every third unit that the program compiles."""
    if "-###" in sys.argv:
        return text
    count = Path(sys.argv[0]).with_suffix(".count")
    number = len(count.read_bytes()) if count.exists() else 0
    with count.open("ab") as file:
        file.write(b".")
    return text if number % 3 else swaps_parameters(text, output)


def shouts_about_unions(text: str, _output: Path) -> str:
    """Prints two million characters, dies, and says where only at the end, on every unit that has a union."""
    if "union" in text:
        sys.stderr.write(LOUD * (CHARACTERS // len(LOUD)))
        sys.stderr.write("faux: layout.cc:12: int lay(int): Assertion `size > 0' failed.\n")
        sys.stderr.flush()
        os.kill(os.getpid(), signal.SIGABRT)
    return text


def dies_on_unions_without_a_word(text: str, _output: Path) -> str:
    """Dies of a wild pointer and says nothing, on every unit that has a union."""
    if "union" in text:
        os.kill(os.getpid(), signal.SIGSEGV)
    return text


def drops_sign_extension(text: str, _output: Path) -> str:
    """Callers widen a `short` argument with zeros."""
    lines = text.splitlines()
    return "\n".join(
        re.sub(r"\bshort\b", "unsigned short", line) if "abi_target)(" in line else line for line in lines
    )


def drops_sign_extension_of_results(text: str, _output: Path) -> str:
    """Callees widen an `int` result with zeros, and a `short` one, too."""
    text = re.sub(
        r"\bint (callee_\d+\(.*?\{.*?\breturn )(.*?;)", r"long \1(unsigned)\2", text, flags=re.DOTALL
    )
    return re.sub(r"\bshort (callee_\d+\()", r"unsigned short \1", text)


def misplaces_a_member(text: str, _output: Path) -> str:
    """The offset of the member `b` of `struct Two` is 4 bytes too large."""
    return re.sub(r"ABI_OFFSET\(struct Two_\d+, b\)", r"(\g<0> + 4)", text)


def misplaces_a_bit_field(text: str, _output: Path) -> str:
    """The bit-field `late` starts 5 bits later than it should."""
    return text.replace("int late: 7;", "int : 5; int late: 7;")


def inflates_a_record(text: str, _output: Path) -> str:
    """`sizeof(struct Two)` is 8 bytes too large."""
    return re.sub(r"sizeof\(struct Two_\d+\)", r"(\g<0> + 8)", text)


def forgets_its_constants(text: str, _output: Path) -> str:
    """The constants that should tell layouts are fewer than were asked for."""
    return re.sub(r"(abi_layout\[\] = \{ [^,]*), .*\};", r"\1 };", text) if "struct Two" in text else text


def halves_its_constants(text: str, _output: Path) -> str:
    """The constants that should tell layouts end in the middle of one."""
    short = "const unsigned char abi_layout[] = { 1, 2, 3 };"
    return re.sub(r"const [^;]*abi_layout\[\][^;]*;", short, text) if "struct Two" in text else text


def crashes_on_unions(text: str, _output: Path) -> str:
    """Dies of a wild pointer, with a stack trace, on every unit that has a union."""
    if "union" in text:
        sys.stderr.write("PLEASE submit a bug report\nStack dump:\n0. Program arguments: faux\n")
        sys.stderr.flush()
        os.kill(os.getpid(), signal.SIGSEGV)
    return text


def crashes_without_a_word(text: str, _output: Path) -> str:
    """Dies of a wild pointer and says nothing, on every unit that names `odd`."""
    if re.search(r"\bodd\b", text):
        os.kill(os.getpid(), signal.SIGSEGV)
    return text


def crashes_on_complex(text: str, _output: Path) -> str:
    """Dies on `_Complex`, which it claims to have."""
    if "_Complex" in text:
        sys.stderr.write("t.c:1: internal compiler error: in faux, at compiler.c:1\n")
        sys.stderr.flush()
        os.kill(os.getpid(), signal.SIGABRT)
    return text


def hangs(text: str, _output: Path) -> str:
    """Never comes to an end on a unit that names `odd`."""
    while re.search(r"\bodd\b", text):
        time.sleep(1)
    return text


def refuses_int128(text: str, _output: Path) -> str:
    """Knows no `__int128`."""
    if "__int128" in text:
        sys.exit("t.c:1:1: error: __int128 is not supported on this target")
    return text


def refuses(text: str, _output: Path) -> str:
    """Refuses a unit that names `odd`."""
    if re.search(r"\bodd\b", text):
        sys.exit("In file included from nowhere:\nt.c:1:1: error: odd is not a name that I like")
    return text


def shouts(text: str, _output: Path) -> str:
    """Prints two million characters and fails on a unit that names `odd`."""
    if re.search(r"\bodd\b", text):
        sys.stderr.write(LOUD * (CHARACTERS // len(LOUD)))
        sys.exit("t.c:1:1: error: " + "too much " * 1000)
    return text


def ignores_its_input(text: str, _output: Path) -> str:
    """Says that all is well on a unit that names `odd`, and writes no object file."""
    if re.search(r"\bodd\b", text):
        sys.exit(0)
    return text


def writes_garbage(text: str, output: Path) -> str:
    """Writes an object file that is none for a unit that names `odd`."""
    if re.search(r"\bodd\b", text):
        output.write_bytes(b"\x7fELF\x02\x01\x01" + bytes(range(256)) * 8)
        sys.exit(0)
    return text


def writes_nothing(text: str, output: Path) -> str:
    """Writes an empty object file for a unit that names `odd`."""
    if re.search(r"\bodd\b", text):
        output.touch()
        sys.exit(0)
    return text


def truncates_its_output(text: str, output: Path) -> str:
    """Writes the beginning of an object file for a unit that names `odd`."""
    if re.search(r"\bodd\b", text):
        headers = b"\x7fELF\x02\x01\x01" + bytes(9) + b"\x01\x00\x3e\x00\x01" + bytes(19)
        output.write_bytes(headers + (64).to_bytes(8, "little"))
        sys.exit(0)
    return text


def follows_a_wild_pointer(text: str, _output: Path) -> str:
    """Callees with a parameter `odd` write where nothing is."""
    return _in_odd_callees(text, "*(volatile int *)8 = 1;")


def loops(text: str, _output: Path) -> str:
    """Callees with a parameter `odd` never return."""
    return _in_odd_callees(text, "for (volatile int i = 0; ; i++) ;")


def writes_without_end(text: str, _output: Path) -> str:
    """Callees with a parameter `odd` print for ever."""
    return WRITE + _in_odd_callees(text, "for (;;) babble(abi_in, 4096);")


def writes_noughts(text: str, _output: Path) -> str:
    """Callees with a parameter `odd` print something that looks like records, and return."""
    return WRITE + _in_odd_callees(text, "babble(nought, sizeof nought);")


def writes_records(text: str, _output: Path) -> str:
    """Callees with a parameter `odd` print the beginning of a record, which the true one then seems to continue."""
    start = "{ const unsigned short head[4] = { 256, 0, 2, 0 }; babble(head, sizeof head); }"
    return WRITE + _in_odd_callees(text, start)


def asks_the_kernel(text: str, _output: Path) -> str:
    """Callees with a parameter `odd` ask the kernel who they are, and would go on if they got an answer."""
    asks = '__asm__ volatile("syscall" : "=a"(id) : "a"(39L) : "rcx", "r11", "memory");'
    return _in_odd_callees(text, f"{{ long id; {asks} }}")


def calls_twice(text: str, _output: Path) -> str:
    """Callers of functions with a first `long` and a second `double` call them twice."""
    return re.sub(r"(\{\s*)([^{}]*\(long, double\)\)abi_target\)[^;]*;)", r"\1\2 \2", text)


def spoils_a_saved_register(text: str, _output: Path) -> str:
    """Callees with a parameter `odd` overwrite a callee-saved register."""
    return SPOIL + _in_odd_callees(text, "SPOIL;")


def spoils_scalable_registers(text: str, _output: Path) -> str:
    """Callees with a parameter `odd` change of SVE's registers all but what the callees without values of SVE keep."""
    return _in_odd_callees(text, '__asm__ volatile("mov d8, v8.d[0]; mov z16.b, #7; pfalse p4.b");')


def misaligns_the_stack(text: str, _output: Path) -> str:
    """Callers of functions of a `long` and a `double` move the stack pointer by 8 bytes around the call."""
    asks = r"(\{\s*)([^{}]*\(long, double\)\)abi_target\)[^;]*;)"
    move = '__asm__ volatile("{} $8, %rsp");'
    return re.sub(asks, rf"\1{move.format('sub')} \2 {move.format('add')}", text)


def calls_backwards(text: str, _output: Path) -> str:
    """Callers of functions of a `long` and a `double` set the direction flag for the call."""
    asks = r"(\{\s*)([^{}]*\(long, double\)\)abi_target\)[^;]*;)"
    return re.sub(asks, r'\1__asm__ volatile("std"); \2 __asm__ volatile("cld");', text)


def leaves_the_flag_set(text: str, _output: Path) -> str:
    """Callees with a parameter `odd` return with the direction flag set."""
    return _in_odd_callees(text, '__asm__ volatile("std");')


def stays_in_mmx(text: str, _output: Path) -> str:
    """Callees with a parameter `odd` use an MMX register and issue no `emms`."""
    return _in_odd_callees(text, '__asm__ volatile("movq %mm0, %mm0");')


def writes_above_its_arguments(text: str, _output: Path) -> str:
    """Callees with a parameter `odd`, which has a word, overwrite the word above their arguments: their caller's."""
    return FRAME + _in_odd_callees(text, "AT(ABOVE) = 0;")


def writes_a_kept_word(text: str, _output: Path) -> str:
    """Callees with a parameter `odd` overwrite the back chain of their caller."""
    return FRAME + _in_odd_callees(text, "AT(KEPT) = 0;")


def writes_at_home(text: str, _output: Path) -> str:
    """Callees with a parameter `odd` overwrite a word of the area that their caller has for them, which they may."""
    return FRAME + _in_odd_callees(text, "AT(HOME) = 0;")


def writes_above_itself_to_call(text: str, _output: Path) -> str:
    """Callers of functions of a `long` overwrite the word above their own return address."""
    return FRAME + _around_calls(text, "AT(ABOVE - NO_PARAMETER) = 0;", "")


def leaves_a_real_in_x87(text: str, _output: Path) -> str:
    """Callees with a parameter `odd` leave a number on the x87 stack."""
    return _in_odd_callees(text, '__asm__ volatile("fld1");')


def calls_with_a_real_in_x87(text: str, _output: Path) -> str:
    """Callers of functions of a `long` have a number on the x87 stack when they call."""
    return _around_calls(text, '__asm__ volatile("fld1");', '__asm__ volatile("fstp %st(0)");')


def calls_in_mmx(text: str, _output: Path) -> str:
    """Callers of functions of a `long` use an MMX register and issue `emms` only after the call."""
    return _around_calls(text, '__asm__ volatile("movq %mm0, %mm0");', '__asm__ volatile("emms");')


def returns_from_a_call_with_x87_in_use(text: str, _output: Path) -> str:
    """Callers of functions of a `long` leave a number on the x87 stack when they return."""
    return _around_calls(text, "", '__asm__ volatile("fld1");')


def miscounts_registers(text: str, _output: Path) -> str:
    """Callers of variadic functions pass 9 for the number of vector registers."""
    detour = '__asm__("detour: movb $9, %al; jmp *abi_target(%rip)"); void detour(void);\n'
    return detour + re.sub(r"(\(int, \.\.\.\)\))abi_target", r"\1detour", text)


def forgets_the_ellipsis(text: str, _output: Path) -> str:
    """Callers pass a `double` after an `int` as if the prototype had named it."""
    return re.sub(r"\(int, \.\.\.\)\)abi_target", "(int, double))abi_target", text)


def reads_one_argument_late(text: str, _output: Path) -> str:
    """Callees skip an `int` before they read their first unnamed argument."""
    return re.sub(r"(ABI_START\(ap, \w+\);)", r"\1 (void)ABI_ARG(ap, int);", text)


def forgets_what_it_kept(text: str, _output: Path) -> str:
    """Callers change one of the values that they keep over a call."""
    return text.replace(" = word7;", " = word7 + 1;")


def forgets_its_marks(text: str, _output: Path) -> str:
    """The assembler is not told which functions have the convention for vectors of RISC-V and AArch64."""
    return re.sub(r"^\s*\.variant_(?:cc|pcs)\b.*\n", "", text, flags=re.MULTILINE)


def rewrites(text: str, _output: Path) -> str:
    """Takes what each line of the environment says for something else, wherever it is declared."""
    for line in os.environ["ABIPROBE_TESTS_REWRITE"].splitlines():
        was, instead = line.split(" => ")
        text = re.sub(was, instead, text)
    return text


def _around_calls(text: str, before: str, after: str) -> str:
    """Statements before and after the calls of functions of a `long`."""
    return re.sub(r"(\{\s*)([^{}]*\(long\)\)abi_target\)[^;]*;)", rf"\1{before} \2 {after}", text)


def shows_addresses(text: str, _output: Path) -> str:
    """Passes, stores and returns addresses of its own instead of most values, and leaves one in a callee-saved register."""
    number, lines = "0", []
    for line in text.splitlines():
        mark = re.match(r'#line 1 "probe_(\d+)"', line)
        number = mark[1] if mark else number
        lines.append(_with_addresses(line, f"call_{number}"))
    return KEPT_ADDRESS + "\n".join(lines) + "\n"


WHOLE = r"(?:unsigned )?(?:int|long|long long)|void \*"


def _with_addresses(line: str, function: str) -> str:
    """A line of a unit with addresses, among them that of the function, for some of its values."""

    def address(offset: str) -> str:
        own = (
            f"(long){function}",
            '(long)"of its own"',
            "(long)__builtin_frame_address(0)",
            "(long)(abi_in + 8)",
            "",
        )
        return own[int(offset) // 16 % len(own)]

    def passed(found: re.Match[str]) -> str:
        shown = address(found[2])
        return f"({found[1]})({shown})" if shown else found[0]

    def stored(found: re.Match[str]) -> str:
        shown = address(found[2])
        return f"*({found[1]} *)(abi_out + {found[2]}) = ({found[1]})({shown});" if shown else found[0]

    def copied(found: re.Match[str]) -> str:
        shown = address(found[2])
        first = f"sizeof {found[1]} < sizeof(long) ? sizeof {found[1]} : sizeof(long)"
        return f"{found[0]} memcpy(&{found[1]}, (long[]){{ {shown} }}, {first});" if shown else found[0]

    line = re.sub(rf"\*\(({WHOLE}) \*\)\(abi_in \+ (\d+)\)", passed, line)
    line = re.sub(rf"\*\(({WHOLE}) \*\)\(abi_out \+ (\d+)\) = \w+;", stored, line)
    line = re.sub(r"(object\d+) = \*\([^;]*\)\(abi_in \+ (\d+)\);", copied, line)
    return re.sub(r"(void callee_\d+\([^{]*\{)", rf"\1 KEEP({function});", line)


def dies_near_its_code(text: str, _output: Path) -> str:
    """Callees with a `float` follow a pointer into nowhere that is made of an address of the code."""
    die = "*(volatile int *)((long)call_{} | 1L << 46) = 1;"
    return re.sub(
        r"callee_(\d+)\([^{]*\bfloat\b[^{]*\{", lambda found: f"{found[0]} {die.format(found[1])}", text
    )


def is_wordy(text: str, output: Path) -> str:
    """Refuses a unit that has a union, with the names of its files and an address."""
    if "union" in text:
        sys.exit(
            f"{output.resolve()}: error: cannot make {output.name} of /tmp/cc{os.getpid():06d}.s at {id(text):#x}"
        )
    return text


def forgets_after_a_struct(text: str, _output: Path) -> str:
    """Callees take a real from elsewhere that follows a struct by reference behind the registers of `x86_64-ms`."""
    return _misplaced(text, lambda one: one.kind == "real" and one.behind and one.before[-1].kind == "struct")


def misplaces_the_second_of_two(text: str, _output: Path) -> str:
    """Callees take a struct from elsewhere that follows one of its own type behind the registers of `x86_64-ms`."""
    return _misplaced(
        text, lambda one: one.kind == "struct" and one.behind and one.before[-1].c_type == one.c_type
    )


def counts_reals(text: str, _output: Path) -> str:
    """Callees take a struct from elsewhere that follows an odd number of reals behind the registers of `x86_64-ms`."""

    def is_odd(one: Argument) -> bool:
        reals = [other for other in one.before if other.kind == "real" and other.position >= REGISTERS]
        return one.kind == "struct" and len(reals) % 2 == 1

    return _misplaced(text, is_odd)


def counts_to_five(text: str, _output: Path) -> str:
    """Callees take the argument from elsewhere that follows five integers, one more than `x86_64-ms` has registers."""
    return _misplaced(text, lambda one: _integers(one) == 5)


def counts_to_thirteen(text: str, _output: Path) -> str:
    """Callees take the argument from elsewhere that follows thirteen integers."""
    return _misplaced(text, lambda one: _integers(one) == 13)


def _integers(one: Argument) -> int:
    """The number of integers before an argument."""
    return [other.kind for other in one.before].count("integer")


class Argument(NamedTuple):
    """A parameter of a callee: its type and name in C, its position among all, hidden ones too, and those before it."""

    c_type: str
    name: str
    position: int
    before: list[Argument]

    @property
    def kind(self) -> str:
        """What it is."""
        if "struct" in self.c_type:
            return "struct"
        return "real" if re.search(r"\b(float|double)\b", self.c_type) else "integer"

    @property
    def behind(self) -> bool:
        """Return whether the one before it is on the stack."""
        return self.position > REGISTERS


def _misplaced(text: str, is_wrong: Callable[[Argument], bool]) -> str:
    """Callees overwrite the parameters that are wrong before they look at them."""

    def spoilt(found: re.Match[str]) -> str:
        result, params = found[1], re.split(r", (?![^(]*\))", found[2])
        arguments: list[Argument] = []
        for one in params if params != ["void"] else ():
            c_type, _, name = one.rpartition(" ")
            arguments.append(Argument(c_type, name, len(arguments) + ("struct" in result), [*arguments]))
        wrong = [one.name for one in arguments if is_wrong(one)]
        return found[0] + "".join(f" __builtin_memset(&{name}, 90, sizeof {name});" for name in wrong)

    return re.sub(r"static (.*)\bcallee_\d+\)?\((.*)\) \{", spoilt, text)


def _in_odd_callees(text: str, statement: str) -> str:
    return re.sub(r"callee_\d+\([^{]*\bodd\b[^{]*\{", rf"\g<0> {statement}", text)


ABOUT_ASSEMBLY = frozenset({forgets_its_marks})
"""Lies that are told to the assembler, once a unit is compiled."""


def to_assembly(real: list[str], arguments: list[str], source: Path) -> Path:
    """What the real compiler makes of a unit."""
    path = source.with_suffix(".s")
    command = ["-S" if one == "-c" else one for one in arguments]
    command[command.index("-o") + 1] = str(path)
    subprocess.run([*real, *command], check=True)
    return path


def main(real: list[str]) -> None:
    """Compile as the arguments say, after the chosen lie has had its way with the source file."""
    lie = globals()[os.environ.get("ABIPROBE_TESTS_LIE", "tells_the_truth")]
    arguments = sys.argv[1:]
    for number, argument in enumerate(arguments):
        if argument.endswith(".c"):
            source = Path(argument)
            if lie in ABOUT_ASSEMBLY:
                source = to_assembly(real, arguments, source)
            changed = source.with_suffix(f".faux{source.suffix}")
            output = Path(arguments[arguments.index("-o") + 1])
            changed.write_text(lie(source.read_text("utf-8"), output), "utf-8")
            arguments[number] = str(changed)
    os.execv(real[0], [*real, *arguments])
