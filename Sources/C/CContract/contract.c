// Embeds the contract. #embed takes milliseconds. Swift's compiler took a minute for the same bytes as an array, and a
// literal would be a second copy to maintain.
#include "contract.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char openapi[] = {
#embed "../../Service/TweencastService/openapi.yaml"
};
static const unsigned char asyncapi[] = {
#embed "../../Service/TweencastService/asyncapi.yaml"
};

const struct tweencast_document tweencast_openapi = { openapi, sizeof openapi };
const struct tweencast_document tweencast_asyncapi = { asyncapi, sizeof asyncapi };
