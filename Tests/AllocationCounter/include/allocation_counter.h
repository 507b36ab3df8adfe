#ifndef ALLOCATION_COUNTER_H
#define ALLOCATION_COUNTER_H

/// Whether allocations are counted; a sanitizer has an allocator of its own.
int allocation_counter_works(void);

/// How many blocks the calling thread has allocated so far.
long allocation_count(void);

/// How many bytes the calling thread has allocated so far.
long allocation_bytes(void);

/// How many blocks of all threads are allocated at this moment.
long allocation_live_blocks(void);

#endif
