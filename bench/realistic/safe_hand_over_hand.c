// SHOWN
// A sorted list with a lock in each node, locked hand over hand.
#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

struct node {
  pthread_mutex_t lock;
  struct node *next;
  int key;
  int hits;
};

static struct node head = {.lock = PTHREAD_MUTEX_INITIALIZER, .key = INT_MIN};

/* Returns the last node with a smaller key, locked. */
static struct node *seek(int key) {
  struct node *prev = &head;
  pthread_mutex_lock(&prev->lock);
  for (;;) {
    struct node *next = prev->next; // NORACE prev is locked
    if (!next) return prev;
    pthread_mutex_lock(&next->lock);
    if (next->key >= key) {
      pthread_mutex_unlock(&next->lock);
      return prev;
    }
    pthread_mutex_unlock(&prev->lock);
    prev = next;
  }
}

static bool list_add(int key) {
  struct node *prev = seek(key);
  struct node *next = prev->next;
  if (next && next->key == key) { // NORACE keys do not change
    pthread_mutex_lock(&next->lock);
    next->hits++; // NORACE next is locked
    pthread_mutex_unlock(&next->lock);
    pthread_mutex_unlock(&prev->lock);
    return false;
  }
  struct node *n = malloc(sizeof *n);
  if (!n) abort();
  pthread_mutex_init(&n->lock, NULL);
  n->key = key; // NORACE not yet in the list
  n->hits = 0;  // NORACE not yet in the list
  n->next = next;
  prev->next = n; // NORACE prev is locked
  pthread_mutex_unlock(&prev->lock);
  return true;
}

static bool list_remove(int key) {
  struct node *prev = seek(key);
  struct node *victim = prev->next;
  bool found = victim && victim->key == key;
  if (found) {
    pthread_mutex_lock(&victim->lock);
    prev->next = victim->next; // NORACE both are locked
    pthread_mutex_unlock(&victim->lock);
    pthread_mutex_destroy(&victim->lock);
    free(victim); // NORACE nobody can reach it
  }
  pthread_mutex_unlock(&prev->lock);
  return found;
}

static void *mutate(void *arg) {
  unsigned seed = *(unsigned *)arg;
  long balance = 0;
  for (int i = 0; i < 100; i++) {
    int key = (int)(rand_r(&seed) % 40);
    if (rand_r(&seed) % 3)
      balance += list_add(key);
    else
      balance -= list_remove(key);
  }
  return (void *)balance;
}

int main(void) {
  pthread_t threads[3];
  unsigned seeds[3] = {1, 7, 42};
  long balance = 0;
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, mutate, &seeds[i]);
  for (int i = 0; i < 3; i++) {
    void *result;
    pthread_join(threads[i], &result);
    balance += (long)result;
  }
  for (struct node *n = head.next; n;) {
    struct node *next = n->next;
    free(n);
    balance--;
    n = next;
  }
  printf("%ld\n", balance);
  return balance != 0;
}
