// VERBS check run
// SHOWN
// Statistics for each worker, in a block of its own, summed after the join; a global total in atomics for the progress bar.
#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORKERS 4

struct stats {
  alignas(64) uint64_t words;
  uint64_t lines;
  uint64_t longest;
  uint32_t lengths[16];
};

struct context {
  const char **texts;
  size_t count;
  atomic_size_t next;
  atomic_ulong bytes;
  struct stats stats[WORKERS];
};

struct worker {
  pthread_t thread;
  int id;
  struct context *context;
};

static void account(struct stats *s, const char *text) {
  size_t word = 0;
  for (const char *p = text;; p++) {
    if (*p && *p != ' ' && *p != '\n') {
      word++;
      continue;
    }
    if (word) {
      s->words++; // NORACE a block for each worker
      s->lengths[word & 15]++; // NORACE a block for each worker
      if (word > s->longest) s->longest = word; // NORACE a block for each worker
      word = 0;
    }
    if (*p == '\n') s->lines++; // NORACE a block for each worker
    if (!*p) break;
  }
}

static void *count_words(void *arg) {
  struct worker *w = arg;
  struct context *c = w->context;
  struct stats *mine = &c->stats[w->id];
  for (;;) {
    size_t i = atomic_fetch_add_explicit(&c->next, 1, memory_order_relaxed);
    if (i >= c->count) break;
    account(mine, c->texts[i]);
    atomic_fetch_add_explicit(&c->bytes, strlen(c->texts[i]), memory_order_relaxed);
  }
  return NULL;
}

static void merge(struct stats *into, const struct stats *from) {
  into->words += from->words;
  into->lines += from->lines;
  if (from->longest > into->longest) into->longest = from->longest;
  for (int i = 0; i < 16; i++) into->lengths[i] += from->lengths[i];
}

int main(void) {
  static const char *texts[] = {"the quick brown fox\n", "jumps over\nthe lazy dog", "lorem ipsum dolor sit amet\n", "", "one\ntwo\nthree"};
  static struct context context;
  struct worker workers[WORKERS];
  struct stats total = {0};
  context.texts = texts;
  context.count = sizeof texts / sizeof *texts;
  for (int i = 0; i < WORKERS; i++) {
    workers[i].id = i;
    workers[i].context = &context;
    if (pthread_create(&workers[i].thread, NULL, count_words, &workers[i])) abort();
  }
  printf("so far %lu bytes\n", atomic_load(&context.bytes));
  for (int i = 0; i < WORKERS; i++) {
    pthread_join(workers[i].thread, NULL);
    merge(&total, &context.stats[i]); // NORACE this worker is joined
  }
  printf("%lu words %lu lines\n", (unsigned long)total.words, (unsigned long)total.lines);
  return 0;
}
