// VERBS check confirm
// What the C library writes for its callers: no body shows it.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int messages;
static char last[32];
static char title[32];
static char guarded[32];

static const char *format(int number) {
  static char text[16];
  snprintf(text, sizeof text, "%d", number); // RACE text SELF // RACE read
  return text;
}

static void *talk(void *unused) {
  for (int i = 0; i < 10; ++i) {
    atomic_fetch_add(&messages, 1);
    strncpy(last, "hello", sizeof last - 1); // RACE last SELF
    pthread_mutex_lock(&lock);
    strcpy(guarded, "hello"); // NORACE
    pthread_mutex_unlock(&lock);
    messages += format(i)[0] == 'x'; // RACE read
  }
  return unused;
}

static void *rename_it(void *unused) {
  strcpy(title, "new"); // RACE title
  return unused;
}

int main(void) {
  strcpy(title, "old"); // NORACE
  pthread_t a, b, c;
  pthread_create(&a, 0, talk, 0);
  pthread_create(&b, 0, talk, 0);
  pthread_create(&c, 0, rename_it, 0);
  int same = strcmp(title, "old"); // RACE title
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_join(c, 0);
  return same == 7 || last[1] == 'x' || guarded[1] == 'x'; // NORACE
}
