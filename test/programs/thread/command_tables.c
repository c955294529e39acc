// ARGS second third fourth
// A table of commands that a function searches: each of its entries is called, not only the first one.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct command {
  const char *name;
  void (*run)(void);
};
struct group {
  const char *title;
  const struct command *const commands[];
};
struct menu {
  int length;
  struct command commands[4];
  void (*leave)(void);
};

static int looked, listed, chosen, guarded, left, alone;
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

static void *count(void *unused) {
  looked++; // RACE looked
  listed++; // RACE listed
  chosen++; // RACE chosen
  pthread_mutex_lock(&gate);
  guarded++; // NORACE
  pthread_mutex_unlock(&gate);
  return unused;
}

static void first(void) {}
static void look(void) { looked++; } // RACE looked
static void list(void) { listed++; } // RACE listed
static void choose(void) {
  chosen++; // RACE chosen
  pthread_mutex_lock(&gate);
  guarded++; // NORACE
  pthread_mutex_unlock(&gate);
}
static void leave(void) { left++; } // NORACE
static void stayAlone(void) { alone++; } // NORACE

// An array that is handed on.
static const struct command looks[] = {{"first", first}, {"second", look}, {0, 0}};

static void findIn(const struct command *commands, const char *name) {
  for (int i = 0; commands[i].name; i++)
    if (strcmp(commands[i].name, name) == 0) commands[i].run();
}

// Pointers in an array at the end of a record.
static const struct command firstCommand = {"first", first}, thirdCommand = {"third", list};
static const struct group lists = {"lists", {&firstCommand, &thirdCommand, 0}};

static void findInGroup(const struct group *group, const char *name) {
  for (int i = 0; group->commands[i]; i++)
    if (strcmp(group->commands[i]->name, name) == 0) group->commands[i]->run();
}

// An array inside a record, through which a pointer walks, and a member behind it.
static const struct menu menu = {3, {{"first", first}, {"other", first}, {"fourth", choose}}, leave};

static void walk(const struct menu *menu, const char *name) {
  for (const struct command *at = menu->commands; at->name; at++)
    if (strcmp(at->name, name) == 0) at->run();
}

// Another table, for when there is no thread yet.
static const struct command early[] = {{"first", first}, {"fifth", stayAlone}, {0, 0}};

int main(int count_, char **words) {
  if (count_ < 4) return 1;
  findIn(early, "fifth");
  pthread_t thread;
  if (pthread_create(&thread, NULL, count, NULL) != 0) return 1;
  findIn(looks, words[1]);
  findInGroup(&lists, words[2]);
  walk(&menu, words[3]);
  pthread_join(thread, NULL);
  menu.leave();
  return 0;
}
