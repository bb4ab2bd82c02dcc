// What Swift sees of hiredis.
#ifndef TWEENCAST_CHIREDIS_SHIM_H
#define TWEENCAST_CHIREDIS_SHIM_H

#include <hiredis/hiredis.h>

#endif
