// SHOWN
// Starts one loader per index shard; every loader is handed the address of the loop counter instead of its own number.
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define NSHARDS 6

static pthread_mutex_t index_lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned long index_docs;
static char index_last[32];

static unsigned long parse_shard(const char *name) {
  unsigned long h = 5381;

  while (*name) h = h * 33 + (unsigned char)*name++;
  return h % 1000;
}

static void *load_shard(void *arg) {
  int shard = *(int *)arg; // RACE a
  char name[32];
  unsigned long docs;

  snprintf(name, sizeof name, "shard-%02d.idx", shard);
  docs = parse_shard(name);

  pthread_mutex_lock(&index_lock);
  index_docs += docs;
  strcpy(index_last, name);
  pthread_mutex_unlock(&index_lock);
  return NULL;
}

int main(void) {
  pthread_t loader[NSHARDS];
  int started = 0;
  int i;

  for (i = 0; i < NSHARDS; i++) { // RACE a
    int rc = pthread_create(&loader[started], NULL, load_shard, &i);

    if (rc != 0) {
      fprintf(stderr, "cannot start loader: %s\n", strerror(rc));
      break;
    }
    started++;
  }
  for (int k = 0; k < started; k++) pthread_join(loader[k], NULL);

  printf("%lu documents, last shard %s\n", index_docs, index_last);
  return started == NSHARDS ? 0 : 1;
}
