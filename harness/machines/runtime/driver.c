/* The driver of a probe image: reads operations, performs them, writes one record for each.
 *
 * It is linked with a unit that the compiler under test has built, and with the assembly of one instruction set,
 * which alone knows registers; here a state block is STATE_BYTES bytes with the stack pointer at SP_OFFSET and the
 * instruction pointer nowhere. STATE_BYTES, SP_OFFSET, RETURN_ADDRESS_BYTES (what a call pushes), SHADOW_OFFSET (where
 * the called function's own area starts, if it has one) and WIDE_WORD (general registers of 64 bits hold addresses of 32) come from the machine description in machine.py; the wire format is that of messages.py and records.py.
 *
 * Where the assembly can be signalled (SIGNALS), a call that a signal ends is a record, too, and the next operation follows.
 *
 * No libc, no assumption about what the compiled code leaves intact: the driver has a stack of its own.
 */

#ifndef LIBRARY
#define LIBRARY
#endif
#ifndef SHADOW_OFFSET
#define SHADOW_OFFSET RETURN_ADDRESS_BYTES
#endif

typedef unsigned char byte;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef __UINTPTR_TYPE__ word;
typedef __SIZE_TYPE__ size;
#ifdef WIDE_WORD /* than an address, which is extended: none of the image has its highest bit set */
typedef u64 general;
#else
typedef word general;
#endif

enum {
    AREA = 65536,              /* abi_in, abi_out and the blob */
    STACK = 262144,            /* the probe stack between its guards */
    GUARD = 65536,
    PROBE_STACK = GUARD + STACK + GUARD,
    BELOW = 4096,              /* poisoned under the stack pointer, and once more the window asked for */
    ABOVE = 512,               /* poisoned over it, and once more what all values take, so that nothing of the last operation is left to be read */
    MESSAGE = 524288,          /* the longest operation and the longest record */
    MALFORMED = 100,           /* exit status: an operation that messages.py cannot have written */
    TOO_LONG = 101,            /* exit status: a record would exceed MESSAGE */
    NEVER = -1,                /* bytes that a call takes off the stack which does not return */
    WATCHES = 4, WATCHED = 64, /* pieces of memory that are watched over an operation, and bytes in one */
    END = 0, CALL = 1, ENTER = 2, PAIR = 3, TRAPPED = 4,
};

#define LOW_PLACE 0x40000000u /* with this bit of a patch, what is above an address stays as it is */
#define STACK_PLACE 0x80000000u /* a place is an offset into the state block or, with this bit, from the entry sp */
#define UNREADABLE 0xffffffffu

/* All memory of ours begins at a multiple of this. It lies behind the unit, and no unit is as large, so that the same
 * addresses are in every image: what compiled code shows of them does not tell what else its unit contains. */
#if defined(IN_LIBRARY)
#define REGION 64
#elif defined(SIGNATURES)
#define REGION 0x100000
#else
#define REGION 0x1000000 /* the same in addresses.py */
#endif

unsigned char abi_in[AREA] __attribute__((aligned(REGION)));
unsigned char abi_out[AREA] __attribute__((aligned(64)));
static byte blob[AREA] __attribute__((aligned(64)));
#ifdef IN_LIBRARY
static byte *probe_stack; /* a part of the stack of the process: some libraries call back nowhere else */
#else
static byte probe_stack[PROBE_STACK] __attribute__((aligned(64)));
#endif

byte abi_states[4][STATE_BYTES] __attribute__((aligned(64)));
#define enter_state abi_states[0]
#define left_state abi_states[1]
#define captured_state abi_states[2]
#define returns_state abi_states[3]

#ifdef SIGNATURES /* a function can only be called by its type: each has code of its own that enters it and is called by it */
#define abi_functions abi_caller_table
#define abi_callees abi_callee_table
#define __executable_start __global_base
#define _edata __data_end
#define __bss_start __global_base
#define _end __heap_base
extern void (*const *const abi_functions)(void), (*const *const abi_callees)(void);
extern void (*const abi_entries[])(void), (*const abi_captures[])(void);
void (*abi_entered)(void);
#define ENTRY(index) (abi_entered = abi_functions[index], abi_entries[index])
#define CAPTURE(index) abi_captures[index]
#define IMPORT(name) __attribute__((import_module("abiprobe"), import_name(name)))
#else
extern void (*const abi_functions[])(void);
extern void (*const abi_callees[])(void); /* the same, or those of another unit; the link says */
extern void abi_capture(void);
#define ENTRY(index) abi_functions[index]
#define CAPTURE(index) abi_capture
#define IMPORT(name)
#endif
extern byte __executable_start[], _edata[], __bss_start[], _end[]; /* the linker's */
#ifndef IN_LIBRARY
/* Kept in memory: s390x has no instruction for an odd address. */
static byte *const volatile data_end = _edata, *const volatile bss = __bss_start, *const volatile image_end = _end;
#endif
extern long abi_read(void *to, size length) IMPORT("read");
extern long abi_write(const void *from, size length) IMPORT("write");
extern void abi_exit(int status) __attribute__((noreturn)) IMPORT("exit");
extern void abi_enter(void (*target)(void));
extern void abi_leave(void) __attribute__((noreturn)) IMPORT("leave"); /* returns from abi_enter, wherever the program stands */
void *abi_target;

/* Compilers call these four, in a way (LIBRARY) that may not be the driver's own; by words where they can, because an
 * emulator pays for each access. */

LIBRARY void *memcpy(void *to, const void *from, size length) {
    byte *t = to;
    const byte *f = from;
    if ((((word)t | (word)f) & (sizeof(word) - 1)) == 0)
        for (; length >= sizeof(word); length -= sizeof(word), t += sizeof(word), f += sizeof(word))
            *(word __attribute__((may_alias)) *)t = *(const word __attribute__((may_alias)) *)f;
    while (length--)
        *t++ = *f++;
    return to;
}

LIBRARY void *memset(void *to, int value, size length) {
    byte *t = to;
    word pattern = (word)-1 / 255 * (byte)value;
    for (; length && ((word)t & (sizeof(word) - 1)); length--)
        *t++ = (byte)value;
    for (; length >= sizeof(word); length -= sizeof(word), t += sizeof(word))
        *(word __attribute__((may_alias)) *)t = pattern;
    while (length--)
        *t++ = (byte)value;
    return to;
}

LIBRARY void *memmove(void *to, const void *from, size length) {
    byte *t = to;
    const byte *f = from;
    if (t <= f)
        return memcpy(to, from, length);
    while (length--)
        t[length] = f[length];
    return to;
}

LIBRARY int memcmp(const void *left, const void *right, size length) {
    const byte *l = left, *r = right;
    for (; length; length--, l++, r++)
        if (*l != *r)
            return *l - *r;
    return 0;
}

/* Input: read in large pieces, because each system call of an emulated program is dear. */

static byte input[AREA];
static size input_at, input_end;

static void note_input(void);

static int receive(byte *to, size length) {
    while (length) {
        if (input_at == input_end) {
            long got = abi_read(input, sizeof input);
            if (got <= 0)
                return 0;
            input_at = 0;
            input_end = (size)got;
            note_input();
        }
        size part = input_end - input_at < length ? input_end - input_at : length;
        memcpy(to, input + input_at, part);
        input_at += part;
        to += part;
        length -= part;
    }
    return 1;
}

/* The operation being performed, and a cursor into it. */

static byte message[MESSAGE] __attribute__((aligned(64)));
static size message_at, message_end;

static const byte *take(size length) {
    if (length > message_end - message_at)
        abi_exit(MALFORMED);
    message_at += length;
    return message + message_at - length;
}

static u32 take_u32(void) {
    u32 value;
    memcpy(&value, take(sizeof value), sizeof value);
    return value;
}

/* The record being written; its first word is the length of the rest. */

static byte record[MESSAGE] __attribute__((aligned(64)));
static size record_end;

static void put(const void *from, size length) {
    if (length > sizeof record - record_end)
        abi_exit(TOO_LONG);
    memcpy(record + record_end, from, length);
    record_end += length;
}

static void put_u32(u32 value) { put(&value, sizeof value); }
static void put_u64(u64 value) { put(&value, sizeof value); }

/* Where addresses lie that compiled code shows: around the stack pointer, and where its code and constants are. */
static void put_addresses(word sp) {
    put_u64(sp);
#ifdef IN_LIBRARY
    put_u64(0), put_u64(0);
#else
    put_u64((word)__executable_start), put_u64((word)data_end);
#endif
}

static void send(void) {
    u32 rest = (u32)(record_end - sizeof rest);
    memcpy(record, &rest, sizeof rest);
    for (size at = 0; at < record_end;) {
        long wrote = abi_write(record + at, record_end - at);
        if (wrote <= 0)
            abi_exit(TOO_LONG);
        at += (size)wrote;
    }
}

/* Places: where a register or a stack slot lies once a function has been entered. */

static byte *place(u32 where, byte *state, word entry_sp) {
    return where & STACK_PLACE ? (byte *)(entry_sp + (where & ~STACK_PLACE)) : state + where;
}

static int inside(const byte *start, const byte *end, const byte *at, size length) {
    return at >= start && at <= end && length <= (size)(end - at);
}

#ifdef IN_LIBRARY /* beside a library with memory of its own, where a wrong address ends the process */
static int inside_image(const byte *at, size length) { return at != 0 || !length; }
static int inside_memory(const byte *at, size length) { return inside_image(at, length); }
#else
/* Where values can be: not in code or constants. */
static int inside_memory(const byte *at, size length) {
    return inside((byte *)(((word)bss + REGION - 1) / REGION * REGION), image_end, at, length);
}
static int inside_image(const byte *at, size length) {
    return inside(__executable_start, data_end, at, length) || inside_memory(at, length);
}
#endif

/* Where compiled code may have its memory. The code itself is writable too, in the image's one segment. */
#ifdef IN_LIBRARY
static int inside_areas(const byte *at, size length) { return inside_image(at, length); }
#else
static int inside_areas(const byte *at, size length) {
    return inside(probe_stack, probe_stack + PROBE_STACK, at, length) ||
           inside(abi_in, abi_in + AREA, at, length) || inside(abi_out, abi_out + AREA, at, length);
}
#endif

/* The address found at a place; 0, which no image contains, where the place itself cannot be read. */
static byte *address_at(u32 where, byte *state, word entry_sp) {
    byte *at = place(where, state, entry_sp), *address;
    if (!inside_image(at, sizeof address))
        return 0;
    memcpy(&address, at, sizeof address);
    return address;
}

static word stack_pointer(const byte *state) {
    word value;
    memcpy(&value, state + SP_OFFSET, sizeof value);
    return value;
}

/* An area starts each operation with these bytes, and zeros where the last operation had put some. */
static void set_area(byte *area, size *used, const byte *from, size length) {
    if (length > AREA)
        abi_exit(MALFORMED);
    memcpy(area, from, length);
    if (*used > length)
        memset(area + length, 0, *used - length);
    *used = length;
}

static size in_used, out_used, blob_used;

static void set_input(size length) { set_area(abi_in, &in_used, take(length), length); }

static void set_output(int poison, size length) {
    if (length > AREA)
        abi_exit(MALFORMED);
    memset(abi_out, poison, length);
    if (out_used > length)
        memset(abi_out + length, 0, out_used - length);
    out_used = length;
}

/* What is written behind the part of an area that is used is to be cleared, too. */
static void note_use(byte *area, size *used, const byte *end) {
    if (end > area + *used && end <= area + AREA)
        *used = (size)(end - area);
}

static void take_state(byte *state) { memcpy(state, take(STATE_BYTES), STATE_BYTES); }

/* The stack pointer for a call: aligned to 64 bytes less `bias`, amid poison. */
static word poison_stack(u32 bias, int poison, size below) {
    word sp = (word)(probe_stack + GUARD + STACK) - bias;
    if (bias > STACK / 2 || below > STACK / 2 - BELOW)
        abi_exit(MALFORMED);
    /* Large values make large frames, and are looked for where they are not. */
    size values = in_used + out_used, above = ABOVE + values < GUARD ? ABOVE + values : GUARD;
    below += BELOW + 2 * values < STACK / 2 - below ? BELOW + 2 * values : STACK / 2 - below;
    memset((byte *)sp - below, poison, below + above);
    return sp;
}

#ifdef SIGNALS

/* A call that a signal ends is told, and the driver goes on: to start a program again costs an emulator as much as a
 * hundred operations. What the call has spoiled must not show in those behind it. So the driver goes on only while code,
 * constants and the input are as they were; else the signal ends the process, as it does outside a call. */

enum {
    SIGNAL_STACK = 32768, SET_BYTES = 8,
#ifdef __sparc__
    ON_STACK = 1, NO_DEFER = 0x20, BUS = 10,
    GETPID = 20, SIGALTSTACK = 28, KILL = 37, SIGACTION = 102,
#else
    ON_STACK = 0x08000000, NO_DEFER = 0x40000000, BUS = 7,
#ifdef __powerpc__
    GETPID = 20, KILL = 37, SIGACTION = 173, SIGALTSTACK = 185,
#else
    KILL = 129, SIGALTSTACK = 132, SIGACTION = 134, GETPID = 172, /* for all machines that came to Linux late */
#endif
#endif
};
extern long abi_system(long number, word a, word b, word c, word d);
extern void abi_signal(int number); /* lets abi_signalled look, then abi_leave */

struct action {
    word handler, flags;
#if defined(__aarch64__) || defined(__powerpc__) || defined(__sparc__)
    word restorer;
#endif
    u64 mask;
};

static const struct { int number; char name[8]; } signals[] = {
    {4, "SIGILL"}, {5, "SIGTRAP"}, {BUS, "SIGBUS"}, {8, "SIGFPE"}, {11, "SIGSEGV"},
};
static byte signal_stack[SIGNAL_STACK] __attribute__((aligned(64)));
static int calling, ended_by; /* signals, or 0 */
static u32 called;
static word image_sum, input_sum;

static word sum_of(const byte *from, size length) {
    typedef word __attribute__((may_alias)) any;
    word sum = length;
    for (const any *at = (const any *)from; length >= sizeof *at; length -= sizeof *at)
        sum = (sum ^ *at++) * (word)0x9e3779b97f4a7c15u;
    return sum;
}

static word sum_of_image(void) {
    const byte *from = (const byte *)((word)(__executable_start + sizeof(word) - 1) & -sizeof(word));
    return sum_of(from, (size)(_edata - from));
}

static void note_input(void) { input_sum = sum_of(input, input_end); }

static long on_signal(int number, word handler) {
    struct action action = {.handler = handler, .flags = ON_STACK | NO_DEFER};
    return abi_system(SIGACTION, (word)number, (word)&action, 0, SET_BYTES);
}

static void catch_signals(void) {
    struct { byte *start; int flags; size length; } stack = {signal_stack, 0, sizeof signal_stack};
    image_sum = sum_of_image();
    if (abi_system(SIGALTSTACK, (word)&stack, 0, 0, 0) < 0)
        return;
    for (size n = 0; n < sizeof signals / sizeof *signals; n++)
        on_signal(signals[n].number, (word)abi_signal);
}

/* Called on the stack for signals; the call is left where this returns. */
void abi_signalled(int number) {
    if (!calling || ended_by || sum_of_image() != image_sum || sum_of(input, input_end) != input_sum) {
        on_signal(number, 0);
        abi_system(KILL, (word)abi_system(GETPID, 0, 0, 0, 0), (word)number, 0, 0);
    }
    ended_by = number;
}

static void enter(u32 index) {
    called = index, calling = 1;
    abi_enter(ENTRY(index));
    calling = 0;
}

/* In the place of the record that was begun. */
static void tell_signal(void) {
    const char *name = "", *end;
    for (size n = 0; n < sizeof signals / sizeof *signals; n++)
        if (signals[n].number == ended_by)
            name = signals[n].name;
    for (end = name; *end; end++)
        ;
    record_end = sizeof(u32);
    put_u32(TRAPPED);
    put_u32(called);
    put(name, (size)(end - name));
    ended_by = 0;
}

#else

static int ended_by; /* never by a signal that we hear of */
static void note_input(void) {}
static void catch_signals(void) {}
static void tell_signal(void) {}
static void enter(u32 index) { abi_enter(ENTRY(index)); }

#endif

static void perform(u32 index, word sp) {
    memcpy(enter_state + SP_OFFSET, &sp, sizeof sp);
#ifdef SIGNATURES
    memcpy(left_state, enter_state, STATE_BYTES); /* not every function has a result of every type */
#endif
    enter(index);
}

/* What a function has changed of memory that is its caller's. Told by whole words: some bytes of a word that was written may
 * happen to be as they were. */

static struct { u32 offset, size; word was[WATCHED / sizeof(word)]; } watched[WATCHES];
static u32 watches;

static word *watched_at(u32 n, word entry_sp) { return (word *)(entry_sp + watched[n].offset); }

static void watch(u32 count, word entry_sp) {
    if (count > WATCHES)
        abi_exit(MALFORMED);
    for (watches = 0; watches < count; watches++) {
        watched[watches].offset = take_u32();
        watched[watches].size = take_u32();
        if (watched[watches].size > WATCHED || watched[watches].offset > GUARD / 2)
            abi_exit(MALFORMED);
        memcpy(watched[watches].was, watched_at(watches, entry_sp), watched[watches].size);
    }
}

static void put_written(word entry_sp) {
    typedef word __attribute__((may_alias)) any;
    size count_at = record_end;
    u32 count = 0;
    put_u32(0);
    for (u32 n = 0; n < watches; n++) {
        const any *now = (const any *)watched_at(n, entry_sp);
        u32 first = 0, end = watched[n].size / sizeof(word);
        while (first < end && now[first] == watched[n].was[first])
            first++;
        while (first < end && now[end - 1] == watched[n].was[end - 1])
            end--;
        if (first == end)
            continue;
        put_u32(watched[n].offset + first * sizeof(word));
        put_u32((end - first) * sizeof(word));
        count++;
    }
    memcpy(record + count_at, &count, sizeof count);
}

/* CALL: the unit's function calls `abi_target`, and we look at what it passes. */

static struct {
    u32 captures, window, peeks, stores, copies, pops, shadow, recorded;
    u32 area;   /* where in the state block the address is from which stack slots count */
    size at;    /* where the peeks start in the message */
    size shown; /* where in the record a call is put */
} call;

static void put_window(word sp) {
    const byte *top = probe_stack + PROBE_STACK;
    u32 length = call.window;
    if (!inside_image((byte *)sp, 0) || (byte *)sp > top)
        length = 0;
    else if (length > (size)(top - (byte *)sp))
        length = (u32)(top - (byte *)sp);
    put_u32(length);
    put((byte *)sp, length);
}

static void peek(word sp) {
    u32 where = take_u32(), length = take_u32();
    if (call.captures > call.recorded)
        return;
    byte *address = address_at(where, captured_state, sp);
    put_u64((word)address);
    if (!inside_memory(address, length)) {
        put_u32(UNREADABLE);
        return;
    }
    put_u32(length);
    put(address, length);
}

static void store(word sp) {
    u32 where = take_u32(), length = take_u32();
    const byte *from = take(length);
    byte *address = address_at(where, captured_state, sp);
    int inside = inside_areas(address, length);
    if (inside) {
        memcpy(address, from, length);
        note_use(abi_in, &in_used, address + length);
        note_use(abi_out, &out_used, address + length);
    }
    if (call.captures <= call.recorded)
        put_u32((u32)inside);
}

static void copy(word sp) {
    u32 from = take_u32(), to = take_u32(), length = take_u32();
    byte *at = place(from, captured_state, sp);
    if (to > STATE_BYTES || length > STATE_BYTES - to)
        abi_exit(MALFORMED);
    if (inside_image(at, length))
        memcpy(returns_state + to, at, length);
}

/* What belongs to the called function does not outlive its call. */
static void spoil_shadow(word sp) {
    byte *at = (byte *)sp + SHADOW_OFFSET;
    if (call.shadow && inside_image(at, call.shadow))
        memset(at, 0x77, call.shadow);
}

/* abi_capture takes its arguments off the stack by finding its return address above them. */
static void set_return(word sp) {
    word back = sp + call.pops;
    memmove((void *)back, (void *)sp, call.pops ? RETURN_ADDRESS_BYTES : 0);
    memcpy(returns_state + SP_OFFSET, &back, sizeof back);
}

#ifdef SIGNATURES
/* Called before the parameters that a function has are stored; places of others hold no value. */
void abi_blank(void) { memset(captured_state, 0x77, STATE_BYTES); }
#endif

/* Called by abi_capture, on the driver's stack, with every register in captured_state; it goes on to load
 * returns_state. One capture is recorded, but each must return what the host asked for. */
void abi_captured(void) {
    word sp = stack_pointer(captured_state), area;
    memcpy(&area, captured_state + call.area, sizeof area);
    message_at = call.at;
    if (call.captures <= call.recorded) {
        record_end = call.shown; /* over what was put of the call before */
        put(captured_state, STATE_BYTES);
        put_window(area);
    }
    for (u32 n = call.peeks; n; n--)
        peek(area);
    if (call.pops == (u32)NEVER) {
        call.captures++;
        abi_leave();
    }
    for (u32 n = call.stores; n; n--)
        store(area);
    for (u32 n = call.copies; n; n--)
        copy(area);
    spoil_shadow(sp);
    set_return(sp);
    call.captures++;
}

static void perform_call(void) {
    u32 index = take_u32(), bias = take_u32(), out_poison = take_u32(), stack_poison = take_u32();
    u32 out_bytes = take_u32(), in_bytes = take_u32();
    call.captures = 0;
    call.window = take_u32();
    call.peeks = take_u32();
    call.stores = take_u32();
    call.copies = take_u32();
    call.pops = take_u32();
    call.shadow = take_u32();
    call.recorded = take_u32();
    call.area = take_u32();
    u32 watched_count = take_u32();
    if ((call.pops != (u32)NEVER && call.pops > GUARD / 2) || call.area > STATE_BYTES - sizeof(word))
        abi_exit(MALFORMED);
    take_state(enter_state);
    take_state(returns_state);
    set_input(in_bytes);
    set_area(blob, &blob_used, blob, 0);
    set_output((int)out_poison, out_bytes);
    word sp = poison_stack(bias, (int)stack_poison, call.window), entry_sp = sp - RETURN_ADDRESS_BYTES;
    watch(watched_count, entry_sp);
    call.at = message_at;

    size captures_at = record_end + 2 * sizeof(u32);
    put_u32(CALL);
    put_u32(index);
    put_u32(0);
    put_u32(call.peeks);
    put_u32(call.stores);
    put_u32(out_bytes);
    put_u32(0); /* keeps the state blocks aligned */
    put_addresses(sp);
    call.shown = record_end;
    abi_target = (void *)CAPTURE(index);
    perform(index, sp);
    memcpy(record + captures_at, &call.captures, sizeof call.captures);
    put(left_state, STATE_BYTES);
    put(abi_out, out_bytes);
    put_written(entry_sp);
}

/* ENTER: the unit's function is called as the host says, and we look at what it leaves. */

static void patch(word entry_sp) {
    u32 where = take_u32(), told = take_u32(), offset = told & ~LOW_PLACE;
    byte *at = place(where, enter_state, entry_sp);
    general address = (word)place(offset, blob, entry_sp);
    if ((offset & ~STACK_PLACE) > AREA || !inside_image(at, sizeof address))
        abi_exit(MALFORMED);
    memcpy(at, &address, told & LOW_PLACE ? sizeof(word) : sizeof address);
}

static void perform_enter(void) {
    u32 index = take_u32(), bias = take_u32(), out_poison = take_u32(), stack_poison = take_u32();
    u32 out_bytes = take_u32(), in_bytes = take_u32(), stack_offset = take_u32(), stack_bytes = take_u32();
    u32 blob_given = take_u32(), blob_bytes = take_u32(), patches = take_u32(), watched_count = take_u32();
    take_u32(); /* keeps the state block aligned */
    if (stack_offset > GUARD / 2 || stack_bytes > GUARD / 2 || blob_bytes > AREA)
        abi_exit(MALFORMED);
    take_state(enter_state);
    set_input(in_bytes);
    set_area(blob, &blob_used, take(blob_given), blob_given);
    if (blob_used < blob_bytes)
        blob_used = blob_bytes; /* the callee may write there */
    set_output((int)out_poison, out_bytes);
    word sp = poison_stack(bias, (int)stack_poison, 0), entry_sp = sp - RETURN_ADDRESS_BYTES;
    memcpy((byte *)entry_sp + stack_offset, take(stack_bytes), stack_bytes);
    memset((byte *)entry_sp + stack_offset + stack_bytes, (int)stack_poison, ABOVE);
    while (patches--)
        patch(entry_sp);
    watch(watched_count, entry_sp);

    put_u32(ENTER);
    put_u32(index);
    put_u32(out_bytes);
    put_u32(blob_bytes);
    put_u32(0); /* keeps the state block aligned */
    put_addresses(sp);
    put_u64((word)blob);
    perform(index, sp);
    put(left_state, STATE_BYTES);
    put(abi_out, out_bytes);
    put(blob, blob_bytes);
    put_written(entry_sp);
}

/* PAIR: the unit's function calls a callee of the other unit, with nobody in between. */

static void perform_pair(void) {
    u32 index = take_u32(), bias = take_u32(), out_poison = take_u32(), stack_poison = take_u32();
    u32 out_bytes = take_u32(), in_bytes = take_u32(), callee = take_u32();
    take_u32(), take_u32(), take_u32(), take_u32(); /* the head has room for the other operations */
    take_state(enter_state);
    set_input(in_bytes);
    set_area(blob, &blob_used, blob, 0);
    set_output((int)out_poison, out_bytes);
    word sp = poison_stack(bias, (int)stack_poison, 0);
    put_u32(PAIR);
    put_u32(index);
    put_u32(out_bytes);
    put_addresses(sp);
    abi_target = (void *)abi_callees[callee];
    perform(index, sp);
    put(abi_out, out_bytes);
}

#ifdef __hexagon__
void *__hexagon_memcpy_likely_aligned_min32bytes_mult8bytes(void *to, const void *from, size length) {
    return memcpy(to, from, length);
}
#endif

#if defined(__m68k__) || defined(__xtensa__) || defined(__loongarch__) && __loongarch_frlen == 32
/* Where registers hold a float and no double, or to a compiler neither, it converts one to the other by a function of its library. */
#ifdef __m68k__ /* clang has a real where an integer is */
typedef u32 narrow_real;
typedef u64 wide_real;
#else
typedef float narrow_real;
typedef double wide_real;
#endif
wide_real __extendsfdf2(narrow_real narrow) {
    union { narrow_real real; u32 bits; } given = { narrow };
    union { u64 bits; wide_real real; } wide;
    u64 fraction = given.bits & 0x7fffff;
    int exponent = given.bits >> 23 & 0xff;

    if (!exponent && fraction) { /* subnormal as a float only */
        for (exponent = 1; !(fraction & 0x800000); exponent--)
            fraction <<= 1;
        fraction &= 0x7fffff;
        exponent += 1023 - 127;
    } else if (exponent == 0xff) {
        exponent = 0x7ff;
        fraction |= fraction ? 0x400000 : 0; /* a NaN is quiet then */
    } else if (exponent) {
        exponent += 1023 - 127;
    }
    wide.bits = (u64)(given.bits >> 31) << 63 | (u64)exponent << 52 | fraction << 29;
    return wide.real;
}
#endif

#ifdef __wasm__
/* Not every linker of WebAssembly knows where a section begins, and no unit has anything to begin with. */
static void begin_units(void) {
}
#else
/* What a unit has to do before it is asked anything: the functions whose addresses it has in this section. The section is
 * always there, or the linker would not know where it begins. */
extern void (*const __start_abi_begin[])(void), (*const __stop_abi_begin[])(void);
static void (*const nothing)(void) __attribute__((section("abi_begin"), used)) = 0;

static void begin_units(void) {
    for (void (*const *begin)(void) = __start_abi_begin; begin < __stop_abi_begin; begin++)
        if (*begin)
            (*begin)();
}
#endif

void abi_main(void) {
    u32 length;
#ifdef IN_LIBRARY
    byte stack[PROBE_STACK] __attribute__((aligned(64)));
    probe_stack = stack;
#endif
    begin_units();
    catch_signals();
    while (receive((byte *)&length, sizeof length)) {
        if (length > sizeof message)
            abi_exit(MALFORMED);
        if (!receive(message, length))
            break;
        message_at = 0;
        message_end = length;
        record_end = sizeof(u32);
        switch (take_u32()) {
        case CALL:
            perform_call();
            break;
        case ENTER:
            perform_enter();
            break;
        case PAIR:
            perform_pair();
            break;
        case END:
            abi_exit(0);
        default:
            abi_exit(MALFORMED);
        }
        if (ended_by)
            tell_signal();
        send();
    }
    abi_exit(0);
}
