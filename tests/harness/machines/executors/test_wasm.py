"""What a module of WebAssembly records: parameters by their value types, results, the buffer of unnamed arguments, traps."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from abiprobe.harness.base import child
from abiprobe.harness.machines.executors.find import find
from abiprobe.harness.machines.executors.replay import Died, observe
from abiprobe.harness.machines.runtime.build import link, runtime_objects
from abiprobe.harness.machines.runtime.machine import STACK, machine
from abiprobe.harness.machines.runtime.script import NEVER, Call, Enter, Pair, Patch, Peek, Store
from abiprobe.oracles.text.place import Register
from tests.skipping import trusted_or_skip

WASM32 = machine("wasm32")
UNIT = """\
extern unsigned char abi_in[], abi_out[];
extern void *abi_target;
struct pair { int a, b; };
typedef float vector __attribute__((vector_size(16)));

/* 0 */ static void call_mixed(void) {
    *(long long *)abi_out = ((long long (*)(int, double, struct pair))abi_target)(5, 1.5, (struct pair){1, 2});
}
/* 1 */ static float callee_mixed(int a, double b, struct pair c, long long d) {
    __builtin_memcpy(abi_out, &a, 4);
    __builtin_memcpy(abi_out + 8, &b, 8);
    __builtin_memcpy(abi_out + 16, &c, 8);
    __builtin_memcpy(abi_out + 24, &d, 8);
    return 2.5f;
}
/* 2 */ static void call_variadic(void) { ((void (*)(int, ...))abi_target)(1, 2, 3.0); }
/* 3 */ static void callee_variadic(int n, ...) {
    __builtin_va_list ap;
    __builtin_va_start(ap, n);
    *(int *)abi_out = __builtin_va_arg(ap, int);
    *(double *)(abi_out + 8) = __builtin_va_arg(ap, double);
    __builtin_va_end(ap);
}
/* 4 */ static void call_twice(void) {
    *(int *)abi_out = ((int (*)(int))abi_target)(1) + ((int (*)(int))abi_target)(2);
}
/* 5 */ static void trap(void) { __builtin_trap(); }
/* 6 */ static void write_everywhere(void) { *(volatile int *)0x7fffffff = 1; }
/* 7 */ static void call_memory(void) {
    *(struct pair *)abi_out = ((struct pair (*)(void))abi_target)();
}
/* 8 */ static int callee_one(int a) { return a + 1; }
/* 9 */ static void call_one(void) { *(int *)abi_out = ((int (*)(int))abi_target)(41); }
/* 10 */ static void never_return(void) { for (;;) *(volatile char *)abi_in; }
/* 11 */ static void call_many(void) {
    ((void (*)(int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int,
        int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, double))abi_target)(
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
        32, 33, 34, 35, 36, 37, 38, 39, 40, 41.0);
}

#define FUNCTION(f) ((void (*)(void))(f))
void (*const abi_functions[])(void) = {
    call_mixed, FUNCTION(callee_mixed), call_variadic, FUNCTION(callee_variadic), call_twice, trap, write_everywhere,
    call_memory, FUNCTION(callee_one), call_one, never_return, call_many,
};
"""


@pytest.fixture(scope="module")
def image(tmp_path_factory) -> Path:
    trusted = trusted_or_skip(WASM32)
    if not find("wasm32"):
        pytest.skip("the wasmtime wheel is not installed")
    folder = tmp_path_factory.mktemp("wasm")
    source, built = folder / "unit.c", folder / "unit.o"
    source.write_text(UNIT)
    done = child.run((*trusted.cc, "-O1", "-ffreestanding", "-c", str(source), "-o", str(built)), timeout=60)
    assert done.ok, done.stderr.decode()
    linked = link([built], runtime_objects(WASM32, trusted), folder / "image", trusted)
    assert linked.ok, linked.stderr.decode()
    return folder / "image"


def call(index: int, results: dict[str, int | bytes] | None = None, **options) -> Call:
    return Call(index=index, enter=WASM32.initial, returns=WASM32.state(results or {}), **options)


def seen(image: Path, *ops, timeout: float = 30):
    (executor,) = find("wasm32")
    return observe(executor, image, ops, WASM32, timeout=timeout)


def where(name: str) -> int:
    return WASM32.where(Register(name))


def test_a_caller_has_its_parameters_by_value_types(image):
    op = call(0, {"i64.r0": 7}, out_bytes=8, peeks=(Peek(where("i32.p2"), 8),))
    (record,) = seen(image, op)
    assert WASM32.number(record.captured, "i32.p0") == 5
    assert WASM32.read(record.captured, "f64.p1") == struct.pack("<d", 1.5)
    assert record.peeks[0].data == struct.pack("<ii", 1, 2)
    assert record.out == struct.pack("<q", 7)
    # What is passed as another type, or not at all, is nothing that was asked for.
    assert WASM32.read(record.captured, "i64.p0") == b"\x77" * 8
    assert WASM32.read(record.captured, "i32.p3") == b"\x77" * 4
    assert WASM32.number(record.captured, "sp") % 16 == 0
    assert WASM32.number(record.left, "sp") == record.sp


def test_a_callee_is_given_what_it_takes(image):
    values = {
        "i32.p0": 5,
        "f64.p1": struct.pack("<d", 1.5),
        "i64.p3": 1 << 40,
    }
    op = Enter(
        index=1,
        enter=WASM32.state(values),
        out_bytes=32,
        blob=struct.pack("<ii", 1, 2),
        blob_bytes=8,
        patches=(Patch(where("i32.p2"), 0),),
    )
    (record,) = seen(image, op)
    assert record.out[:4] == struct.pack("<i", 5)
    assert record.out[8:] == struct.pack("<diiq", 1.5, 1, 2, 1 << 40)
    assert WASM32.read(record.left, "f32.r0") == struct.pack("<f", 2.5)
    assert WASM32.number(record.left, "sp") == record.sp


def test_stack_slots_count_from_the_buffer(image):
    (record,) = seen(image, call(2, stack_window=16, area=where("i32.p1")))
    assert WASM32.number(record.captured, "i32.p0") == 1
    assert record.window[:4] + record.window[8:] == struct.pack("<i", 2) + struct.pack("<d", 3.0)


def test_a_buffer_is_given_by_its_address(image):
    stack = struct.pack("<i4xd", 9, 4.5)
    op = Enter(
        index=3, enter=WASM32.initial, out_bytes=16, stack=stack, patches=(Patch(where("i32.p1"), STACK),)
    )
    (record,) = seen(image, op)
    assert record.out[:4] + record.out[8:] == stack[:4] + stack[8:]


def test_every_call_is_answered_and_one_recorded(image):
    first, last = seen(image, *(call(4, {"i32.r0": 21}, out_bytes=4, recorded=number) for number in (0, 1)))
    assert first.captures == last.captures == 2
    assert (first.out, last.out) == (struct.pack("<i", 42),) * 2
    assert [WASM32.number(one.captured, "i32.p0") for one in (first, last)] == [1, 2]


def test_a_result_in_memory_is_stored(image):
    (record,) = seen(image, call(7, out_bytes=8, stores=(Store(where("i32.p0"), bytes(range(8))),)))
    assert record.stored == (True,)
    assert record.out == bytes(range(8))


def test_the_driver_leaves_a_call_that_does_not_return(image):
    left, next_one = seen(image, call(0, pops=NEVER), call(4, {"i32.r0": 1}, out_bytes=4))
    assert left.captures == 1
    assert WASM32.number(left.captured, "i32.p0") == 5
    assert next_one.out == struct.pack("<i", 2)


def test_a_trap_costs_one_operation_only(image):
    good = call(4, {"i32.r0": 21}, out_bytes=4)
    records = seen(image, good, call(5), call(6), good)
    assert [type(one).__name__ for one in records] == ["Called", "Died", "Died", "Called"]
    assert records[1:3] == [
        Died(5, "wasm trap: wasm `unreachable` instruction executed"),
        Died(6, "wasm trap: out of bounds memory access"),
    ]
    assert records[0] == records[3]


def test_pairs_go_by_their_types(image):
    right = Pair(index=9, callee=8, enter=WASM32.initial, out_bytes=4)
    wrong = Pair(index=9, callee=1, enter=WASM32.initial, out_bytes=4)
    first, second = seen(image, right, wrong)
    assert first.out == struct.pack("<i", 42)
    assert isinstance(second, Died)
    assert "indirect call type mismatch" in second.why


def test_what_hangs_is_ended(image):
    hung, good = seen(image, call(10), call(4, {"i32.r0": 21}, out_bytes=4), timeout=4)
    assert hung == Died(10, "timed out")
    assert good.out == struct.pack("<i", 42)


def test_parameters_beyond_the_state_block_are_left_out(image):
    (record,) = seen(image, call(11))
    assert [WASM32.number(record.captured, f"i32.p{number}") for number in range(40)] == list(range(40))
