// Parts of the system's own library that Swift's Glibc module leaves out.

#include <semaphore.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <time.h>

// Since glibc 2.30, declared there for _GNU_SOURCE alone.
int sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *end);
