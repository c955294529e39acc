// Threads that work on parts of one array: from one number to another that each was given, in functions that they call, or
// every n-th element from their number on. Where all go through the whole array, they meet.
#include <pthread.h>
#include <stdio.h>

enum { kThreads = 3, kRows = 12, kColumns = 4, kPart = kRows / kThreads };

struct part {
  int first, last;
  long sum;
};

static double table[kRows][kColumns];
static double flat[kRows * kColumns];
static long squares[kRows];
static long thirds[kRows];
static long totals[kRows];
static long steps[kRows];

static void fill(int first, int last) {
  for (int i = first; i < last; ++i) squares[i] = (long)i * i; // NORACE
}

static void *work(void *given) {
  struct part *part = given;
  for (int row = part->first; row < part->last; ++row)
    for (int column = 0; column < kColumns; ++column) {
      table[row][column] = row + column;     // NORACE
      flat[row * kColumns + column] = row;   // NORACE
      part->sum += (long)table[row][column]; // NORACE
    }
  fill(part->first, part->last);
  for (int i = 0; i < kRows; ++i) totals[i] += 1;    // RACE totals SELF
  for (int i = 0; i < part->last; ++i) steps[i] = i; // RACE steps SELF
  return NULL;
}

static void *byNumber(void *given) {
  int number = (int)(long)given;
  for (int i = number; i < kRows; i += kThreads) thirds[i] = i; // NORACE
  fill(number * kPart, (number + 1) * kPart);
  return NULL;
}

int main(void) {
  pthread_t threads[kThreads];
  struct part parts[kThreads];
  for (int i = 0; i < kThreads; ++i) {
    parts[i].first = i * kPart;
    parts[i].last = parts[i].first + kPart;
    parts[i].sum = 0;
    pthread_create(&threads[i], NULL, work, &parts[i]);
  }
  for (int i = 0; i < kThreads; ++i) pthread_join(threads[i], NULL);
  for (long i = 0; i < kThreads; ++i) pthread_create(&threads[i], NULL, byNumber, (void *)i);
  for (int i = 0; i < kThreads; ++i) pthread_join(threads[i], NULL);
  long sum = 0;
  for (int i = 0; i < kRows; ++i) sum += squares[i] + thirds[i] + totals[i] + steps[i];
  printf("%ld %g\n", sum + parts[0].sum, flat[5]);
  return 0;
}
