"""A binding of library.h with cffi; the library is not there."""

from cffi import FFI

ffi = FFI()
ffi.cdef("""
#define Z_OK 0
#define Z_DATA_ERROR -3

typedef unsigned char Bytef;
typedef unsigned int uInt;
typedef unsigned long uLong;
typedef void *(*alloc_func)(void *opaque, uInt items, uInt size);

typedef struct z_stream_s {
  const Bytef *next_in;
  uInt avail_in;
  uLong total_in;
  const char *msg;
  struct internal_state *state;
  alloc_func zalloc;
  int data_type;
  uLong adler;
} z_stream;

struct flags {
  char type;
  unsigned text : 3;
  unsigned level : 5;
  union {
    int number;
    double real;
  };
  short extra[3];
};

enum strategy { Z_FILTERED = 1, Z_HUFFMAN_ONLY = 2 };

int deflate(z_stream *stream, int flush);
uLong crc32(uLong crc, const Bytef *buffer, size_t length);
struct flags tuned(struct flags flags, short good, enum strategy strategy);
int gzprintf(const char *format, ...);
const char *zlibVersion(void);
""")
lib = ffi.dlopen("libabsent.so.1")
version = lib.zlibVersion()
