// SHOWN
// A small parser library with a last-error static, as errno was before threads, and a tokenizer with a static cursor.
#include <ctype.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { P_OK, P_EMPTY, P_DIGIT };

static int parse_error;

static long parse_number(const char *text) {
  long value = 0;
  if (!*text) {
    parse_error = P_EMPTY; // RACE empty SELF // RACE both
    return -1;
  }
  for (; *text; text++) {
    if (!isdigit((unsigned char)*text)) {
      parse_error = P_DIGIT; // RACE digit SELF // RACE both
      return -1;
    }
    value = value * 10 + (*text - '0');
  }
  return value;
}

struct parse_job {
  const char *input;
  long sum;
  unsigned bad;
};

static void *parse_all(void *arg) {
  struct parse_job *job = arg;
  char copy[128], *save = NULL;
  strncpy(copy, job->input, sizeof copy - 1);
  copy[sizeof copy - 1] = '\0';
  for (char *t = strtok_r(copy, ",", &save); t; t = strtok_r(NULL, ",", &save)) {
    if (*t == ' ') t++;
    long n = parse_number(t);
    if (n < 0)
      job->bad++;
    else
      job->sum += n;
  }
  return NULL;
}

int main(void) {
  struct parse_job jobs[] = {{"1,2,x3, ,5", 0, 0}, {"10,20, ,y,40", 0, 0}, {"7,z,8", 0, 0}};
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, parse_all, &jobs[i]);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  printf("%ld %u error %d\n", jobs[0].sum + jobs[1].sum + jobs[2].sum, jobs[0].bad + jobs[1].bad + jobs[2].bad,
         parse_error);
  return 0;
}
