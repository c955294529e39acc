// SHOWN
// A peer registry locks its list for lookups and for visits, but a found peer is scored after the lock is gone.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define NPEERS 5
#define NLINKS 3

struct peer {
  struct peer *next;
  int id;
  long score;
};

struct registry {
  pthread_mutex_t lock;
  struct peer *first;
};

typedef void (*visit_fn)(const struct peer *, void *);

static void registry_add(struct registry *r, int id) {
  struct peer *p = malloc(sizeof *p);

  if (!p) abort();
  p->id = id;
  p->score = 100;
  pthread_mutex_lock(&r->lock);
  p->next = r->first;
  r->first = p;
  pthread_mutex_unlock(&r->lock);
}

static struct peer *registry_find(struct registry *r, int id) {
  struct peer *p;

  pthread_mutex_lock(&r->lock);
  for (p = r->first; p; p = p->next)
    if (p->id == id) break;
  pthread_mutex_unlock(&r->lock);
  return p;
}

static void registry_visit(struct registry *r, visit_fn visit, void *ctx) {
  pthread_mutex_lock(&r->lock);
  for (const struct peer *p = r->first; p; p = p->next) visit(p, ctx);
  pthread_mutex_unlock(&r->lock);
}

struct best {
  int id;
  long score;
};

static void pick_best(const struct peer *p, void *ctx) {
  struct best *b = ctx;
  long score = p->score; // RACE visit

  if (b->id < 0 || score > b->score) {
    b->id = p->id;
    b->score = score;
  }
}

static struct registry peers = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void *link_thread(void *arg) {
  unsigned x = 1 + (unsigned)(size_t)arg;

  for (int i = 0; i < 500; i++) {
    struct peer *p;

    x = x * 69069u + 1;
    p = registry_find(&peers, (int)(x >> 24) % NPEERS);
    if (p) p->score += (x >> 16 & 1) ? 2 : -1; // RACE bump SELF // RACE visit
  }
  return NULL;
}

static void *elect_thread(void *arg) {
  struct best *b = arg;

  for (int i = 0; i < 50; i++) {
    b->id = -1;
    registry_visit(&peers, pick_best, b);
  }
  return NULL;
}

int main(void) {
  pthread_t link[NLINKS], elect;
  struct best b = {-1, 0};

  for (int i = 0; i < NPEERS; i++) registry_add(&peers, i);
  pthread_create(&elect, NULL, elect_thread, &b);
  for (size_t i = 0; i < NLINKS; i++) pthread_create(&link[i], NULL, link_thread, (void *)i);
  for (int i = 0; i < NLINKS; i++) pthread_join(link[i], NULL);
  pthread_join(elect, NULL);
  printf("leader %d with %ld\n", b.id, b.score);
  while (peers.first) {
    struct peer *p = peers.first;

    peers.first = p->next;
    free(p);
  }
  return 0;
}
