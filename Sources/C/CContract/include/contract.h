// The contract's two documents. They are part of the program, so that it can serve them anywhere.
#ifndef TWEENCAST_CCONTRACT_CONTRACT_H
#define TWEENCAST_CCONTRACT_CONTRACT_H

#include <stddef.h>

struct tweencast_document {
    const unsigned char *bytes;
    size_t count;
};

extern const struct tweencast_document tweencast_openapi, tweencast_asyncapi;

#endif
