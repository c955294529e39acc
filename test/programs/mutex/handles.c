// VERBS check
// Variables of the program's under a lock that has no name: each thread finds it behind a pointer in what it was given. A lock in the
// object itself, or behind a pointer to what is each thread's own, guards no variable that all have.
#include <pthread.h>
#include <stdlib.h>

struct encoder {
  void *handle;
};
struct picture {
  struct encoder *encoder;
  int number;
};
struct job {
  struct picture *picture;
  struct encoder *own;
  pthread_mutex_t lock;
};

static int frames, lines, words;

static void *makeLock(void) {
  pthread_mutex_t *lock = malloc(sizeof *lock);
  if (lock) pthread_mutex_init(lock, NULL);
  return lock;
}

static void take(void *handle) { pthread_mutex_lock(handle); }
static void give(void *handle) { pthread_mutex_unlock(handle); }

static void countFrame(struct picture *picture) {
  struct encoder *encoder = picture->encoder;
  take(encoder->handle);
  ++frames; // NORACE
  give(encoder->handle);
}

static void *work(void *argument) {
  struct job *job = argument;
  countFrame(job->picture);
  pthread_mutex_lock(&job->lock);
  ++lines; // RACE lines SELF
  pthread_mutex_unlock(&job->lock);
  take(job->own->handle);
  ++words; // RACE words SELF
  give(job->own->handle);
  return NULL;
}

int main(void) {
  pthread_t threads[4];
  struct encoder *encoder = malloc(sizeof *encoder);
  struct picture *picture = malloc(sizeof *picture);
  if (!encoder || !picture) return 1;
  encoder->handle = makeLock();
  picture->encoder = encoder;
  for (int i = 0; i < 4; ++i) {
    struct job *job = malloc(sizeof *job);
    if (!job) return 1;
    job->picture = picture;
    job->own = malloc(sizeof *job->own);
    if (!job->own) return 1;
    job->own->handle = makeLock();
    pthread_mutex_init(&job->lock, NULL);
    pthread_create(&threads[i], NULL, work, job);
  }
  for (int i = 0; i < 4; ++i) pthread_join(threads[i], NULL);
  return frames + lines + words == 0;
}
