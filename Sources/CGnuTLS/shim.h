// What Swift sees of GnuTLS, which libmicrohttpd brings along: hashes, random bytes, keys and signatures.
#ifndef TWEENCAST_CGNUTLS_SHIM_H
#define TWEENCAST_CGNUTLS_SHIM_H

#include <gnutls/abstract.h>
#include <gnutls/crypto.h>
#include <gnutls/gnutls.h>

// What GnuTLS has made. The function itself is a variable, which Swift takes for shared state.
static inline void tweencast_gnutls_free(void *memory) { gnutls_free(memory); }

#endif
