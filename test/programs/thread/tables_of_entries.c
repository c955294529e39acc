// VERBS check run confirm
// SHOWN
// Loops that start the functions of a table, one in each round: none of them runs beside itself. A function that is in the table twice does,
// so does one of a loop that goes over the table again and again, and two of one table run beside each other.
#include <pthread.h>
#include <stddef.h>

static long read_lines, written_lines, counted, both, often, walked, named, local;

static void *reader(void *argument) {
  read_lines++; // NORACE
  both++;       // RACE both
  return argument;
}

static void *writer(void *argument) {
  written_lines++; // NORACE
  both += 2;       // RACE both
  return argument;
}

static void *counter(void *argument) {
  counted++; // RACE counted SELF
  return argument;
}

static void *(*const parts[])(void *) = {reader, writer, counter, counter};

static void *walker(void *argument) {
  walked++; // NORACE
  return argument;
}

static void *other(void *argument) {
  named++; // NORACE
  return argument;
}

struct part {
  const char *name;
  void *(*run)(void *);
};

static const struct part table[] = {{"walker", walker}, {"other", other}, {NULL, NULL}};

static void *again(void *argument) {
  often++; // RACE often SELF
  return argument;
}

static void *rarely(void *argument) { return argument; }

static void *first(void *argument) {
  local++; // NORACE
  return argument;
}

static void *second(void *argument) { return argument; }

int main(void) {
  pthread_t threads[4], walkers[2], rounds[4], locals[2];
  for (int i = 0; i < 4; ++i) pthread_create(&threads[i], NULL, parts[i], NULL);

  int count = 0;
  for (const struct part *each = table; each->run; ++each) pthread_create(&walkers[count++], NULL, each->run, NULL);

  static void *(*const kinds[])(void *) = {again, rarely};
  count = 0;
  for (int round = 0; round < 2; ++round)
    for (int i = 0; i < 2; ++i) pthread_create(&rounds[count++], NULL, kinds[i], NULL);

  void *(*both_of_them[])(void *) = {first, second};
  for (int i = 0; i < 2; ++i) pthread_create(&locals[i], NULL, both_of_them[i], NULL);

  for (int i = 0; i < 4; ++i) pthread_join(threads[i], NULL);
  for (int i = 0; i < 2; ++i) pthread_join(walkers[i], NULL);
  for (int i = 0; i < 4; ++i) pthread_join(rounds[i], NULL);
  for (int i = 0; i < 2; ++i) pthread_join(locals[i], NULL);
  return (int)(read_lines + written_lines + walked + named + local) - 5;
}
