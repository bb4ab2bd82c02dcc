// What Swift sees of libmicrohttpd.
#ifndef TWEENCAST_CMICROHTTPD_SHIM_H
#define TWEENCAST_CMICROHTTPD_SHIM_H

#include <microhttpd.h>

#endif
