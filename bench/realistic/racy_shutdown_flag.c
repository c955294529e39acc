// SHOWN
// A sampler thread that is told to stop by a plain flag, and whose last sample is read before the join.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct sampler {
  pthread_t thread;
  volatile int stop;
  unsigned samples;
  double last;
};

static double measure(unsigned n) { return n * 0.5 + 1; }

static void *sampler_main(void *arg) {
  struct sampler *s = arg;
  while (!s->stop) { // RACE stop
    s->last = measure(s->samples);
    s->samples++; // RACE samples
    usleep(100);
  }
  return NULL;
}

static struct sampler *sampler_start(void) {
  struct sampler *s = calloc(1, sizeof *s);
  if (!s) return NULL;
  if (pthread_create(&s->thread, NULL, sampler_main, s)) {
    free(s);
    return NULL;
  }
  return s;
}

static double sampler_stop(struct sampler *s) {
  s->stop = 1;             // RACE stop
  unsigned n = s->samples; // RACE samples
  pthread_join(s->thread, NULL);
  double last = s->last; // NORACE after the join
  free(s);
  return n ? last : 0;
}

int main(void) {
  struct sampler *s = sampler_start();
  if (!s) return 1;
  usleep(2000);
  printf("%d\n", sampler_stop(s) > 0);
  return 0;
}
