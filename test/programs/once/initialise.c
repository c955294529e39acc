// What pthread_once calls is before all who called it.
#include <pthread.h>
#include <stdio.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int settings;
static int uses;

static void load(void) { settings = 5; } // NORACE

static void *use(void *unused) {
  pthread_once(&once, load);
  uses += settings; // RACE uses SELF
  return unused;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, use, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  printf("%d\n", settings);
  return uses == 0;
}
