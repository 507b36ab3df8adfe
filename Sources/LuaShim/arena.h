// The memory of one VM: free lists by size class over large chunks, dropped whole.

#ifndef LUA_SHIM_ARENA_H
#define LUA_SHIM_ARENA_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { ARENA_STEP = 16, ARENA_CLASSES = 33, ARENA_SMALL = ARENA_STEP * (ARENA_CLASSES - 1) };

typedef struct arena_free { struct arena_free *next; } arena_free;
typedef struct arena_chunk { struct arena_chunk *next; } arena_chunk;
// The header of a block that has its own allocation.
typedef struct arena_large { struct arena_large *next, *previous; } arena_large;

typedef struct arena {
  arena_free *free[ARENA_CLASSES];
  char *cursor, *end;
  arena_chunk *chunks;
  arena_large large;  // list head
  size_t live;        // bytes that Lua holds
} arena;

void arena_open(arena *a);
// Gives back every byte at once, whatever is still in use.
void arena_drop(arena *a);
// The slow ways; NULL only when the system has no memory left.
void *arena_refill(arena *a, size_t class_index);
void *arena_large_resize(arena *a, void *block, size_t old_size, size_t new_size);

static inline size_t arena_class(size_t size) { return (size + ARENA_STEP - 1) / ARENA_STEP; }

static inline void *arena_take(arena *a, size_t size) {
  size_t c = arena_class(size);
  arena_free *block = a->free[c];
  if (block) {
    a->free[c] = block->next;
    return block;
  }
  return arena_refill(a, c);
}

static inline void arena_give(arena *a, void *block, size_t size) {
  size_t c = arena_class(size);
  ((arena_free *)block)->next = a->free[c];
  a->free[c] = (arena_free *)block;
}

#ifdef __cplusplus
}
#endif

#endif
