"""C declarations as users write them, for tests that hold for any file."""

from __future__ import annotations

SAMPLES: dict[str, str] = {
    "empty": "",
    "comment": "/* nothing */",
    "scalars": "struct A { char a; signed char b; unsigned char c; short d; unsigned e; long f; long long g; };",
    "floating": "struct A { _Float16 a; __bf16 b; float c; double d; long double e; _Float128 f; _Complex float g; };",
    "decimal": "struct A { _Decimal32 a; _Decimal64 b[2]; _Decimal128 c; };\nstatic _Decimal64 f(_Decimal64 *p) { return *p + 1; }",
    "fixed point": "struct A { _Accum a; _Sat unsigned short _Fract b[2]; };\nlong _Accum f(struct A *p) { return p->a; }",
    "bit-fields": "struct A { int a : 3; int : 0; unsigned long long b : 40; _Bool c : 1; int : 5; _BitInt(37) d : 9; };",
    "packing": "#pragma pack(push, 2)\nstruct A { char c; long l; };\n#pragma pack(pop)\nstruct B { long l; };",
    "attributes": "#define AL(n) __attribute__((aligned(n * sizeof(long))))\nstruct __attribute__((packed)) A { int a AL(2); };",
    "vectors": "typedef float v4 __attribute__((vector_size(16)));\nv4 f(v4 a, v4 b);",
    "nested": "struct A { struct { int a; } b; union { int c; float d; }; enum { X, Y = 4 } e; };",
    "tails": "struct A { int n; int none[0]; struct A *next; char tail[]; };",
    "atomics": "struct A { _Atomic(int) a; _Atomic long b; const volatile char c; };",
    "functions": "int printf(const char *, ...); void g(); typedef int fn(int, float); fn h; static int k(int a[3], fn cb);",
    "headers": "#include <stddef.h>\n#include <stdint.h>\n#include <stdarg.h>\nsize_t f(uint8_t, int64_t, va_list, ptrdiff_t);",
    "enums": "typedef enum { RED = -1, BLUE = 7 } color;\nenum __attribute__((packed)) tiny { T };\ncolor f(enum tiny);",
    "typedefs": "typedef int wide __attribute__((aligned(16)));\ntypedef wide alias;\nstruct A { alias a; char b; };",
}
