// The part of zlib's interface (https://zlib.net/manual.html) that compresses and decompresses bodies. libcurl needs the library
// itself, so it is wherever this package runs; it is declared here so that no development package is needed.
#ifndef TRACKER_CZLIB_H
#define TRACKER_CZLIB_H

#include <stddef.h>

typedef struct z_stream_s {
  const unsigned char *next_in;
  unsigned int avail_in;
  unsigned long total_in;
  unsigned char *next_out;
  unsigned int avail_out;
  unsigned long total_out;
  const char *msg;
  void *state;
  void *zalloc;
  void *zfree;
  void *opaque;
  int data_type;
  unsigned long adler;
  unsigned long reserved;
} z_stream;

#define Z_FINISH 4
#define Z_OK 0
#define Z_STREAM_END 1
#define Z_BEST_SPEED 1
#define Z_DEFLATED 8

const char *zlibVersion(void);
int deflateInit2_(z_stream *stream, int level, int method, int window_bits, int memory_level, int strategy,
                  const char *version, int stream_size);
unsigned long deflateBound(z_stream *stream, unsigned long length);
int deflate(z_stream *stream, int flush);
int deflateEnd(z_stream *stream);
int inflateInit2_(z_stream *stream, int window_bits, const char *version, int stream_size);
int inflate(z_stream *stream, int flush);
int inflateEnd(z_stream *stream);

#endif
