// VERBS check
// SHOWN
// Each thread has a cell of its own in what they share, by the number in its record, though a callee writes to another member of that. Where
// it changes its number, the cell may be another's.
#include <pthread.h>

enum { kWriters = 3, kBlocks = 8 };

struct block {
  unsigned long length;
  unsigned cells[kWriters];
  unsigned turns[kWriters];
};

struct writer {
  pthread_t thread;
  int number;
  int turn;
  struct block *blocks[kBlocks];
  unsigned long sum;
};

static struct block blocks[kBlocks];
static struct writer writers[kWriters];

static void account(const struct block *b, unsigned long *sum) { *sum += b->length; }

static void advance(struct writer *w) { w->turn = (w->turn + 1) % kWriters; }

static void *work(void *argument) {
  struct writer *w = argument;
  for (int i = 0; i < kBlocks; i++) {
    struct block *b = w->blocks[i];
    for (unsigned k = 0; k < 4; k++) b->cells[w->number]++; // NORACE
    b->turns[w->turn]++;                                    // RACE turns SELF
    advance(w);
    account(b, &w->sum);
  }
  return NULL;
}

int main(void) {
  for (int i = 0; i < kBlocks; i++) {
    blocks[i].length = 16;
    for (int n = 0; n < kWriters; n++) writers[n].blocks[i] = &blocks[i];
  }
  for (int n = 0; n < kWriters; n++) {
    writers[n].number = n;
    writers[n].turn = n;
    pthread_create(&writers[n].thread, NULL, work, &writers[n]);
  }
  for (int n = 0; n < kWriters; n++) pthread_join(writers[n].thread, NULL);
  return writers[0].sum == 0;
}
