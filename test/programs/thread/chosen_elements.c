// Elements of an array that each thread chooses by a number of its own, in functions that call each other: there the parameter is all that is
// known of it. The threads may be started several times, one crowd after the other.
#include <pthread.h>
#include <stddef.h>

enum { kThreads = 4 };

struct board {
  int turn;
  int depth;
};

struct clock {
  int ticks;
  int rest;
};

struct search {
  int nodes;
  struct board board;
  struct clock clock;
};

static struct search searches[kThreads], *everywhere;
static struct clock shared;
static int numbers[kThreads];
static pthread_t threads[kThreads];

static void move(struct board *board, int left, int number);

static void answer(struct board *board, int left, int number) {
  board->depth = left; // NORACE
  if (left > 0) move(board, left - 1, number);
}

static void move(struct board *board, int left, int number) {
  board->turn += 1; // NORACE
  searches[number].nodes += 1; // NORACE
  if (left > 0) answer(board, left - 1, number);
}

static void tick(struct clock *clock, int left);

static void tock(struct clock *clock, int left) {
  clock->rest = left; // RACE rest SELF
  if (left > 0) tick(clock, left - 1);
}

static void tick(struct clock *clock, int left) {
  clock->ticks += 1; // RACE ticks SELF
  if (left > 0) tock(left == 5 ? &shared : clock, left - 1);
}

static void think(int number) {
  move(&searches[number].board, 9, number);
  answer(&everywhere[number].board, 9, number);
  tick(&searches[number].clock, 9);
}

static void *work(void *argument) {
  int number = *(int *)argument;
  think(number);
  return NULL;
}

static void start(void) {
  for (int i = 0; i < kThreads; ++i) {
    numbers[i] = i;
    pthread_create(&threads[i], NULL, work, &numbers[i]);
  }
}

static void end(void) {
  for (int i = 0; i < kThreads; ++i) pthread_join(threads[i], NULL);
}

int main(int count, char **unused) {
  (void)unused;
  everywhere = searches;
  start();
  end();
  if (count > 1) {
    start();
    end();
  }
  return 0;
}
