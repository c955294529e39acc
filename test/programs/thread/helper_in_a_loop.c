// VERBS check
// SHOWN
// A thread that calls, again and again, what it was given beside doing work of its own is the thread; one that only goes on to what it was given is not.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct beat {
  pthread_t thread;
  pthread_mutex_t lock;
  int stop;
  unsigned pause;
  unsigned rounds;
  void (*tell)(void *);
  void *about;
};

static void *beat_main(void *argument) {
  struct beat *beat = argument;
  for (;;) {
    pthread_mutex_lock(&beat->lock);
    int stop = beat->stop; // NORACE
    beat->rounds++;        // NORACE
    pthread_mutex_unlock(&beat->lock);
    if (stop) return NULL;
    beat->tell(beat->about);
    usleep(beat->pause); // RACE pause
  }
}

static struct beat *beat_start(unsigned pause, void (*tell)(void *), void *about) {
  struct beat *beat = calloc(1, sizeof *beat);
  if (!beat) abort();
  beat->tell = tell;
  beat->about = about;
  pthread_mutex_init(&beat->lock, NULL);
  pthread_create(&beat->thread, NULL, beat_main, beat);
  beat->pause = pause; // RACE pause
  return beat;
}

static void beat_stop(struct beat *beat) {
  pthread_mutex_lock(&beat->lock);
  beat->stop = 1; // NORACE
  pthread_mutex_unlock(&beat->lock);
  pthread_join(beat->thread, NULL);
  printf("%u\n", beat->rounds); // NORACE
  free(beat);
}

static void note(void *about) {
  ++*(unsigned *)about; // NORACE read when the thread was joined
}

int main(void) {
  unsigned seen = 0;
  struct beat *beat = beat_start(1000, note, &seen);
  usleep(5000);
  beat_stop(beat);
  return seen == 0;
}
