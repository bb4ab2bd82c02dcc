// What Swift sees of SQLite.
#ifndef TWEENCAST_CSQLITE_SHIM_H
#define TWEENCAST_CSQLITE_SHIM_H

#include <sqlite3.h>

#endif
