#include "arena.h"

#include <stdlib.h>
#include <string.h>

enum { CHUNK_FIRST = 32 * 1024 };

void arena_open(arena *a) {
  memset(a, 0, sizeof *a);
  a->large.next = a->large.previous = &a->large;
}

void arena_drop(arena *a) {
  while (a->chunks) {
    arena_chunk *next = a->chunks->next;
    free(a->chunks);
    a->chunks = next;
  }
  for (arena_large *block = a->large.next; block != &a->large;) {
    arena_large *next = block->next;
    free(block);
    block = next;
  }
  arena_open(a);
}

void *arena_refill(arena *a, size_t class_index) {
  size_t size = class_index * ARENA_STEP;
  if ((size_t)(a->end - a->cursor) < size) {
    arena_chunk *chunk = malloc(CHUNK_FIRST);
    if (!chunk) return NULL;
    chunk->next = a->chunks;
    a->chunks = chunk;
    a->cursor = (char *)chunk + ARENA_STEP;
    a->end = (char *)chunk + CHUNK_FIRST;
  }
  void *block = a->cursor;
  a->cursor += size;
  return block;
}

void *arena_large_resize(arena *a, void *block, size_t old_size, size_t new_size) {
  arena_large *header = block ? (arena_large *)block - 1 : NULL;
  (void)old_size;
  if (header) {
    header->previous->next = header->next;
    header->next->previous = header->previous;
  }
  if (new_size == 0) {
    free(header);
    return NULL;
  }
  arena_large *moved = realloc(header, sizeof *header + new_size);
  if (!moved) {
    if (header) {
      header->previous->next = header;
      header->next->previous = header;
    }
    return NULL;
  }
  moved->next = a->large.next;
  moved->previous = &a->large;
  moved->next->previous = moved;
  a->large.next = moved;
  return moved + 1;
}
