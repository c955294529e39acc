// VERBS check run confirm
// FLAGS -Wall
// SHOWN
// Bank: transfers lock the two accounts, the auditor locks the bank and sums the balances.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct account {
  pthread_mutex_t lock;
  long balance;
  unsigned long ops;
} account;

typedef struct bank {
  pthread_mutex_t lock;
  account **accounts;
  int n, cap;
  long last_total;
} bank;

static account *bank_open(bank *b, long initial) {
  account *a = calloc(1, sizeof *a);
  pthread_mutex_init(&a->lock, NULL);
  a->balance = initial;
  pthread_mutex_lock(&b->lock);
  if (b->n == b->cap) {
    b->cap = b->cap ? 2 * b->cap : 2;
    b->accounts = realloc(b->accounts, sizeof *b->accounts * b->cap);
  }
  b->accounts[b->n++] = a;
  pthread_mutex_unlock(&b->lock);
  return a;
}

static account *bank_account(bank *b, int i) {
  pthread_mutex_lock(&b->lock);
  account *a = b->accounts[i % b->n];
  pthread_mutex_unlock(&b->lock);
  return a;
}

static int transfer(account *from, account *to, long amount) {
  int rc = -1;
  if (from == to) return 0;
  account *first = from < to ? from : to, *second = from < to ? to : from;
  pthread_mutex_lock(&first->lock);
  pthread_mutex_lock(&second->lock);
  if (from->balance >= amount) {
    from->balance -= amount; // RACE out
    to->balance += amount;   // RACE in
    from->ops++;
    to->ops++;
    rc = 0;
  }
  pthread_mutex_unlock(&second->lock);
  pthread_mutex_unlock(&first->lock);
  return rc;
}

static long bank_audit(bank *b) {
  long total = 0;
  pthread_mutex_lock(&b->lock);
  for (int i = 0; i < b->n; i++) total += b->accounts[i]->balance; // RACE out in
  b->last_total = total;
  pthread_mutex_unlock(&b->lock);
  return total;
}

static void *teller(void *arg) {
  bank *b = arg;
  for (int i = 0; i < 40; i++) transfer(bank_account(b, i), bank_account(b, i * 3 + 1), i % 10);
  return NULL;
}

static void *auditor(void *arg) {
  bank *b = arg;
  for (int i = 0; i < 10; i++) bank_audit(b);
  return NULL;
}

int main(void) {
  bank b = {.n = 0};
  pthread_t tellers[2], audit;
  pthread_mutex_init(&b.lock, NULL);
  for (int i = 0; i < 5; i++) bank_open(&b, 100);
  for (int i = 0; i < 2; i++) pthread_create(&tellers[i], NULL, teller, &b);
  pthread_create(&audit, NULL, auditor, &b);
  for (int i = 0; i < 2; i++) pthread_join(tellers[i], NULL);
  pthread_join(audit, NULL);
  long total = bank_audit(&b);
  for (int i = 0; i < b.n; i++) free(b.accounts[i]);
  free(b.accounts);
  return total == 500 ? 0 : 1;
}
