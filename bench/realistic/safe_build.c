// VERBS check run
// FLAGS -Wall
// SHOWN
// A build system: a target is queued by whoever finishes the last of its dependencies, then reads what those have built.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_DEPS 4
#define NTARGETS 7

struct target {
  const char *name;
  int ndeps;
  int deps[MAX_DEPS];
  atomic_int pending;
  int built;
  unsigned digest;
  char output[96];
};

static struct target graph[NTARGETS] = {
    {.name = "lex.o"},
    {.name = "parse.o"},
    {.name = "util.o"},
    {.name = "libutil.a", .ndeps = 1, .deps = {2}},
    {.name = "front.o", .ndeps = 2, .deps = {0, 1}},
    {.name = "cc", .ndeps = 2, .deps = {3, 4}},
    {.name = "install", .ndeps = 1, .deps = {5}},
};

static struct {
  pthread_mutex_t mu;
  pthread_cond_t cv;
  int ready[NTARGETS];
  int head, tail, finished;
} rq = {.mu = PTHREAD_MUTEX_INITIALIZER, .cv = PTHREAD_COND_INITIALIZER};

static void rq_push(int t) {
  pthread_mutex_lock(&rq.mu);
  rq.ready[rq.tail++] = t;
  pthread_cond_signal(&rq.cv);
  pthread_mutex_unlock(&rq.mu);
}

static int rq_pop(void) {
  int t = -1;
  pthread_mutex_lock(&rq.mu);
  while (rq.head == rq.tail && rq.finished < NTARGETS) pthread_cond_wait(&rq.cv, &rq.mu);
  if (rq.head < rq.tail) t = rq.ready[rq.head++];
  pthread_mutex_unlock(&rq.mu);
  return t;
}

static void build(struct target *t) {
  unsigned d = 5381;
  size_t used = 0;

  for (const char *p = t->name; *p; p++) d = d * 33 + (unsigned char)*p;
  for (int i = 0; i < t->ndeps; i++) {
    const struct target *dep = &graph[t->deps[i]];
    d ^= dep->digest;
    used += (size_t)snprintf(t->output + used, sizeof t->output - used, "%s%s", i ? "+" : "", dep->name);
  }
  t->digest = d;
  t->built = 1;
}

static void release_dependents(int done) {
  for (int i = 0; i < NTARGETS; i++)
    for (int j = 0; j < graph[i].ndeps; j++)
      if (graph[i].deps[j] == done && atomic_fetch_sub(&graph[i].pending, 1) == 1) rq_push(i);
}

static void *builder(void *unused) {
  int t;
  while ((t = rq_pop()) >= 0) {
    build(&graph[t]);
    release_dependents(t);
    pthread_mutex_lock(&rq.mu);
    if (++rq.finished == NTARGETS) pthread_cond_broadcast(&rq.cv);
    pthread_mutex_unlock(&rq.mu);
  }
  return unused;
}

int main(void) {
  pthread_t tid[3];
  int built = 0;

  for (int i = 0; i < NTARGETS; i++) atomic_init(&graph[i].pending, graph[i].ndeps);
  for (int i = 0; i < NTARGETS; i++)
    if (graph[i].ndeps == 0) rq_push(i);
  for (int i = 0; i < 3; i++) pthread_create(&tid[i], NULL, builder, NULL);
  for (int i = 0; i < 3; i++) pthread_join(tid[i], NULL);
  for (int i = 0; i < NTARGETS; i++) built += graph[i].built;
  return built == NTARGETS ? 0 : 1;
}
