/*
 * Shifts the wall clock of one process. It is loaded with LD_PRELOAD. The file that KVS_CLOCK names
 * holds the seconds to add, as 8 bytes in the machine's order. The file may change at any time.
 *
 * Monotonic clocks stay as they are, and so do waits by them. A thread that waits for a time of the
 * wall clock wakes when the shifted clock has that time. If the clock is set while it waits, it
 * wakes as if the clock had not been set.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

/* Times of a wall clock are later than this, times of a monotonic one are not (31 years). */
#define FIRST_WALL_SECOND 1000000000LL

static const volatile long long none = 0;
static const volatile long long *step = &none;
static int (*real_gettime)(clockid_t, struct timespec *);

__attribute__((constructor)) static void begin(void) {
  real_gettime = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
  const char *path = getenv("KVS_CLOCK");
  int file = path == NULL ? -1 : open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) {
    return;
  }
  void *mapped = mmap(NULL, sizeof *step, PROT_READ, MAP_SHARED, file, 0);
  close(file);
  if (mapped != MAP_FAILED) {
    step = mapped;
  }
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  if (real_gettime == NULL) {
    begin();
  }
  int result = real_gettime(clock, now);
  if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
    now->tv_sec += *step;
  }
  return result;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  struct timespec precise;
  (void)zone;
  clock_gettime(CLOCK_REALTIME, &precise);
  now->tv_sec = precise.tv_sec;
  now->tv_usec = precise.tv_nsec / 1000;
  return 0;
}

time_t time(time_t *now) {
  struct timespec precise;
  clock_gettime(CLOCK_REALTIME, &precise);
  if (now != NULL) {
    *now = precise.tv_sec;
  }
  return precise.tv_sec;
}

int pthread_cond_timedwait(
    pthread_cond_t *restrict condition,
    pthread_mutex_t *restrict mutex,
    const struct timespec *restrict until) {
  if (until->tv_sec < FIRST_WALL_SECOND) {
    return pthread_cond_clockwait(condition, mutex, CLOCK_MONOTONIC, until);
  }
  struct timespec real = *until;
  real.tv_sec -= *step;
  return pthread_cond_clockwait(condition, mutex, CLOCK_REALTIME, &real);
}
