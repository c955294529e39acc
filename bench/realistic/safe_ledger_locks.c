// SHOWN
// Accounts with a lock each in an array: a transfer takes both in the order of their index; the auditor tries, and backs off.
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#define ACCOUNTS 8

struct account {
  pthread_mutex_t lock;
  long balance;
  unsigned moves;
};

struct ledger {
  struct account accounts[ACCOUNTS];
  pthread_mutex_t journal_lock;
  unsigned journal_lines, refused;
  bool audited;
};

static void lock_pair(struct ledger *l, unsigned a, unsigned b) {
  unsigned low = a < b ? a : b, high = a < b ? b : a;
  pthread_mutex_lock(&l->accounts[low].lock);
  if (high != low) pthread_mutex_lock(&l->accounts[high].lock);
}

static void unlock_pair(struct ledger *l, unsigned a, unsigned b) {
  pthread_mutex_unlock(&l->accounts[a].lock);
  if (a != b) pthread_mutex_unlock(&l->accounts[b].lock);
}

static void journal(struct ledger *l, bool refused) {
  pthread_mutex_lock(&l->journal_lock);
  l->journal_lines++;
  if (refused) l->refused++;
  pthread_mutex_unlock(&l->journal_lock);
}

static int transfer(struct ledger *l, unsigned from, unsigned to, long amount) {
  int rc = 0;
  lock_pair(l, from, to);
  if (l->accounts[from].balance < amount) { // NORACE
    rc = -1;
    goto out;
  }
  l->accounts[from].balance -= amount; // NORACE
  l->accounts[to].balance += amount;   // NORACE
  l->accounts[from].moves++;
  l->accounts[to].moves++;
out:
  unlock_pair(l, from, to);
  journal(l, rc < 0);
  return rc;
}

static bool try_audit(struct ledger *l, long *sum) {
  int held = 0;
  *sum = 0;
  while (held < ACCOUNTS && pthread_mutex_trylock(&l->accounts[held].lock) == 0) held++;
  bool all = held == ACCOUNTS;
  if (all)
    for (int i = 0; i < ACCOUNTS; i++) *sum += l->accounts[i].balance; // NORACE
  while (held--) pthread_mutex_unlock(&l->accounts[held].lock);
  return all;
}

static void *teller(void *arg) {
  struct ledger *l = arg;
  unsigned seed = (unsigned)(size_t)&seed;
  for (int i = 0; i < 100; i++) {
    unsigned from = (unsigned)rand_r(&seed) % ACCOUNTS, to = (unsigned)rand_r(&seed) % ACCOUNTS;
    transfer(l, from, to, rand_r(&seed) % 50);
  }
  return NULL;
}

static void *auditor(void *arg) {
  struct ledger *l = arg;
  long sum;
  for (int i = 0; i < 10; i++) {
    for (int tries = 0; tries < 100; tries++) {
      if (try_audit(l, &sum)) {
        if (sum != 100 * ACCOUNTS) abort();
        break;
      }
      sched_yield();
    }
  }
  return NULL;
}

int main(void) {
  static struct ledger l;
  pthread_t tellers[2], audit;
  pthread_mutex_init(&l.journal_lock, NULL);
  for (int i = 0; i < ACCOUNTS; i++) {
    pthread_mutex_init(&l.accounts[i].lock, NULL);
    l.accounts[i].balance = 100;
  }
  for (int i = 0; i < 2; i++) pthread_create(&tellers[i], NULL, teller, &l);
  pthread_create(&audit, NULL, auditor, &l);
  for (int i = 0; i < 2; i++) pthread_join(tellers[i], NULL);
  pthread_join(audit, NULL);
  printf("%u lines, %u refused\n", l.journal_lines, l.refused);
  return l.journal_lines != 200;
}
