/*
 * A process's own time of day: LD_PRELOAD. The file named by JUMPING_CLOCK holds by how many seconds it differs from the
 * machine's, as a signed 64-bit number, and may be changed at any time. Clocks that only grow are left alone, as they are
 * when an administrator, or a time service, sets a machine's clock.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static int64_t jumped_seconds(void) {
  static volatile int64_t *mapped;
  static volatile int64_t none;
  if (mapped) return *mapped;
  const char *path = getenv("JUMPING_CLOCK");
  int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  if (file < 0) return *(mapped = &none);
  void *pages = mmap(NULL, 4096, PROT_READ, MAP_SHARED, file, 0);
  close(file);
  return *(mapped = pages == MAP_FAILED ? &none : pages);
}

#define REAL(name) static __typeof__(&name) real; if (!real) real = dlsym(RTLD_NEXT, #name)

int clock_gettime(clockid_t clock, struct timespec *now) {
  REAL(clock_gettime);
  int failed = real(clock, now);
  if (!failed && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) now->tv_sec += jumped_seconds();
  return failed;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  REAL(gettimeofday);
  int failed = real(now, zone);
  if (!failed) now->tv_sec += jumped_seconds();
  return failed;
}

time_t time(time_t *also) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (also) *also = now.tv_sec;
  return now.tv_sec;
}
