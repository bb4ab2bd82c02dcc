// SQLite for Swift.
#ifndef TWEENCAST_CSQLITE_SHIM_H
#define TWEENCAST_CSQLITE_SHIM_H

#include <sqlite3.h>

#endif
