// VERBS check
// SHOWN
// Records of two kinds from one store, which points-to takes for one another. A pointer that nobody sets by its name calls what was put
// somewhere without a name, with fewer parameters too; it does not call what has other parameters and is only ever in members of other names.
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

struct tester {
  int (*probe)(void);
};

struct settings {
  int (*closed)(int, void *); // set by nobody
  int (*opened)(int, void *); // set by its place in the record
};

static char store[256];
static size_t used;
static int probed, opened;

static void *take(size_t size) {
  void *taken = store + used;
  used += size;
  return taken;
}

static void set(void *record, size_t place, void *value) { *(void **)((char *)record + place) = value; }

static int probe_all(void) { // is called by main alone
  probed += 1;               // NORACE
  return probed;
}

static int count_opened(void) {
  opened += 1; // RACE opened SELF
  return opened;
}

static struct settings *settings;

static void *work(void *given) {
  int result = 0;
  if (settings->opened) result += settings->opened(1, given);
  if (settings->closed) result += settings->closed(1, given);
  return result ? given : NULL;
}

int main(int count, char **words) {
  struct tester *tester = take(sizeof *tester);
  settings = take(sizeof *settings);
  tester->probe = probe_all;
  set(settings, count > 1 ? strtoul(words[1], NULL, 10) : offsetof(struct settings, opened), (void *)count_opened);
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, work, settings);
  int result = tester->probe();
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return result == 0;
}
