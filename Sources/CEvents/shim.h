// Parts of the system's own library that Swift's Glibc module leaves out.

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/timerfd.h>
