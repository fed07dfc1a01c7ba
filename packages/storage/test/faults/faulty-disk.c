/*
 * Lets the writes of one process fail, or take long, when it is told to: LD_PRELOAD. The file named by FAULTY_DISK holds
 * a fault and its delay as two bytes ("fault, delay in 10 ms"), and may be changed at any time. Faults hit files
 * whose path contains FAULTY_DISK_FILES.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

/* As in faulty-disk.ts. */
enum { WELL, IO_ERROR, SYNC_ERROR, META_ERROR, LOG_ERROR, READ_ONLY, FULL, SLOW, STOPPED, SHORT };

/* Of LMDB: the two pages at the beginning of the tables' file. */
static const off_t META_BYTES = 8192;

static volatile unsigned char *control(void) {
  static volatile unsigned char *mapped;
  static unsigned char none[2];
  if (mapped) return mapped;
  const char *path = getenv("FAULTY_DISK");
  int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  if (file < 0) return none;
  void *pages = mmap(NULL, 4096, PROT_READ, MAP_SHARED, file, 0);
  close(file);
  return mapped = pages == MAP_FAILED ? none : pages;
}

static const char *path_of(int file) {
  static __thread char path[4096];
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, sizeof path - 1);
  path[length < 0 ? 0 : length] = 0;
  const char *ours = getenv("FAULTY_DISK_FILES");
  return ours && strstr(path, ours) ? path : NULL;
}

static void pause_ms(long ms) {
  struct timespec time = {ms / 1000, (ms % 1000) * 1000000};
  nanosleep(&time, NULL);
}

/* 0, or what to fail with. */
static int fault_of(int file, off_t at, size_t length, int is_sync) {
  int fault = control()[0];
  if (fault == WELL) return 0;
  const char *path = path_of(file);
  if (!path) return 0;
  int is_log = strstr(path, "/log.") != NULL;
  int is_tables = strstr(path, "/data.mdb") != NULL;
  if (fault == SLOW) return pause_ms(control()[1] * 10L), 0;
  while (control()[0] == STOPPED) pause_ms(5);
  if (fault == IO_ERROR) return EIO;
  if (fault == READ_ONLY) return EROFS;
  if (fault == FULL) return is_sync ? 0 : ENOSPC;
  if (fault == SYNC_ERROR) return is_sync ? EIO : 0;
  if (fault == LOG_ERROR) return is_log ? EIO : 0;
  if (fault == META_ERROR) return is_tables && !is_sync && at < META_BYTES && length < 4096 ? EIO : 0;
  return 0;
}

static size_t shortened(int file, size_t length) {
  return control()[0] == SHORT && length > 1 && path_of(file) ? length / 2 : length;
}

#define REAL(name) static __typeof__(&name) real; if (!real) real = dlsym(RTLD_NEXT, #name)
#define FAIL_IF(fault) do { int why = fault; if (why) { errno = why; return -1; } } while (0)

ssize_t pwrite(int file, const void *bytes, size_t length, off_t at) {
  REAL(pwrite);
  FAIL_IF(fault_of(file, at, length, 0));
  return real(file, bytes, shortened(file, length), at);
}

ssize_t pwrite64(int file, const void *bytes, size_t length, off64_t at) {
  REAL(pwrite64);
  FAIL_IF(fault_of(file, at, length, 0));
  return real(file, bytes, shortened(file, length), at);
}

ssize_t pwritev(int file, const struct iovec *parts, int count, off_t at) {
  REAL(pwritev);
  FAIL_IF(fault_of(file, at, 4096, 0));
  return real(file, parts, count, at);
}

ssize_t pwritev64(int file, const struct iovec *parts, int count, off64_t at) {
  REAL(pwritev64);
  FAIL_IF(fault_of(file, at, 4096, 0));
  return real(file, parts, count, at);
}

ssize_t write(int file, const void *bytes, size_t length) {
  REAL(write);
  FAIL_IF(fault_of(file, META_BYTES, length, 0));
  return real(file, bytes, length);
}

int fsync(int file) {
  REAL(fsync);
  FAIL_IF(fault_of(file, 0, 0, 1));
  return real(file);
}

int fdatasync(int file) {
  REAL(fdatasync);
  FAIL_IF(fault_of(file, 0, 0, 1));
  return real(file);
}
