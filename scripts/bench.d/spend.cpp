// Runs a program to its end and prints what it took: spend OUTPUT PROGRAM ARGUMENT…
//
// The program's standard output goes to the file OUTPUT. Printed are its processor time and the time it lasted, in
// microseconds, and the most memory it had, in KiB.

#include <cstdio>
#include <ctime>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

long long monotonic() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000ll + time.tv_nsec;
}

}  // namespace

int main(int count, char **arguments) {
  if (count < 3) {
    std::fputs("usage: spend OUTPUT PROGRAM ARGUMENT…\n", stderr);
    return 2;
  }
  const long long begin = monotonic();
  const pid_t child = vfork();
  if (child == 0) {
    const int output = open(arguments[1], O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (output >= 0 && dup2(output, 1) == 1) execvp(arguments[2], arguments + 2);
    _exit(127);
  }
  int status = 0;
  rusage spent{};
  if (child < 0 || wait4(child, &status, 0, &spent) != child) {
    std::perror("spend");
    return 1;
  }
  const long long end = monotonic();
  if (status != 0) {
    std::fprintf(stderr, "spend: %s ended with status %d\n", arguments[2], status);
    return 1;
  }
  const long long processor = (spent.ru_utime.tv_sec + spent.ru_stime.tv_sec) * 1000000ll + spent.ru_utime.tv_usec +
                              spent.ru_stime.tv_usec;
  std::printf("%lld %lld %ld\n", processor, (end - begin) / 1000, spent.ru_maxrss);
}
