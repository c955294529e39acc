// VERBS check run confirm
// SHOWN
// A constant format says which arguments are texts that are read, and which are places that are written.
#include <pthread.h>
#include <stdio.h>

static char name[16] = "a", title[16] = "b", place[16] = "c", untouched[16] = "d", word[16], kept[16];
static int width = 3, number, other, skipped;

static void *show(void *arg) {
  char line[64];
  snprintf(line, sizeof line, "%% %d %s", width, name);            // RACE name
  printf("%*d %s\n", width, 4, untouched); // NORACE
  fprintf(stderr, "%-*.*s|%p\n", width, 2, title, (void *)kept);   // RACE title
  fprintf(stderr, "%2$s %1$d\n", width, place);                    // RACE place MISSED run confirm: arguments by number are not followed
  return arg;
}

static void *take(void *arg) {
  sscanf(arg, "%*[^]x]%d %15s", &number, word); // RACE number MISSED run confirm: what scanf writes is not followed // RACE word MISSED run confirm: what scanf writes is not followed
  return arg;
}

static void *change(void *arg) {
  name[1] = 'x';  // RACE name
  title[1] = 'y'; // RACE title
  place[0] = 'z'; // RACE place
  kept[0] = 'k';  // NORACE
  number = 2;     // RACE number
  word[3] = 'w';  // RACE word
  other = 1;      // NORACE
  skipped = 1;    // NORACE
  return arg;
}

int main(void) {
  pthread_t shower, taker, changer;
  char text[] = "abc]12 word";
  pthread_create(&shower, NULL, show, NULL);
  pthread_create(&taker, NULL, take, text);
  pthread_create(&changer, NULL, change, NULL);
  pthread_join(shower, NULL);
  pthread_join(taker, NULL);
  pthread_join(changer, NULL);
  return other + skipped + number == 1000;
}
