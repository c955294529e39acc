// SHOWN
// Orders are tagged unions that travel through two locked mailboxes; each stage changes the order it owns without any lock.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NORDERS 40

enum kind { RAW_TEXT, PRICED, LAST };

struct order {
  struct order *next;
  enum kind kind;
  union {
    char text[24];
    struct {
      unsigned item;
      unsigned cents;
    } priced;
  } u;
};

struct mailbox {
  pthread_mutex_t lock;
  pthread_cond_t filled;
  struct order *head, *tail;
};

static struct mailbox to_pricing = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, NULL, NULL};
static struct mailbox to_billing = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, NULL, NULL};

static void mail_put(struct mailbox *m, struct order *o) {
  pthread_mutex_lock(&m->lock);
  o->next = NULL;
  if (m->tail)
    m->tail->next = o; // NORACE
  else
    m->head = o;
  m->tail = o;
  pthread_cond_signal(&m->filled);
  pthread_mutex_unlock(&m->lock);
}

static struct order *mail_get(struct mailbox *m) {
  struct order *o;

  pthread_mutex_lock(&m->lock);
  while (!m->head) pthread_cond_wait(&m->filled, &m->lock);
  o = m->head;
  m->head = o->next;
  if (!m->head) m->tail = NULL;
  pthread_mutex_unlock(&m->lock);
  return o;
}

static void *pricing(void *arg) {
  int last = 0;

  (void)arg;
  while (!last) {
    struct order *o = mail_get(&to_pricing);

    last = o->kind == LAST;
    if (!last) {
      unsigned item = (unsigned)strtoul(o->u.text + 5, NULL, 10); // NORACE

      o->kind = PRICED; // NORACE
      o->u.priced.item = item;
      o->u.priced.cents = 100 + item * 5; // NORACE
    }
    mail_put(&to_billing, o);
  }
  return NULL;
}

static void *billing(void *arg) {
  unsigned long *sum = arg;

  for (;;) {
    struct order *o = mail_get(&to_billing);
    int last = o->kind == LAST;

    if (!last) *sum += o->u.priced.cents; // NORACE
    free(o);
    if (last) return NULL;
  }
}

int main(void) {
  pthread_t p, b;
  unsigned long sum = 0;

  pthread_create(&p, NULL, pricing, NULL);
  pthread_create(&b, NULL, billing, &sum);
  for (unsigned i = 0; i <= NORDERS; i++) {
    struct order *o = calloc(1, sizeof *o);

    if (!o) abort();
    o->kind = i == NORDERS ? LAST : RAW_TEXT;
    snprintf(o->u.text, sizeof o->u.text, "item %u", i);
    mail_put(&to_pricing, o);
  }
  pthread_join(p, NULL);
  pthread_join(b, NULL);
  printf("billed %lu.%02lu\n", sum / 100, sum % 100);
  return 0;
}
