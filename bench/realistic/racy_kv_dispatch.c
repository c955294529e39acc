// SHOWN
// A key-value server dispatches commands through a function table; the error path of `put` unlocks first and counts the rejection after.
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define NKEYS 16
#define VALUE_MAX 12
#define NSESSIONS 3

struct store {
  pthread_mutex_t lock;
  char value[NKEYS][VALUE_MAX];
  unsigned puts;
  unsigned rejected;
};

struct request {
  int key;
  const char *text;
  char reply[48];
};

typedef int (*handler_fn)(struct store *, struct request *);

static int do_put(struct store *s, struct request *rq) {
  pthread_mutex_lock(&s->lock);
  if (rq->key < 0 || rq->key >= NKEYS) goto bad;
  if (strlen(rq->text) >= VALUE_MAX) goto bad;
  strcpy(s->value[rq->key], rq->text);
  s->puts++;
  pthread_mutex_unlock(&s->lock);
  return 0;

bad:
  pthread_mutex_unlock(&s->lock);
  s->rejected++; // RACE rej SELF // RACE stat
  return -1;
}

static int do_get(struct store *s, struct request *rq) {
  int rc = -1;

  pthread_mutex_lock(&s->lock);
  if (rq->key < 0 || rq->key >= NKEYS) goto out;
  snprintf(rq->reply, sizeof rq->reply, "%s", s->value[rq->key]);
  rc = 0;
out:
  pthread_mutex_unlock(&s->lock);
  return rc;
}

static int do_stat(struct store *s, struct request *rq) {
  unsigned ok, bad;

  pthread_mutex_lock(&s->lock);
  ok = s->puts;
  bad = s->rejected; // RACE stat
  pthread_mutex_unlock(&s->lock);
  snprintf(rq->reply, sizeof rq->reply, "ok=%u bad=%u", ok, bad);
  return 0;
}

static const struct {
  const char *verb;
  handler_fn run;
} commands[] = {{"put", do_put}, {"get", do_get}, {"stat", do_stat}};

static int dispatch(struct store *s, const char *verb, struct request *rq) {
  for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
    if (strcmp(commands[i].verb, verb) == 0) return commands[i].run(s, rq);
  return -1;
}

static struct store store = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void *session(void *arg) {
  struct request rq = {.text = arg};
  int failed = 0;

  for (int i = 0; i < 400; i++) {
    rq.key = i % (NKEYS + 4);
    failed += dispatch(&store, "put", &rq) < 0;
    failed += dispatch(&store, "get", &rq) < 0;
    if (i % 50 == 0) dispatch(&store, "stat", &rq);
  }
  return failed ? arg : NULL;
}

int main(void) {
  static char *const text[NSESSIONS] = {"red", "green", "a far too long value"};
  struct request rq = {.text = ""};
  pthread_t t[NSESSIONS];

  for (int i = 0; i < NSESSIONS; i++) pthread_create(&t[i], NULL, session, text[i]);
  for (int i = 0; i < NSESSIONS; i++) pthread_join(t[i], NULL);
  dispatch(&store, "stat", &rq);
  puts(rq.reply);
  return 0;
}
