// What Swift sees of GnuTLS, which libmicrohttpd brings along: keyed hashes.
#ifndef TWEENCAST_CGNUTLS_SHIM_H
#define TWEENCAST_CGNUTLS_SHIM_H

#include <gnutls/crypto.h>
#include <gnutls/gnutls.h>

#endif
