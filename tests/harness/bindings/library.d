/// A binding of library.h in D, written by hand.
module acme.library;

import core.stdc.config : c_ulong;

extern (C) @nogc nothrow:

enum Z_OK = 0;
enum Z_DATA_ERROR = -3;
enum ZLIB_VERSION = "1.2.13";

alias Bytef = ubyte;
alias uInt = uint;
alias uLong = c_ulong;
alias alloc_func = void* function(void* opaque, uInt items, uInt size);

struct internal_state;

struct z_stream_s
{
    const(Bytef)* next_in;
    uInt avail_in;
    uLong total_in;
    const(char)* msg;
    internal_state* state;
    alloc_func zalloc;
    int data_type;
    uLong adler;
}

alias z_stream = z_stream_s;

struct flags
{
    byte type;
    ubyte bits;
    union
    {
        int number;
        double real_;
    }
    short[3] extra;
}

enum strategy : uint
{
    Z_FILTERED = 1,
    Z_HUFFMAN_ONLY = 2,
}

int deflate(z_stream* stream, int flush);
uLong crc32(uLong crc, const(Bytef)* buffer, size_t length);
flags tuned(flags flags, short good, strategy strategy);
int gzprintf(const(char)* format, ...);
const(char)* zlibVersion();
