// VERBS check run confirm
// FLAGS -Wall
// SHOWN
// Text indexer: each thread builds an index of its own and merges it under the lock; normalising a word uses a static buffer.
#include <ctype.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORD 24

struct posting {
  struct posting *next;
  char word[WORD];
  int count;
};

struct index {
  struct posting *head;
  int words;
};

static struct index merged;
static pthread_mutex_t merged_lock = PTHREAD_MUTEX_INITIALIZER;

static const char *documents[] = {
    "The cat sat on the mat. The cat was happy.",
    "A dog and a cat met. The dog ran, the cat ran.",
    "Rain fell on the roof; rain fell on the road.",
};

/* Lower-case copy of a word, valid until the next call. */
static const char *normalize(const char *w, size_t n) {
  static char buf[WORD];
  size_t i;

  if (n >= sizeof buf) n = sizeof buf - 1;
  for (i = 0; i < n; i++) buf[i] = (char)tolower((unsigned char)w[i]); // RACE store SELF // RACE cmp copy endstore
  buf[i] = '\0';                                                       // RACE end SELF // RACE endstore endcmp endcopy
  return buf;
}

static void index_add(struct index *ix, const char *word, int count) {
  struct posting *p;

  for (p = ix->head; p; p = p->next)
    if (strcmp(p->word, word) == 0) { // RACE cmp endcmp
      p->count += count;
      return;
    }
  p = calloc(1, sizeof *p);
  snprintf(p->word, sizeof p->word, "%s", word); // RACE copy endcopy
  p->count = count;
  p->next = ix->head;
  ix->head = p;
  ix->words++;
}

static void index_text(struct index *ix, const char *text) {
  while (*text) {
    size_t n = 0;
    while (*text && !isalpha((unsigned char)*text)) text++;
    while (isalpha((unsigned char)text[n])) n++;
    if (n > 0) index_add(ix, normalize(text, n), 1);
    text += n;
  }
}

static void *index_thread(void *arg) {
  struct index local = {0};
  struct posting *p, *n;

  index_text(&local, arg);
  pthread_mutex_lock(&merged_lock);
  for (p = local.head; p; p = p->next) index_add(&merged, p->word, p->count);
  pthread_mutex_unlock(&merged_lock);
  for (p = local.head; p; p = n) {
    n = p->next;
    free(p);
  }
  return NULL;
}

int main(void) {
  pthread_t t[3];
  struct posting *p;

  for (int i = 0; i < 3; i++) pthread_create(&t[i], NULL, index_thread, (void *)documents[i]);
  for (int i = 0; i < 3; i++) pthread_join(t[i], NULL);
  while ((p = merged.head)) {
    merged.head = p->next;
    free(p);
  }
  return 0;
}
