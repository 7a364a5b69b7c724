"""PTX texts on both sides of each rule of chapter 7: a table of them, and random ones that break exactly one."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec

from abiprobe.generators.draw import Draw, SeededDraw


class Text(msgspec.Struct, frozen=True):
    """A PTX text and the options that it is assembled with; `name` says what it is about."""

    name: str
    ptx: str
    options: tuple[str, ...] = ("-c",)


HEAD = ".version {0}\n.target {1}\n.address_size 64\n"
BAR = ".extern .func (.reg .s32 out) bar (.reg .s32 x, .param .align 8 .b8 y[12]);\n"
VALUE = ".extern .func (.param .b32 o) value (.param .b32 x);\n"
OPEN = ".extern .func v(.reg .u32 n, .param .align 8 .b8 a[]);\n"
LOCALS = (
    ".reg .b32 %r<10>; .reg .b64 %rd<10>; .reg .pred %p; .reg .s32 %s<4>; .reg .f32 %f; .reg .b16 %h<4>;\n"
    "mov.b32 %r1, 1; mov.b64 %rd1, 2; mov.u32 %r2, %tid.x; setp.eq.u32 %p, %r2, 3;\n"
)
ARRAY = ".param .align 8 .b8 py[12];"
STORE = "st.param.b64 [py], %rd1;"
CALL = "call (%s1), bar, (%r1, py);"


def text(name: str, body: str, *options: str, version: str = "7.8", target: str = "sm_90") -> Text:
    """A module with this body."""
    return Text(name, HEAD.format(version, target) + body + "\n", options or ("-c",))


def in_caller(name: str, body: str, *, before: str = BAR, params: str = "", version: str = "7.8") -> Text:
    """A module with one function that has this body."""
    return text(name, f"{before}.visible .func g({params}) {{ {LOCALS}{{ {body} }}\nret; }}", version=version)


def table() -> Iterator[Text]:
    """The texts of the matrix, one for each row."""
    yield from formals_table()
    yield from arguments_table()
    yield from accesses_table()
    yield from modules_table()


def formals_table() -> Iterator[Text]:
    """Types and alignments of formal parameters."""
    for kind in ("u8", "s8", "u16", "s16", "b8", "b16", "f16", "b32", "f32", "u64", "b128"):
        version = "8.3" if kind == "b128" else "7.8"
        for space in (".reg", ".param"):
            yield text(
                f"{space} .{kind} parameter",
                f".visible .func f({space} .{kind} a) {{ ret; }}",
                version=version,
            )
            yield text(
                f"{space} .{kind} result",
                f".visible .func ({space} .{kind} a) f() {{ ret; }}",
                version=version,
            )
    yield text(".reg .pred parameter", ".visible .func f(.reg .pred a) { ret; }")
    for align in (1, 2, 4, 8, 16, 32, 64, 128, 256, 0, 3, 6, 12, 24):
        yield text(
            f".align {align} of a function", f".visible .func f(.param .align {align} .b8 a[32]) {{ ret; }}"
        )
    for align in (256, 1024, 4096):
        yield text(
            f".align {align} of a kernel", f".visible .entry f(.param .align {align} .b8 a[32]) {{ ret; }}"
        )


def arguments_table() -> Iterator[Text]:
    """Arguments of calls."""
    yield in_caller("a valid call", f"{ARRAY} {STORE} {CALL}")
    for size in (8, 16):
        yield in_caller(f"array of {size} bytes for 12", f".param .align 8 .b8 py[{size}]; {STORE} {CALL}")
    for align in (4, 16):
        yield in_caller(
            f"array of alignment {align} for 8", f".param .align {align} .b8 py[12]; {STORE} {CALL}"
        )
    yield in_caller("array of .b32", f".param .align 8 .b32 py[3]; {STORE} {CALL}")
    yield in_caller("register for an array", "call (%s1), bar, (%r1, %rd1);")
    yield in_caller("constant for an array", "call (%s1), bar, (%r1, 5);")
    yield text(".reg array", ".visible .func f(.reg .b32 a[4]) { ret; }")
    yield text(".param .u32 array", ".visible .func f(.param .u32 a[4]) { ret; }")
    for kind, name in (("b32", "%r1"), ("f32", "%f"), ("b64", "%rd1"), ("b16", "%h1"), ("s32", "%s1")):
        yield in_caller(f".{kind} for .param .b32", f"call (%r3), value, ({name});", before=VALUE)
    yield in_caller(".f32 for .s32", f"{ARRAY} {STORE} call (%s1), bar, (%f, py);")
    yield in_caller(
        "array for a scalar",
        ".param .align 4 .b8 q[4]; st.param.b32 [q], %r1; call (%r3), value, (q);",
        before=VALUE,
    )
    for value in ("5", "-1", "4294967296", "0f3f800000"):
        yield in_caller(f"constant {value} for .s32", f"{ARRAY} {STORE} call (%s1), bar, ({value}, py);")
    yield in_caller(
        "own parameter as argument", "call (%s1), bar, (%r1, z);", params=".param .align 8 .b8 z[12]"
    )
    yield text(".param at module scope", ".param .b32 m;\n.visible .func f() { ret; }")


def accesses_table() -> Iterator[Text]:
    """Accesses around calls."""
    other = "call (%r4), value, (%r1);"
    for name, between in (
        ("arithmetic", "add.s32 %r3, %r1, %r2;"),
        ("a store", "st.volatile.shared.b32 [%r1], %r2;"),
        ("a barrier", "bar.sync 0;"),
        ("a branch", "@%p bra L; add.s32 %r3, %r1, %r2; L:"),
    ):
        yield in_caller(f"{name} between st.param and call", f"{ARRAY} {STORE} {between} {CALL}")
    yield in_caller("a call between st.param and call", f"{ARRAY} {STORE} {other} {CALL}", before=BAR + VALUE)
    result = ".param .b32 rv; call (rv), value, (%r1);"
    yield in_caller("ld.param after the call", f"{result} ld.param.b32 %r3, [rv];", before=VALUE)
    yield in_caller(
        "ld.param behind arithmetic", f"{result} add.s32 %r4, %r1, %r2; ld.param.b32 %r3, [rv];", before=VALUE
    )
    yield in_caller("ld.param before the call", f"{ARRAY} {STORE} ld.param.b32 %r3, [py]; {CALL}")
    for size in (48, 52):
        yield in_caller(
            f"call without arguments that returns {size} bytes",
            f".param .align 4 .b8 rv[{size}]; call (rv), large;",
            before=f".extern .func (.param .align 4 .b8 o[{size}]) large();\n",
        )
    yield in_caller("predicated st.param", f"{ARRAY} @%p {STORE} {CALL}")
    yield in_caller("predicated ld.param", f"{result} @%p ld.param.b32 %r3, [rv];", before=VALUE)
    for offset in (8, 12):
        yield in_caller(
            f"st.param.b64 at {offset} of 12", f"{ARRAY} {STORE} st.param.b64 [py+{offset}], %rd1; {CALL}"
        )
    yield in_caller("no st.param", f"{ARRAY} {CALL}")
    yield in_caller("st.param.b32 at 2", f"{ARRAY} st.param.b32 [py+2], %r1; {CALL}")
    yield in_caller("st.param.b64 at 4", f"{ARRAY} st.param.b64 [py+4], %rd1; {CALL}")
    yield in_caller("st.param at -1", f"{ARRAY} st.param.b8 [py+-1], %r1; {CALL}")
    yield in_caller("address of an argument", f"{ARRAY} {STORE} mov.b64 %rd2, py; {CALL}")
    yield in_caller("write to an input", "st.param.b32 [z], %r1;", params=".param .b32 z")


def modules_table() -> Iterator[Text]:
    """Results, module scope, arrays without a size, alloca, declarations and kernels."""
    yield text("two .param results", ".visible .func (.param .b32 a, .param .b32 b) f() { ret; }")
    yield text("two .reg results", ".visible .func (.reg .b32 a, .reg .b32 b) f() { ret; }")
    for version in ("8.0", "3.0"):
        yield text(
            f".reg at module scope in {version}",
            ".reg .u32 %m;\n.visible .entry k() { mov.u32 %m, 1; ret; }",
            "-O1",
            version=version,
            target="sm_75" if version != "3.0" else "sm_30",
        )
    yield text(
        "unsized array", ".visible .func f(.param .align 4 .b8 a[]) { ret; }", version="6.0", target="sm_70"
    )
    yield text(
        "unsized array before 6.0",
        ".visible .func f(.param .align 4 .b8 a[]) { ret; }",
        version="5.0",
        target="sm_60",
    )
    yield text(
        "unsized array that is not last", ".visible .func f(.param .align 4 .b8 a[], .param .b32 b) { ret; }"
    )
    yield text("unsized array of a kernel", ".visible .entry f(.param .align 4 .b8 a[]) { ret; }")
    yield text("unsized array as result", ".visible .func (.param .align 4 .b8 a[]) f() { ret; }")
    for size in (1, 8, 100):
        yield in_caller(
            f"{size} bytes for an unsized array",
            f".param .align 8 .b8 q[{size}]; st.param.b8 [q], %r1; call v, (3, q);",
            before=OPEN,
        )
    for align in (4, 16):
        yield in_caller(
            f"alignment {align} for an unsized array",
            f".param .align {align} .b8 q[16]; st.param.b8 [q], %r1; call v, (3, q);",
            before=OPEN,
        )
    yield in_caller("nothing for an unsized array", "call v, (3);", before=OPEN)
    alloca = ".visible .entry k() {{ .reg .u64 %a; alloca.u64 %a, 16, {0}; ret; }}"
    for align in (1, 8, 256, 12):
        yield text(f"alloca of alignment {align}", alloca.format(align), "-O1", version="7.3", target="sm_75")
    yield text("alloca before 7.3", alloca.format(8), "-O1", version="7.2", target="sm_75")
    yield in_caller("call of an undeclared function", "call nope;")
    for name, other_one in (
        ("type", ".param .f32 a"),
        ("size", ".param .b64 a"),
        ("space", ".reg .b32 a"),
        ("count", ".param .b32 a, .param .b32 b"),
    ):
        yield text(
            f"declaration of another {name}",
            f".visible .func s(.param .b32 a);\n.visible .func s({other_one}) {{ ret; }}",
        )
    yield text("the example's order", f"{BAR}.visible .func g() {{ {{ .param .b8 .align 8 py[12]; }} ret; }}")
    for size, version, target in (
        (4352, "8.0", "sm_75"),
        (4353, "8.0", "sm_75"),
        (4353, "8.1", "sm_75"),
        (32764, "8.1", "sm_75"),
        (32765, "8.1", "sm_75"),
    ):
        yield text(
            f"kernel of {size} bytes in {version}",
            f".visible .entry k(.param .align 1 .b8 a[{size}]) {{ ret; }}",
            "-O1",
            version=version,
            target=target,
        )


def broken(seed: int, count: int) -> tuple[Text, ...]:
    """Random valid callers, each with one change that breaks one rule or none; the same seed gives the same."""
    draw = SeededDraw(seed)
    return tuple(one_broken(draw) for _ in range(count))


def one_broken(draw: Draw) -> Text:
    """A caller of a random array, changed in one place."""
    align = draw.pick((8, 4, 16, 2, 1))
    size = align * (1 + draw.below(6))
    width = min(8, align)
    number = draw.below(len(CHANGES))
    name, change = CHANGES[number]
    return change(draw, Shape(name, size, align, width))


class Shape(msgspec.Struct, frozen=True):
    """A call with one array of `size` bytes and alignment `align`, stored `width` bytes at a time."""

    name: str
    size: int
    align: int
    width: int

    @property
    def register(self) -> str:
        """A register of the width."""
        return "%rd1" if self.width == 8 else "%r1"

    def text(
        self,
        *,
        size: int | None = None,
        align: int | None = None,
        stores: str | None = None,
        between: str = "",
        count: str = "%r1",
    ) -> Text:
        """The caller, with these parts changed."""
        before = f".extern .func (.param .b32 o) t(.param .b32 n, .param .align {self.align} .b8 y[{self.size}]);\n"
        given = f".param .align {align or self.align} .b8 py[{size or self.size}]; .param .b32 rv;"
        call = f"call (rv), t, ({count}, py); ld.param.b32 %r3, [rv];"
        return in_caller(
            self.name,
            f"{given} {self.stores() if stores is None else stores} {between} {call}",
            before=before,
        )

    def stores(self, shift: int = 0, guard: str = "") -> str:
        """Every store, moved by `shift` bytes, behind `guard`."""
        return " ".join(
            f"{guard}st.param.b{self.width * 8} [py+{at + shift}], {self.register};"
            for at in range(0, self.size, self.width)
        )


CHANGES: tuple[tuple[str, Callable[[Draw, Shape], Text]], ...] = (
    ("nothing changed", lambda _draw, own: own.text()),
    ("argument of another size", lambda _draw, own: own.text(size=own.size + own.align)),
    ("argument of another alignment", lambda _draw, own: own.text(align=own.align * 2)),
    (
        "instruction before the call",
        lambda draw, own: own.text(between=draw.pick(("add.s32 %r5, %r1, %r2;", "bar.sync 0;"))),
    ),
    ("predicated store", lambda _draw, own: own.text(stores=own.stores(guard="@%p "))),
    (
        "store behind the end",
        lambda _draw, own: own.text(
            stores=own.stores() + f" st.param.b{own.width * 8} [py+{own.size}], {own.register};"
        ),
    ),
    ("argument of another type", lambda _draw, own: own.text(count="%rd1")),
    ("address of the argument", lambda _draw, own: own.text(between="mov.b64 %rd3, py;")),
    ("constant out of range", lambda _draw, own: own.text(count="4294967296")),
    ("no store", lambda _draw, own: own.text(stores="")),
)
"""The changes to a valid caller."""
