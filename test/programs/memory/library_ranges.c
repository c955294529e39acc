// VERBS check run
// SHOWN
// A call of the library reaches as many bytes as it is told, or as there are in the array that it is given: also members behind the first one, and no
// member of others.
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct header {
  int kind, length;
  char text[16];
  char after[16];
  int last;
};

static struct header whole, some, printed, copied;
static char plain[32];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static size_t size = sizeof(struct header);
static int zeros;
static _Atomic int seen;

static void put(char *to, const char *from) {
  strcpy(to, from); // RACE plain
}

static void *fill(void *arg) {
  if (read(zeros, &whole, size) < 0) seen = 1;               // RACE length
  if (read(zeros, &some, 2 * sizeof(int)) < 0) seen = 1;     // RACE first
  snprintf(printed.text, sizeof printed.text, "%d", 1234567); // RACE printed
  strcpy(copied.text, "four letters");                       // RACE copied
  put(plain, "letters");
  pthread_mutex_lock(&lock);
  snprintf(printed.after, sizeof printed.after, "%d", 1234567); // NORACE
  pthread_mutex_unlock(&lock);
  return arg;
}

static void *look(void *arg) {
  int sum = whole.length;   // RACE length
  sum += some.length;       // RACE first
  sum += some.text[0];      // NORACE
  sum += printed.text[3];   // RACE printed
  sum += printed.last;      // NORACE
  sum += copied.text[2];    // RACE copied
  sum += copied.after[0];   // NORACE
  sum += copied.length;     // NORACE
  sum += plain[2];          // RACE plain
  pthread_mutex_lock(&lock);
  sum += printed.after[3]; // NORACE
  pthread_mutex_unlock(&lock);
  seen = sum;
  return arg;
}

int main(void) {
  pthread_t filler, looker;
  zeros = open("/dev/zero", O_RDONLY);
  pthread_create(&filler, NULL, fill, NULL);
  pthread_create(&looker, NULL, look, NULL);
  pthread_join(filler, NULL);
  pthread_join(looker, NULL);
  return seen == 12345;
}
