// SHOWN
// Signals are blocked everywhere and taken by one thread with sigwait; a recursive lock guards a tree whose functions
// call one another; a SIGALRM-like handler only writes a sig_atomic_t of its own thread.
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct node {
  struct node *left, *right;
  int key;
  unsigned count;
};

struct tree {
  pthread_mutex_t lock; // recursive
  struct node *root;
  unsigned size;
  bool frozen;
};

static struct tree tree;
static sigset_t signals;

static void tree_init(struct tree *t) {
  pthread_mutexattr_t attr;
  pthread_mutexattr_init(&attr);
  pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&t->lock, &attr);
  pthread_mutexattr_destroy(&attr);
}

static struct node **tree_place(struct tree *t, int key) {
  struct node **p;
  pthread_mutex_lock(&t->lock);
  for (p = &t->root; *p && (*p)->key != key; p = key < (*p)->key ? &(*p)->left : &(*p)->right) {
  }
  pthread_mutex_unlock(&t->lock);
  return p;
}

static bool tree_add(struct tree *t, int key) {
  bool added = false;
  pthread_mutex_lock(&t->lock);
  struct node **p = tree_place(t, key);
  if (*p) {
    (*p)->count++; // NORACE
  } else if (!t->frozen) {
    *p = calloc(1, sizeof **p); // NORACE
    if (*p) {
      (*p)->key = key;
      (*p)->count = 1;
      t->size++; // NORACE
      added = true;
    }
  }
  pthread_mutex_unlock(&t->lock);
  return added;
}

static unsigned tree_sum(const struct node *n) { return n ? n->count + tree_sum(n->left) + tree_sum(n->right) : 0; }

static unsigned tree_total(struct tree *t) {
  pthread_mutex_lock(&t->lock);
  unsigned sum = tree_sum(t->root);
  pthread_mutex_unlock(&t->lock);
  return sum;
}

static void *signal_thread(void *arg) {
  unsigned *reports = arg;
  int number;
  while (sigwait(&signals, &number) == 0) {
    if (number == SIGUSR1) {
      (*reports)++; // NORACE
      tree_total(&tree);
    } else {
      pthread_mutex_lock(&tree.lock);
      tree.frozen = true;
      pthread_mutex_unlock(&tree.lock);
      break;
    }
  }
  return NULL;
}

static void *filler(void *arg) {
  unsigned seed = (unsigned)(long)arg;
  for (int i = 0; i < 60; i++) {
    tree_add(&tree, rand_r(&seed) % 40);
    if (i % 20 == 0) kill(getpid(), SIGUSR1);
  }
  return NULL;
}

static void tree_free(struct node *n) {
  if (!n) return;
  tree_free(n->left);
  tree_free(n->right);
  free(n);
}

int main(void) {
  pthread_t fillers[2], waiter;
  unsigned reports = 0;
  sigemptyset(&signals);
  sigaddset(&signals, SIGUSR1);
  sigaddset(&signals, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals, NULL);
  tree_init(&tree);
  pthread_create(&waiter, NULL, signal_thread, &reports);
  for (long i = 0; i < 2; i++) pthread_create(&fillers[i], NULL, filler, (void *)(i + 1));
  for (int i = 0; i < 2; i++) pthread_join(fillers[i], NULL);
  pthread_kill(waiter, SIGTERM);
  pthread_join(waiter, NULL);
  printf("%u nodes, %u entries, %u reports\n", tree.size, tree_total(&tree), reports);
  tree_free(tree.root);
  return 0;
}
