// SHOWN
// An account tree with a lock for each node; the total of the parent is changed under the child's lock only.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct account {
  pthread_mutex_t lock;
  struct account *parent;
  struct account *child, *sibling;
  long balance;
  long total;
  char name[16];
};

static struct account *account_new(struct account *parent, const char *name) {
  struct account *a = calloc(1, sizeof *a);
  if (!a) abort();
  pthread_mutex_init(&a->lock, NULL);
  strncpy(a->name, name, sizeof a->name - 1);
  a->parent = parent;
  if (parent) {
    pthread_mutex_lock(&parent->lock);
    a->sibling = parent->child;
    parent->child = a;
    pthread_mutex_unlock(&parent->lock);
  }
  return a;
}

static void account_deposit(struct account *a, long amount) {
  pthread_mutex_lock(&a->lock);
  a->balance += amount;
  if (a->parent) a->parent->total += amount; // RACE total SELF
  pthread_mutex_unlock(&a->lock);
}

static void account_free(struct account *a) {
  for (struct account *c = a->child; c;) {
    struct account *next = c->sibling;
    account_free(c);
    c = next;
  }
  pthread_mutex_destroy(&a->lock);
  free(a);
}

static void *teller(void *arg) {
  struct account *a = arg;
  for (int i = 0; i < 100; i++) account_deposit(a, i);
  return NULL;
}

int main(void) {
  struct account *root = account_new(NULL, "bank");
  struct account *kids[3];
  pthread_t threads[3];
  char name[16];
  for (int i = 0; i < 3; i++) {
    snprintf(name, sizeof name, "branch%d", i);
    kids[i] = account_new(root, name);
  }
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, teller, kids[i]);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  printf("%ld\n", root->total);
  account_free(root);
  return 0;
}
