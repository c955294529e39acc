// VERBS check
// SHOWN
// Pointers whose functions are not here: what points-to takes for them is not what they call, if it returns nothing where a result is used,
// or takes a pointer where a number is given. Else it may be, with fewer parameters.
#include <pthread.h>
#include <stdlib.h>

typedef int (*check_t)(void *, int, int);
typedef void (*tell_t)(void *, int, int);

struct request {
  void *state;
  void *told;
  void *asked;
  void *found;
};

static int handlers, listeners, counted, joined;

static void appear(void *unused) { // is registered, and called by main alone
  (void)unused;
  handlers += 1; // NORACE
}

static void listen_to(void *unused) {
  (void)unused;
  listeners += 1; // RACE listeners SELF
}

static int count(void *unused) {
  (void)unused;
  counted += 1; // RACE counted SELF
  return counted;
}

static int join_in(void *unused, int *number) {
  (void)unused;
  joined += *number; // NORACE
  return joined;
}

static struct request *make(void *state, void *told, void *asked, void *found) {
  struct request *made = malloc(sizeof *made);
  made->state = state;
  made->told = told;
  made->asked = asked;
  made->found = found;
  return made;
}

static void *work(void *given) {
  struct request *request = given;
  check_t check = (check_t)request->state;
  tell_t tell = (tell_t)request->told;
  check_t ask = (check_t)request->asked;
  tell_t find = (tell_t)request->found;
  tell(given, 1, 2);
  find(given, 1, 2);
  if (ask(given, 1, 2) > 3) return NULL;
  return check(given, 1, 2) ? given : NULL;
}

int main(void) {
  struct request *shared = make((void *)appear, (void *)listen_to, (void *)count, (void *)join_in);
  int number = 1;
  pthread_t threads[2];
  ((void (*)(void *))shared->state)(shared);
  ((int (*)(void *, int *))shared->found)(shared, &number);
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, work, shared);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return handlers + listeners + counted + joined == 0;
}
