// zlib for Swift.
#ifndef TWEENCAST_CZLIB_SHIM_H
#define TWEENCAST_CZLIB_SHIM_H

#include <zlib.h>

// deflateInit2 is a macro, which Swift can't import.
static inline int tweencast_begin_gzip(z_streamp stream, int level) {
    return deflateInit2(stream, level, Z_DEFLATED, MAX_WBITS + 16, MAX_MEM_LEVEL, Z_DEFAULT_STRATEGY);
}

#endif
