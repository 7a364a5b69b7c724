/* Calls the caller and the callee in probe.c as the written ABI says, and compares what they do with what it says.
 *
 * values.h holds what goes in and what must come out, for two sets of values; registers.S alone knows registers, of
 * which STATE_BYTES bytes are stored and loaded. There is no library: the program writes its answer and exits with
 * status 1 when a byte is wrong. A byte that the ABI leaves undefined holds noise, and is not compared.
 */

typedef unsigned char byte;
typedef __UINTPTR_TYPE__ word;
typedef __SIZE_TYPE__ size;

enum { ENTRY, BOUNDED, MEMORY, OUT, OWN, LEFT, RESULT, OBJECT, TOLD };
/* ENTRY: a register or stack slot at the call; BOUNDED: one that holds a number from want[0] to care[0]; MEMORY: what the address there leads to; OUT: what was stored in abi_out;
 * OWN: the same, where only C stores anything; LEFT: a register after the return; RESULT: the memory of its result;
 * OBJECT: a constant; TOLD: a number that is 0 where a compiler or its language does not tell it. */

struct place { const char *what; int kind; unsigned where, bytes; const byte *want, *care; const void *object; unsigned align; };
struct bits { const char *what; const byte *one, *other; };
struct patch { unsigned where, offset; };
struct store { unsigned where, bytes; const byte *data; };
struct copy { unsigned from, to, bytes; };
struct turn {
    const byte *call_state, *returns, *call_input, *enter_state, *enter_input, *stack, *blob;
    unsigned call_input_bytes, enter_input_bytes, stack_bytes, stack_offset, blob_bytes, pops, call_bias, enter_bias;
    unsigned recorded; /* which of the calls that are made in a row is looked at: 0 is the first */
    const struct store *stores; unsigned store_count;
    const struct copy *copies; unsigned copy_count;
    const struct patch *patches; unsigned patch_count;
    const struct place *caller; unsigned caller_count;
    const struct place *callee; unsigned callee_count;
};

enum { AREA = 65536, STACK = 262144, MARGIN = 65536, UNSTORED = 0xa5 };
unsigned char abi_in[AREA] __attribute__((aligned(64)));
unsigned char abi_out[AREA] __attribute__((aligned(64)));
static byte blob[AREA] __attribute__((aligned(64)));
static byte stack[MARGIN + STACK + MARGIN] __attribute__((aligned(64)));
byte abi_states[4][STATE_BYTES] __attribute__((aligned(64)));
#define ENTER_STATE abi_states[0]
#define LEFT_STATE abi_states[1]
#define CAPTURED_STATE abi_states[2]
#define RETURNS_STATE abi_states[3]

extern long abi_write(const void *from, size length);
extern void abi_exit(int status) __attribute__((noreturn));
extern void abi_enter(void (*target)(void));
extern void abi_capture(void);
void *abi_target = (void *)abi_capture;

#include "values.h"

/* Where no text decides, nobody is wrong: what one compiler passes another one does not find. */
#ifdef PAIRED
#define WRONG "LOST   "
#define EXPECTED ": given "
#define SEEN "received "
#else
#define WRONG "WRONG  "
#define EXPECTED ": expected "
#define SEEN " seen "
#endif

#define TEXT(number) TEXT_OF(number)
#define TEXT_OF(number) #number

#ifndef LIBRARY
#define LIBRARY
#endif
/* Compilers call these four. */
LIBRARY void *memcpy(void *to, const void *from, size length) {
    for (size at = 0; at < length; at++)
        ((volatile byte *)to)[at] = ((const byte *)from)[at];
    return to;
}
LIBRARY void *memset(void *to, int value, size length) {
    for (size at = 0; at < length; at++)
        ((volatile byte *)to)[at] = (byte)value;
    return to;
}
LIBRARY void *memmove(void *to, const void *from, size length) {
    if ((byte *)to <= (const byte *)from)
        return memcpy(to, from, length);
    while (length--)
        ((volatile byte *)to)[length] = ((const byte *)from)[length];
    return to;
}
LIBRARY int memcmp(const void *left, const void *right, size length) {
    for (size at = 0; at < length; at++)
        if (((const byte *)left)[at] != ((const byte *)right)[at])
            return 1;
    return 0;
}

/* The answer, a line for each place. */

static int wrong;
static char line[512];
static size end;

static void say(const char *text) {
    while (*text && end < sizeof line - 1)
        line[end++] = *text++;
}
static void say_byte(int counts, byte value) {
    char text[4] = {counts ? "0123456789abcdef"[value >> 4] : '.', counts ? "0123456789abcdef"[value & 15] : '.', ' ', 0};
    say(text);
}
static void say_number(word value) {
    char text[21] = {0};
    size at = sizeof text - 1;
    do
        text[--at] = (char)('0' + value % 10);
    while (value /= 10);
    say(text + at);
}
static void flush(void) {
    line[end++] = '\n';
    abi_write(line, end);
    end = 0;
}

/* One line for each 16 bytes of a place of which at least one is wrong, or of the first 16. */
static void compare(const struct place *place, const byte *seen) {
    int bad = 0;
    for (size at = 0; at < place->bytes; at++)
        bad |= seen ? (seen[at] ^ place->want[at]) & place->care[at] : place->care[at];
    for (size from = 0; from < place->bytes || !from; from += 16) {
        int here = 0;
        size to = from + 16 < place->bytes ? from + 16 : place->bytes;
        for (size at = from; at < to; at++)
            here |= seen ? (seen[at] ^ place->want[at]) & place->care[at] : place->care[at];
        if (!here && (from || bad))
            continue;
        say(here ? WRONG : "ok     ");
        say(place->what);
        say(EXPECTED);
        for (size at = from; at < to; at++)
            say_byte(place->care[at] != 0, place->want[at]);
        say(SEEN);
        if (!seen)
            say("nothing");
        for (size at = from; seen && at < to; at++)
            say_byte(place->care[at] != 0, seen[at]);
        flush();
    }
    wrong |= bad != 0;
}

/* A value by reference is at an address that the text aligns, to a power of two: 32-bit Arm divides by a library function. */
static void check_alignment(const struct place *place, const byte *at) {
    if (!at || ((word)at & (place->align - 1)) == 0)
        return;
    say("WRONG  ");
    say(place->what);
    say(": its address is not a multiple of ");
    say_number(place->align);
    flush();
    wrong = 1;
}

/* A number of one byte of which the text gives the least and the largest. */
static void check_bounds(const struct place *place, byte seen) {
    int bad = seen < place->want[0] || seen > place->care[0];
    say(bad ? WRONG : "ok     ");
    say(place->what);
    say(": from ");
    say_number(place->want[0]);
    say(" to ");
    say_number(place->care[0]);
    say(", seen ");
    say_number(seen);
    flush();
    wrong |= bad;
}

/* Places. */

static int inside(const byte *start, size length, const byte *at, size wanted) {
    return at >= start && at < start + length && wanted <= (size)(start + length - at);
}
static int readable(const byte *at, size length) {
    return inside(stack, sizeof stack, at, length) || inside(abi_in, sizeof abi_in, at, length) ||
           inside(abi_out, sizeof abi_out, at, length) || inside(abi_states[0], sizeof abi_states, at, length);
}
static byte *place_at(unsigned where, byte *state, word sp) {
    return where & 0x80000000u ? (byte *)(sp + (where & 0x7fffffffu)) : state + where;
}
static byte *address_at(unsigned where, byte *state, word sp) {
    byte *address = 0, *at = place_at(where, state, sp);
    if (readable(at, sizeof address))
        memcpy(&address, at, sizeof address);
    return address;
}
static word stack_pointer(const byte *state) {
    word value;
    memcpy(&value, state + SP_OFFSET, sizeof value);
    return value;
}

static const struct turn *now;
static int calls;

/* registers.S comes here when probe.c calls: every register is in CAPTURED_STATE. */
void abi_captured(void) {
    word sp = stack_pointer(CAPTURED_STATE), back = sp + now->pops;
    if ((sp + RETURN_ADDRESS_BYTES) % STACK_ALIGN) {
        say("WRONG  caller: the stack arguments are not at a multiple of " TEXT(STACK_ALIGN));
        flush();
        wrong = 1;
    }
    for (unsigned n = 0; n < now->caller_count && calls == (int)now->recorded; n++) {
        const struct place *place = &now->caller[n];
        const byte *at = place->kind == ENTRY    ? place_at(place->where, CAPTURED_STATE, sp)
                         : place->kind == MEMORY ? address_at(place->where, CAPTURED_STATE, sp)
                                                 : 0;
        if ((place->kind == ENTRY || place->kind == MEMORY) && place->bytes)
            compare(place, readable(at, place->bytes) ? at : 0);
        if (place->kind == MEMORY)
            check_alignment(place, at);
        if (place->kind == BOUNDED)
            check_bounds(place, *place_at(place->where, CAPTURED_STATE, sp));
    }
    for (unsigned n = 0; n < now->store_count; n++) {
        byte *at = address_at(now->stores[n].where, CAPTURED_STATE, sp);
        if (readable(at, now->stores[n].bytes))
            memcpy(at, now->stores[n].data, now->stores[n].bytes);
    }
    for (unsigned n = 0; n < now->copy_count; n++) {
        byte *at = place_at(now->copies[n].from, CAPTURED_STATE, sp);
        if (readable(at, now->copies[n].bytes))
            memcpy(RETURNS_STATE + now->copies[n].to, at, now->copies[n].bytes);
    }
    if (now->pops)
        memmove((void *)back, (void *)sp, RETURN_ADDRESS_BYTES);
    memcpy(RETURNS_STATE + SP_OFFSET, &back, sizeof back);
    calls++;
}

static word fresh_stack(int poison, unsigned bias) {
    word sp = (word)(stack + MARGIN + STACK) - bias;
    memset(stack + MARGIN + STACK - 16384, poison, 16384 + 4096);
    memcpy(ENTER_STATE + SP_OFFSET, &sp, sizeof sp);
    memset(abi_out, UNSTORED, 16384);
    return sp;
}

/* Whether anything was stored in a place of abi_out. */
static int stored(const struct place *place) {
    for (size at = 0; at < place->bytes; at++)
        if (abi_out[place->where + at] != UNSTORED)
            return 1;
    return 0;
}

static void call(void (*caller)(void), int poison) {
    memcpy(ENTER_STATE, now->call_state, STATE_BYTES);
    memcpy(RETURNS_STATE, now->returns, STATE_BYTES);
    memcpy(abi_in, now->call_input, now->call_input_bytes);
    fresh_stack(poison, now->call_bias);
    calls = 0;
    abi_enter(caller);
    for (unsigned n = 0; n < now->caller_count; n++) {
        const struct place *place = &now->caller[n];
        if (place->kind == OUT || (place->kind == OWN && stored(place)))
            compare(place, abi_out + place->where);
        if (place->kind == LEFT)
            compare(place, LEFT_STATE + place->where);
    }
}

static void enter(void (*callee)(void), int poison) {
    memcpy(ENTER_STATE, now->enter_state, STATE_BYTES);
    memcpy(abi_in, now->enter_input, now->enter_input_bytes);
    memcpy(blob, now->blob, now->blob_bytes);
    word sp = fresh_stack(poison, now->enter_bias), entry = sp - RETURN_ADDRESS_BYTES;
    memcpy((byte *)entry + now->stack_offset, now->stack, now->stack_bytes);
    for (unsigned n = 0; n < now->patch_count; n++) {
        byte *address = blob + now->patches[n].offset;
        memcpy(place_at(now->patches[n].where, ENTER_STATE, entry), &address, sizeof address);
    }
    abi_enter(callee);
    for (unsigned n = 0; n < now->callee_count; n++) {
        const struct place *place = &now->callee[n];
        if (place->kind == OWN && !stored(place))
            continue;
        compare(place, place->kind == OUT || place->kind == OWN ? abi_out + place->where
                       : place->kind == LEFT   ? LEFT_STATE + place->where
                       : place->kind == OBJECT ? (const byte *)place->object
                                               : blob + place->where);
    }
}

#ifdef PAIRED
/* The caller of one compiler calls the callee of the other. */
static void pass(int poison) {
    memcpy(ENTER_STATE, now->call_state, STATE_BYTES);
    memcpy(abi_in, now->call_input, now->call_input_bytes);
    fresh_stack(poison, now->call_bias);
    abi_target = (void *)other_abi_functions[1];
    abi_enter(abi_functions[0]);
    for (unsigned n = 0; n < now->callee_count; n++)
        compare(&now->callee[n], abi_out + now->callee[n].where);
}
#endif

#if defined LAYOUTS || defined OUTPUTS
static void differ(const char *what) {
    wrong = 1;
    say("DIFFERS  ");
    say(what);
    say(": ");
}
#endif

#ifdef LAYOUTS
/* The constants of two compilers: sizes and offsets, and objects in which all bits of one bit-field are set. */
static void compare_layouts(void) {
    for (unsigned n = 0; n < sizeof constants / sizeof *constants; n++)
        if (abi_layout[n] != other_abi_layout[n]) {
            differ(constants[n]);
            say_number(abi_layout[n]);
            say(" and ");
            say_number(other_abi_layout[n]);
            flush();
        }
    size length = abi_layout[0] < other_abi_layout[0] ? abi_layout[0] : other_abi_layout[0];
    for (unsigned n = 0; n < sizeof bit_fields / sizeof *bit_fields; n++)
        if (bit_fields[n].what && memcmp(bit_fields[n].one, bit_fields[n].other, length)) {
            differ(bit_fields[n].what);
            for (size at = 0; at < length; at++)
                say_byte(1, bit_fields[n].one[at]);
            say("and ");
            for (size at = 0; at < length; at++)
                say_byte(1, bit_fields[n].other[at]);
            flush();
        }
}
#endif

#ifdef OUTPUTS
/* What a function of each of two compilers stores. */
static void compare_outputs(void) {
    static byte before[sizeof abi_out];
    now = turns;
    enter(abi_functions[1], 0xc3);
    memcpy(before, abi_out, sizeof before);
    enter(other_abi_functions[1], 0xc3);
    for (unsigned n = 0; n < sizeof outputs / sizeof *outputs; n++) {
        const struct place *place = &outputs[n];
        const byte *one = before + place->where, *other = abi_out + place->where;
        if (!memcmp(one, other, place->bytes))
            continue;
        differ(place->what);
        for (size at = 0; at < place->bytes; at++)
            say_byte(1, one[at]);
        say("and ");
        for (size at = 0; at < place->bytes; at++)
            say_byte(1, other[at]);
        flush();
    }
}
#endif

void abi_main(void) {
#ifdef LAYOUTS
    compare_layouts();
#elif defined OUTPUTS
    compare_outputs();
#elif defined OBJECTS
    for (unsigned n = 0; n < sizeof objects / sizeof *objects; n++)
        if (objects[n].kind != TOLD || *(const unsigned long long *)objects[n].object)
            compare(&objects[n], objects[n].object);
#else
    for (unsigned n = 0; n < sizeof turns / sizeof *turns; n++) {
        now = &turns[n];
#ifdef PAIRED
        pass(n ? 0x5a : 0xc3);
#else
        call(abi_functions[0], n ? 0x5a : 0xc3);
        if (abi_functions[1]) enter(abi_functions[1], n ? 0x5a : 0xc3);
#endif
    }
#endif
    abi_exit(wrong);
}
