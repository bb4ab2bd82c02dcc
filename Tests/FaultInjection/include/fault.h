// Loaded with LD_PRELOAD into the program under test; nothing calls it by name.
#ifndef TWEENCAST_FAULT_H
#define TWEENCAST_FAULT_H
#endif
