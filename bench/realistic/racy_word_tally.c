// SHOWN
// Word-count workers are configured from a prototype struct that holds the mutex by value, so each of them locks a copy of its own.
#include <ctype.h>
#include <pthread.h>
#include <stdio.h>

#define NWORKERS 3
#define REPEAT 300

struct tally {
  unsigned long words;
  unsigned long letters;
};

struct work {
  pthread_mutex_t lock; /* guards *total */
  struct tally *total;
  const char *text;
  pthread_t tid;
};

static void count(const char *s, struct tally *t) {
  int in_word = 0;

  for (; *s; s++) {
    int a = isalpha((unsigned char)*s) != 0;

    t->letters += (unsigned)a;
    if (a && !in_word) t->words++;
    in_word = a;
  }
}

static void *run(void *arg) {
  struct work *w = arg;

  for (int i = 0; i < REPEAT; i++) {
    struct tally part = {0, 0};

    count(w->text, &part);
    pthread_mutex_lock(&w->lock);
    w->total->words += part.words;     // RACE words SELF
    w->total->letters += part.letters; // RACE letters SELF
    pthread_mutex_unlock(&w->lock);
  }
  return NULL;
}

int main(void) {
  static const char *const text[NWORKERS] = {
      "the quick brown fox jumps over the lazy dog",
      "pack my box with five dozen liquor jugs",
      "how vexingly quick daft zebras jump",
  };
  static struct tally total;
  const struct work proto = {.lock = PTHREAD_MUTEX_INITIALIZER, .total = &total};
  struct work work[NWORKERS];

  for (int i = 0; i < NWORKERS; i++) {
    work[i] = proto;
    work[i].text = text[i];
  }
  for (int i = 0; i < NWORKERS; i++) pthread_create(&work[i].tid, NULL, run, &work[i]);
  for (int i = 0; i < NWORKERS; i++) pthread_join(work[i].tid, NULL);
  printf("%lu words, %lu letters\n", total.words, total.letters);
  return 0;
}
