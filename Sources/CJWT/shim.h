// What Swift sees of libjwt 1.10, in the flavour that is built on GnuTLS.
#ifndef TWEENCAST_CJWT_SHIM_H
#define TWEENCAST_CJWT_SHIM_H

#include <jwt.h>

#endif
