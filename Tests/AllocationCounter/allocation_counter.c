// Takes the place of the C library's allocator in the program that links it: counts, then calls the original.

#include "allocation_counter.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>

#if defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif

static _Thread_local long blocks, bytes;
static atomic_long live;

long allocation_count(void) { return blocks; }
long allocation_bytes(void) { return bytes; }
long allocation_live_blocks(void) { return live; }

#ifdef SANITIZED

int allocation_counter_works(void) { return 0; }

#else

int allocation_counter_works(void) { return 1; }

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *block);

static void note(size_t size) {
  blocks += 1;
  bytes += (long)size;
  atomic_fetch_add_explicit(&live, 1, memory_order_relaxed);
}

void free(void *block) {
  if (block) atomic_fetch_sub_explicit(&live, 1, memory_order_relaxed);
  __libc_free(block);
}

void *malloc(size_t size) {
  note(size);
  return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  note(count * size);
  return __libc_calloc(count, size);
}

void *realloc(void *block, size_t size) {
  note(size);
  if (block) atomic_fetch_sub_explicit(&live, 1, memory_order_relaxed);
  return __libc_realloc(block, size);
}

void *memalign(size_t alignment, size_t size) {
  note(size);
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **block, size_t alignment, size_t size) {
  *block = memalign(alignment, size);
  return *block ? 0 : ENOMEM;
}

#endif
