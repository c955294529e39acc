// VERBS check confirm
// SHOWN
// A variable remembers for what a table was made; it is made anew only for another wish. Where the wish changes while threads run, it is made under them.
#include <pthread.h>

static int wished = 3, made_for = -1;
static int scales[4];
static int chosen = 1, rows_for = -1;
static int rows[4];
static int total;
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t row_gate = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t sum_gate = PTHREAD_MUTEX_INITIALIZER;

static void make_scales(void) {
  for (int i = 0; i < 4; ++i) scales[i] = wished * i; // NORACE
}

static void need_scales(void) {
  pthread_mutex_lock(&gate);
  if (made_for != wished) make_scales();
  made_for = wished;
  pthread_mutex_unlock(&gate);
}

static void need_rows(void) {
  pthread_mutex_lock(&row_gate);
  if (chosen != rows_for) {
    for (int i = 0; i < 4; ++i) rows[i] = chosen + i; // RACE rows
    rows_for = chosen;
  }
  pthread_mutex_unlock(&row_gate);
}

static void *worker(void *unused) {
  (void)unused;
  need_scales();
  need_rows();
  int sum = scales[2] + rows[2]; // RACE rows
  pthread_mutex_lock(&sum_gate);
  total += sum;
  pthread_mutex_unlock(&sum_gate);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, worker, NULL);
  pthread_mutex_lock(&row_gate);
  chosen = 2;
  pthread_mutex_unlock(&row_gate);
  need_rows();
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return total < 0;
}
