// VERBS check
// SHOWN
// One stripe is enough to look at the table, who changes it takes all of them. Two who hold one stripe each may hold different ones.
#include <pthread.h>

enum { kStripes = 4 };

struct table {
  pthread_mutex_t stripes[kStripes];
  int capacity;
  int lookups;
  int resizes;
};

static struct table table;

static void lockAll(struct table *t) {
  for (int i = 0; i < kStripes; i++) pthread_mutex_lock(&t->stripes[i]);
}

static void unlockAll(struct table *t) {
  for (int i = kStripes; i-- > 0;) pthread_mutex_unlock(&t->stripes[i]);
}

static void grow(struct table *t) {
  lockAll(t);
  t->capacity *= 2; // NORACE
  t->resizes++;     // RACE resizes
  unlockAll(t);
}

static int find(struct table *t, int key) {
  pthread_mutex_t *stripe = &t->stripes[key % kStripes];
  pthread_mutex_lock(stripe);
  int found = key < t->capacity; // NORACE
  t->lookups++;                  // RACE lookups SELF
  pthread_mutex_unlock(stripe);
  return found;
}

static void *client(void *argument) {
  int found = 0, first = *(int *)argument;
  for (int i = 0; i < 50; i++) found += find(&table, first + i);
  if (found < 50) grow(&table);
  return NULL;
}

static void *watch(void *unused) {
  (void)unused;
  return (void *)(long)table.resizes; // RACE resizes
}

int main(void) {
  int first[] = {0, 30};
  pthread_t a, b, c;
  table.capacity = 16;
  for (int i = 0; i < kStripes; i++) pthread_mutex_init(&table.stripes[i], NULL);
  pthread_create(&a, NULL, client, &first[0]);
  pthread_create(&b, NULL, client, &first[1]);
  pthread_create(&c, NULL, watch, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  pthread_join(c, NULL);
  return 0;
}
