// VERBS check
// SHOWN
// A number that an atomic counter gives out is one thread's own, as long as the counter only goes one way.
#include <pthread.h>
#include <stdatomic.h>

enum { SIZE = 64, WIDTH = 8, ROWS = SIZE / WIDTH };

static int asked[SIZE], first[SIZE], later[SIZE], relaxed[SIZE], built[SIZE];
static atomic_int next_asked, next_first, next_later, next_relaxed;
static int next_built;

static int table[SIZE], image[SIZE];
static atomic_int next_element, next_row;

static int halves[SIZE], copied[SIZE], others[SIZE];
static atomic_int next_half, next_copied, next_other;

static int stack[SIZE];
static atomic_int top;

static void *take(void *arg) {
  int i;
  while ((i = atomic_fetch_add(&next_asked, 1)) < SIZE) asked[i] = i; // NORACE
  i = atomic_fetch_add(&next_first, 1);
  first[i] = i; // NORACE
  for (int j = next_later++; j < SIZE; j = next_later++) later[j] = j; // NORACE
  while ((i = atomic_fetch_add_explicit(&next_relaxed, 1, memory_order_relaxed)) < SIZE) relaxed[i] += i; // NORACE
  while ((i = __sync_fetch_and_add(&next_built, 1)) < SIZE) built[i] += i; // NORACE
  return arg;
}

static void fill(int i) {
  table[i] = i; // NORACE
}

static void paint(int y) {
  for (int x = 0; x < WIDTH; x++) image[y * WIDTH + x] = x; // NORACE
}

static void *pass_on(void *arg) {
  int i;
  while ((i = atomic_fetch_add(&next_element, 1)) < SIZE) fill(i);
  while ((i = atomic_fetch_add(&next_row, 1)) < ROWS) paint(i);
  return arg;
}

static void *misuse(void *arg) {
  int i = atomic_fetch_add(&next_half, 1);
  if (i < SIZE) halves[i / 2]++; // RACE halves SELF
  i = atomic_fetch_add(&next_copied, 1);
  for (int j = i; j < SIZE; j++) copied[j]++; // RACE rest SELF
  i = atomic_fetch_add(&next_other, 1);
  if (i < SIZE - 1) others[i] = others[i + 1]; // RACE neighbour SELF
  return arg;
}

/* It comes back: what one has put there, another one puts there, too. */
static void *put(void *arg) {
  int i = atomic_fetch_add(&top, 1);
  if (i < SIZE) stack[i] = i; // RACE back SELF
  atomic_fetch_sub(&top, 1);
  return arg;
}

int main(void) {
  pthread_t threads[8];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, take, 0);
  for (int i = 2; i < 4; i++) pthread_create(&threads[i], 0, pass_on, 0);
  for (int i = 4; i < 6; i++) pthread_create(&threads[i], 0, misuse, 0);
  for (int i = 6; i < 8; i++) pthread_create(&threads[i], 0, put, 0);
  for (int i = 0; i < 8; i++) pthread_join(threads[i], 0);
  return 0;
}
