// Runs the scripts of a simulated Redis with the interpreter that Redis has: Lua 5.1. Commands and replies pass as bytes of RESP2.
#ifndef TWEENCAST_SIMULATION_LUA
#define TWEENCAST_SIMULATION_LUA

#include <lua5.1/lauxlib.h>
#include <lua5.1/lua.h>
#include <lua5.1/lualib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Carries out a command. The reply must stay where it is until the next command.
typedef const char *(*simulation_command)(
    void *owner, int count, const char *const *words, const size_t *lengths, size_t *length);

enum { SIMULATION_MOST_WORDS = 64, SIMULATION_MOST_LEVELS = 8 };

// Pushes a reply, and returns where the next one begins. Redis' own conversion: a missing text is false.
static inline const char *simulation_push(lua_State *lua, const char *reply) {
    char *end;
    long long number = strtoll(reply + 1, &end, 10);
    switch (*reply) {
    case ':': lua_pushnumber(lua, (lua_Number)number); return end + 2;
    case '$':
        if (number < 0) {
            lua_pushboolean(lua, 0);
            return end + 2;
        }
        lua_pushlstring(lua, end + 2, (size_t)number);
        return end + 2 + number + 2;
    case '*':
        if (number < 0) {
            lua_pushboolean(lua, 0);
            return end + 2;
        }
        lua_createtable(lua, (int)number, 0);
        reply = end + 2;
        for (long long index = 1; index <= number; index++) {
            reply = simulation_push(lua, reply);
            lua_rawseti(lua, -2, (int)index);
        }
        return reply;
    default:
        end = strstr(reply, "\r\n");
        lua_createtable(lua, 0, 1);
        lua_pushlstring(lua, reply + 1, (size_t)(end - reply - 1));
        lua_setfield(lua, -2, *reply == '-' ? "err" : "ok");
        return end + 2;
    }
}

// redis.call
static inline int simulation_call(lua_State *lua) {
    const char *words[SIMULATION_MOST_WORDS];
    size_t lengths[SIMULATION_MOST_WORDS], length;
    int count = lua_gettop(lua);
    if (count > SIMULATION_MOST_WORDS) return luaL_error(lua, "ERR too many words");
    for (int index = 0; index < count; index++) {
        words[index] = lua_tolstring(lua, index + 1, &lengths[index]);
        if (!words[index]) return luaL_error(lua, "ERR Lua redis lib command arguments must be strings or integers");
    }
    void *owner = lua_touserdata(lua, lua_upvalueindex(1));
    simulation_command command = (simulation_command)lua_touserdata(lua, lua_upvalueindex(2));
    const char *reply = command(owner, count, words, lengths, &length);
    if (*reply == '-') {
        lua_pushlstring(lua, reply + 1, length - 3);
        return lua_error(lua);
    }
    simulation_push(lua, reply);
    return 1;
}

// redis.error_reply
static inline int simulation_error_reply(lua_State *lua) {
    lua_createtable(lua, 0, 1);
    lua_pushvalue(lua, 1);
    lua_setfield(lua, -2, "err");
    return 1;
}

// An interpreter whose scripts call `command` with `owner`.
static inline lua_State *simulation_open(void *owner, simulation_command command) {
    lua_State *lua = luaL_newstate();
    if (!lua) return NULL;
    luaL_openlibs(lua);
    lua_newtable(lua);
    lua_pushlightuserdata(lua, owner);
    lua_pushlightuserdata(lua, (void *)command);
    lua_pushcclosure(lua, simulation_call, 2);
    lua_setfield(lua, -2, "call");
    lua_pushcfunction(lua, simulation_error_reply);
    lua_setfield(lua, -2, "error_reply");
    lua_setglobal(lua, "redis");
    return lua;
}

// Compiles a script. Returns what names it, or LUA_NOREF.
static inline int simulation_load(lua_State *lua, const char *source, size_t length) {
    if (luaL_loadbuffer(lua, source, length, "script")) {
        lua_pop(lua, 1);
        return LUA_NOREF;
    }
    return luaL_ref(lua, LUA_REGISTRYINDEX);
}

static inline void simulation_set(lua_State *lua, const char *name, int count, const char *const *words, const size_t *lengths) {
    lua_createtable(lua, count, 0);
    for (int index = 0; index < count; index++) {
        lua_pushlstring(lua, words[index], lengths[index]);
        lua_rawseti(lua, -2, index + 1);
    }
    lua_setglobal(lua, name);
}

typedef struct {
    char *data;
    size_t length, capacity;
} simulation_bytes;

static inline void simulation_put(simulation_bytes *bytes, const void *data, size_t length) {
    while (bytes->length + length > bytes->capacity) {
        bytes->capacity = bytes->capacity ? 2 * bytes->capacity : 4096;
        bytes->data = (char *)realloc(bytes->data, bytes->capacity);
    }
    memcpy(bytes->data + bytes->length, data, length);
    bytes->length += length;
}

static inline void simulation_put_line(simulation_bytes *bytes, char kind, const char *text, size_t length) {
    simulation_put(bytes, &kind, 1);
    simulation_put(bytes, text, length);
    simulation_put(bytes, "\r\n", 2);
}

static inline void simulation_put_number(simulation_bytes *bytes, char kind, long long number) {
    char text[32];
    simulation_put_line(bytes, kind, text, (size_t)snprintf(text, sizeof text, "%lld", number));
}

// Adds the value on top to a reply and removes it, as Redis converts it: numbers lose their fraction, false and nil are no text, a
// list ends before its first nil.
static inline void simulation_put_top(simulation_bytes *bytes, lua_State *lua, int level) {
    size_t length;
    switch (level < SIMULATION_MOST_LEVELS ? lua_type(lua, -1) : LUA_TNIL) {
    case LUA_TSTRING: {
        const char *text = lua_tolstring(lua, -1, &length);
        simulation_put_number(bytes, '$', (long long)length);
        simulation_put(bytes, text, length);
        simulation_put(bytes, "\r\n", 2);
        break;
    }
    case LUA_TNUMBER: simulation_put_number(bytes, ':', (long long)lua_tonumber(lua, -1)); break;
    case LUA_TBOOLEAN: simulation_put_number(bytes, lua_toboolean(lua, -1) ? ':' : '$', lua_toboolean(lua, -1) ? 1 : -1); break;
    case LUA_TTABLE: {
        lua_getfield(lua, -1, "err");
        if (lua_isstring(lua, -1)) {
            const char *text = lua_tolstring(lua, -1, &length);
            simulation_put_line(bytes, '-', text, length);
            lua_pop(lua, 1);
            break;
        }
        lua_pop(lua, 1);
        int count = 0;
        for (;; count++) {
            lua_rawgeti(lua, -1, count + 1);
            int isNil = lua_isnil(lua, -1);
            lua_pop(lua, 1);
            if (isNil) break;
        }
        simulation_put_number(bytes, '*', count);
        for (int index = 1; index <= count; index++) {
            lua_rawgeti(lua, -1, index);
            simulation_put_top(bytes, lua, level + 1);
        }
        break;
    }
    default: simulation_put_number(bytes, '$', -1);
    }
    lua_pop(lua, 1);
}

// Runs a script. The reply belongs to the caller, who frees it.
static inline simulation_bytes simulation_run(
    lua_State *lua, int script, int keys, const char *const *words, const size_t *lengths, int count) {
    simulation_bytes reply = {NULL, 0, 0};
    simulation_set(lua, "KEYS", keys, words, lengths);
    simulation_set(lua, "ARGV", count - keys, words + keys, lengths + keys);
    lua_rawgeti(lua, LUA_REGISTRYINDEX, script);
    if (lua_pcall(lua, 0, 1, 0)) {
        size_t length;
        const char *text = lua_tolstring(lua, -1, &length);
        simulation_put_line(&reply, '-', text ? text : "ERR", text ? length : 3);
        lua_pop(lua, 1);
    } else {
        simulation_put_top(&reply, lua, 0);
    }
    return reply;
}

#endif
