// What a handler may use. Steps decide, because they are the same on every machine; the rest is a net below them.
//
// A permanent count hook costs a fifth of the VM's speed. So a handler runs without one; a timer signal to the same
// thread looks once a millisecond whether the same handler still runs, and then it is undone and run again
// from its start under the hook. Only the count kills.

#include <ctime>
#include <csignal>
#include <cstdlib>
#include <sys/syscall.h>
#include <unistd.h>

#include "coverage.h"
#include "handler_limits.h"

namespace {

constexpr int hook_interval = 1000;
constexpr int hook_interval_large = 10;  // single instructions can be slow when texts are large
constexpr size_t large_memory = 1 << 20;

void hook(lua_State *L, lua_Debug *where);

void count_every(script_vm *vm, lua_State *L, int interval) {
  lua_sethook(L, hook, LUA_MASKCOUNT | (vm->covering ? LUA_MASKLINE : 0), interval);
}

void hook(lua_State *L, lua_Debug *where) {
  script_vm *vm = vm_of(L);
  if (where->event == LUA_HOOKLINE) return coverage_line(L, where);
  if (vm->condemned != Condemned::no) limits_condemn(L, vm->condemned);
  if (vm->armed_memory) {
    vm->armed_memory = false;
    size_t before = vm->memory.live;
    lua_gc(L, LUA_GCCOLLECT);
    if (vm->memory.live > vm->soft) limits_condemn(L, Condemned::memory);
    if (!vm->counting) {
      limits_count(vm);
    } else {
      count_every(vm, L, before > large_memory ? hook_interval_large : hook_interval);
    }
    script_charge(L, before / 64);
    return;
  }
  if (!vm->counting) limits_condemn(L, Condemned::restart);
  int interval = lua_gethookcount(L);
  vm->steps_left -= interval;
  if (vm->steps_left < 0) limits_condemn(L, Condemned::steps);
  if (monotonic_ns() > vm->deadline_ns) limits_condemn(L, Condemned::time);
  int wanted = vm->memory.live > large_memory ? hook_interval_large : hook_interval;
  if (wanted != interval) count_every(vm, L, wanted);
}

// --- The watch

constexpr uint64_t tick_ns = 1000000;

struct Watch {
  timer_t timer;
  bool made = false;
  volatile sig_atomic_t ticking = 0;
  volatile sig_atomic_t idle_ticks = 0;
  script_vm *volatile vm = nullptr;  // whose handler runs on this thread
  volatile uint32_t seen = 0;        // its sequence at the last tick
  ~Watch() {
    if (made) timer_delete(timer);
  }
};

thread_local Watch watch;

int watch_signal() { return SIGRTMIN + 6; }

void set_timer(uint64_t interval_ns) {
  itimerspec spec = {};
  spec.it_interval.tv_nsec = long(interval_ns);
  spec.it_value.tv_nsec = long(interval_ns);
  timer_settime(watch.timer, 0, &spec, nullptr);
}

// Runs on the thread it watches, between any two instructions: touches only the fields above and the hook, which
// Lua's manual allows from a signal handler.
void tick(int) {
  int saved = errno;
  script_vm *vm = watch.vm;
  if (!vm) {
    if (++watch.idle_ticks > 2) {
      watch.ticking = 0;
      set_timer(0);
    }
  } else {
    watch.idle_ticks = 0;
    if (vm->sequence != watch.seen) {
      watch.seen = vm->sequence;
    } else if (vm->running && !vm->counting && vm->condemned == Condemned::no && vm->L) {
      count_every(vm, vm->L, 1);
    }
  }
  errno = saved;
}

bool make_timer() {
  static const bool installed = [] {
    struct sigaction action = {};
    action.sa_handler = tick;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    return sigaction(watch_signal(), &action, nullptr) == 0;
  }();
  if (!installed) return false;
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, watch_signal());
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
  sigevent event = {};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = watch_signal();
  event._sigev_un._tid = pid_t(syscall(SYS_gettid));
  return timer_create(CLOCK_MONOTONIC, &event, &watch.timer) == 0;
}

}  // namespace

uint64_t monotonic_ns() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return uint64_t(now.tv_sec) * 1000000000u + uint64_t(now.tv_nsec);
}

void watch_enter(script_vm *vm) {
  if (!PROTECTED(WATCH)) return;
  if (!watch.made) {
    watch.made = make_timer();
    if (!watch.made) vm->counted_runs = UINT32_MAX;  // no timers left: count every handler instead
  }
  watch.vm = vm;
  watch.seen = vm->sequence - 1;
  if (watch.made && !watch.ticking) {
    watch.idle_ticks = 0;
    watch.ticking = 1;
    set_timer(tick_ns);
  }
}

void watch_leave(script_vm *) { watch.vm = nullptr; }

void limits_count(script_vm *vm) {
  vm->counting = true;
  if (vm->deadline_ns == 0) vm->deadline_ns = monotonic_ns() + vm->limits.nanoseconds;
  count_every(vm, vm->L, vm->memory.live > large_memory ? hook_interval_large : hook_interval);
}

void limits_uncount(script_vm *vm) {
  vm->counting = false;
  limits_open(vm);
}

void limits_open(script_vm *vm) {
  lua_sethook(vm->L, vm->covering ? hook : nullptr, vm->covering ? LUA_MASKLINE : 0, 0);
}

namespace {

void raise(lua_State *L, const char *format, uint64_t amount) {
  failure_push_place(L);
  lua_pushfstring(L, format, (LUAI_UACINT)amount);
  lua_concat(L, 2);
  lua_error(L);
}

}  // namespace

[[noreturn]] void limits_condemn(lua_State *L, Condemned why) {
  script_vm *vm = vm_of(L);
  bool again = vm->condemned != Condemned::no;
  vm->condemned = why;
  // From now on each instruction raises again, whoever caught the error.
  count_every(vm, L, 1);
  if (again) {
    lua_pushliteral(L, "ended by the host");
    lua_error(L);
  }
  const script_limits &limits = vm->limits;
  switch (why) {
    case Condemned::steps: raise(L, "used more than its %I steps; the limit is 'steps'", limits.steps); break;
    case Condemned::time: raise(L, "ran longer than %I ms; the limit is 'time'", limits.nanoseconds / 1000000); break;
    case Condemned::memory:
      raise(L, "used more than %I bytes of memory; the limit is 'memory'", limits.memory);
      break;
    case Condemned::effects: raise(L, "asked for more than %I effects; the limit is 'effects'", limits.effects); break;
    default: break;
  }
  lua_pushliteral(L, "run again under a count");
  lua_error(L);
  __builtin_unreachable();
}

void script_charge(lua_State *L, uint64_t steps) {
  script_vm *vm = vm_of(L);
  if (!vm->running || !PROTECTED(STEPS)) return;
  if (steps > uint64_t(INT64_MAX)) steps = INT64_MAX;
  if (__builtin_expect(vm->steps_left < int64_t(steps), 0)) {
    vm->steps_left = -1;
    limits_condemn(L, Condemned::steps);
  }
  vm->steps_left -= int64_t(steps);
  if (vm->counting && steps > 1000 && monotonic_ns() > vm->deadline_ns) limits_condemn(L, Condemned::time);
}

bool script_killed(lua_State *L) { return vm_of(L)->condemned != Condemned::no; }

namespace {

// Lua 5.4.4 isn't memory-safe after a refused allocation that it goes on from. So none is ever refused: over the
// soft limit the hook looks again at a safe place, over the hard one the VM is left for good.
[[gnu::noinline]] void *allocate(script_vm *vm, void *block, size_t old_size, size_t new_size) {
  arena *memory = &vm->memory;
  if (new_size == 0) {
    if (!block) return nullptr;
    memory->live -= old_size;
    if (old_size <= ARENA_SMALL)
      arena_give(memory, block, old_size);
    else
      arena_large_resize(memory, block, old_size, 0);
    return nullptr;
  }
  if (!block) old_size = 0;
  if (PROTECTED(MEMORY) && new_size > old_size && memory->live + (new_size - old_size) > vm->soft && vm->running) {
    if (memory->live + (new_size - old_size) > vm->hard) {
      vm->condemned = Condemned::abandoned;
      if (vm->door) _longjmp(vm->door->jump, 1);
    } else if (!vm->armed_memory && vm->condemned == Condemned::no && vm->L) {
      vm->armed_memory = true;
      count_every(vm, vm->L, 1);
    }
  }
  void *result;
  if (!block) {
    result = new_size <= ARENA_SMALL ? arena_take(memory, new_size) : arena_large_resize(memory, nullptr, 0, new_size);
  } else if (old_size > ARENA_SMALL && new_size > ARENA_SMALL) {
    result = arena_large_resize(memory, block, old_size, new_size);
  } else if (old_size <= ARENA_SMALL && new_size <= ARENA_SMALL && arena_class(old_size) == arena_class(new_size)) {
    result = block;
  } else {
    result = new_size <= ARENA_SMALL ? arena_take(memory, new_size) : arena_large_resize(memory, nullptr, 0, new_size);
    if (result) {
      memcpy(result, block, old_size < new_size ? old_size : new_size);
      if (old_size <= ARENA_SMALL)
        arena_give(memory, block, old_size);
      else
        arena_large_resize(memory, block, old_size, 0);
    }
  }
  if (!result) {
    // The system itself has none left.
    if (vm->door) {
      vm->condemned = Condemned::abandoned;
      _longjmp(vm->door->jump, 1);
    }
    return nullptr;
  }
  memory->live += new_size - old_size;
  return result;
}

}  // namespace

void *limits_allocate(void *context, void *block, size_t old_size, size_t new_size) {
  script_vm *vm = static_cast<script_vm *>(context);
  arena *memory = &vm->memory;
  // What a message costs most often: something small is taken within the limit, or given back.
  if (!block && new_size <= ARENA_SMALL && memory->live + new_size <= vm->soft) {
    arena_free *&free = memory->free[arena_class(new_size)];
    if (arena_free *taken = free) {
      free = taken->next;
      memory->live += new_size;
      return taken;
    }
  } else if (block && new_size == 0 && old_size <= ARENA_SMALL) {
    memory->live -= old_size;
    arena_give(memory, block, old_size);
    return nullptr;
  }
  return allocate(vm, block, old_size, new_size);
}
