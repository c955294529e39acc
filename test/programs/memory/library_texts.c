// VERBS check run confirm
// SHOWN
// What common functions of the library read and write, also behind its first byte.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static char number[16] = "12", list[16] = "a,b", words[16] = "a b", file[16] = "f", folder[64], variable[16] = "PATH";
static unsigned seed;
static time_t now;
static struct stat facts;
static int ends[2];
static _Atomic long seen;

static void *use(void *arg) {
  seen = atoi(number);           // RACE number
  seen = strchr(list, ',') != 0; // RACE list
  strtok(words, " ");            // RACE words MISSED run confirm: a call that is not followed
  seen = rand_r(&seed);          // RACE seed
  time(&now);                    // RACE now MISSED confirm: a call that is not stood before
  seen = time(NULL);             // NORACE
  seen = stat(file, &facts);     // RACE file MISSED run confirm: a call that is not followed // RACE facts MISSED run confirm: a call that is not followed
  seen = pipe(ends);             // RACE ends MISSED run confirm: a call that is not followed
  seen = getcwd(folder, sizeof folder) != 0; // RACE folder MISSED run confirm: a call that is not followed
  seen = getenv(variable) != 0;              // RACE variable
  return arg;
}

static void *change(void *arg) {
  number[1] = '3';         // RACE number
  list[1] = ';';           // RACE list
  seen = words[1];         // RACE words
  seen = (long)seed;       // RACE seed
  seen = now;              // RACE now
  file[0] = 'g';           // RACE file
  seen = facts.st_size;    // RACE facts
  seen = ends[1];          // RACE ends
  seen = folder[9];        // RACE folder
  variable[2] = 'S';       // RACE variable
  return arg;
}

int main(void) {
  pthread_t user, changer;
  pthread_create(&user, NULL, use, NULL);
  pthread_create(&changer, NULL, change, NULL);
  pthread_join(user, NULL);
  pthread_join(changer, NULL);
  return seen == 12345;
}
