// Holds the clocks of a program still that is counted under Valgrind, when it is preloaded.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <time.h>

// Lua takes the time into the seed of its hashes: with the same time it counts the same again.
time_t time(time_t *at) { return at ? *at = 1767225600 : 1767225600; }

// Under Valgrind everything takes some fifty times as long, and so do the ticks by which the host finds a handler that
// doesn't end; on a busy machine it would take one for slow that only waited for its turn.
int timer_settime(timer_t timer, int flags, const struct itimerspec *wanted, struct itimerspec *former) {
  static int (*original)(timer_t, int, const struct itimerspec *, struct itimerspec *);
  if (!original) *(void **)&original = dlsym(RTLD_NEXT, "timer_settime");
  struct itimerspec longer = *wanted;
  struct timespec *spans[] = {&longer.it_interval, &longer.it_value};
  for (int index = 0; index < 2; index++) {
    const long long span = (spans[index]->tv_sec * 1000000000ll + spans[index]->tv_nsec) * 500;
    spans[index]->tv_sec = span / 1000000000;
    spans[index]->tv_nsec = span % 1000000000;
  }
  return original(timer, flags, &longer, former);
}
