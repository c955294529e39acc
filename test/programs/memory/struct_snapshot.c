// VERBS check confirm
// SHOWN
// goto-cleanup: the error path jumps behind the lock but counts the failure in the guarded statistics.
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct stats {
  unsigned ok, failed;
  size_t bytes;
};

struct store {
  pthread_mutex_t lock;
  struct stats stats;
  char *last;
};

static struct store store = {.lock = PTHREAD_MUTEX_INITIALIZER};

static int validate(const char *record) { return record && strchr(record, '=') ? 0 : -EINVAL; }

static int store_record(struct store *s, const char *record) {
  char *copy = NULL;
  int rc = validate(record);
  if (rc) goto fail;
  copy = strdup(record);
  if (!copy) {
    rc = -ENOMEM;
    goto fail;
  }
  pthread_mutex_lock(&s->lock);
  free(s->last);
  s->last = copy;
  s->stats.ok++;
  s->stats.bytes += strlen(copy);
  pthread_mutex_unlock(&s->lock);
  return 0;
fail:
  s->stats.failed++; // RACE failed SELF // RACE shown
  return rc;
}

static struct stats store_stats(struct store *s) {
  struct stats copy;
  pthread_mutex_lock(&s->lock);
  copy = s->stats; // RACE shown
  pthread_mutex_unlock(&s->lock);
  return copy;
}

static void *feeder(void *arg) {
  const char *prefix = arg;
  char record[64];
  for (int i = 0; i < 40; i++) {
    if (i % 7 == 0)
      snprintf(record, sizeof record, "%s broken %d", prefix, i);
    else
      snprintf(record, sizeof record, "%s%d=%d", prefix, i, i * i);
    store_record(&store, record);
  }
  return NULL;
}

static void *monitor(void *arg) {
  struct stats *seen = arg;
  for (int i = 0; i < 20; i++) {
    *seen = store_stats(&store);
    sched_yield();
  }
  return NULL;
}

int main(void) {
  pthread_t a, b, m;
  struct stats seen;
  pthread_create(&a, NULL, feeder, "left");
  pthread_create(&b, NULL, feeder, "right");
  pthread_create(&m, NULL, monitor, &seen);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  pthread_join(m, NULL);
  struct stats end = store_stats(&store);
  printf("ok %u failed %u bytes %zu\n", end.ok, end.failed, end.bytes);
  free(store.last);
  return 0;
}
