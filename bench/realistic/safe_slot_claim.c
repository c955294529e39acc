// SHOWN
// Connection slots are claimed with a compare-and-swap on their state; the claimant uses the plain fields alone until it gives the slot back.
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#define NSLOTS 3
#define NCLIENTS 4
#define CALLS 400

enum { SLOT_FREE, SLOT_BUSY };

struct slot {
  atomic_int state;
  unsigned long uses;
  char peer[24];
  struct {
    unsigned sent, received;
  } traffic;
};

static struct slot slots[NSLOTS];

static struct slot *slot_claim(void) {
  for (;;) {
    for (int i = 0; i < NSLOTS; i++) {
      int want = SLOT_FREE;

      if (atomic_compare_exchange_strong_explicit(&slots[i].state, &want, SLOT_BUSY, memory_order_acquire,
                                                  memory_order_relaxed))
        return &slots[i];
    }
    sched_yield();
  }
}

static void slot_release(struct slot *s) { atomic_store_explicit(&s->state, SLOT_FREE, memory_order_release); }

static void *client(void *arg) {
  const char *name = arg;

  for (unsigned i = 0; i < CALLS; i++) {
    struct slot *s = slot_claim();

    s->uses++;                                        // NORACE
    strcpy(s->peer, name);                            // NORACE
    s->traffic.sent += i % 7;                         // NORACE
    s->traffic.received += (unsigned)strlen(s->peer); // NORACE
    slot_release(s);
  }
  return NULL;
}

int main(void) {
  static char *const names[NCLIENTS] = {"alpha", "beta", "gamma", "delta"};
  pthread_t t[NCLIENTS];
  unsigned long uses = 0, sent = 0, received = 0;

  for (int i = 0; i < NCLIENTS; i++) pthread_create(&t[i], NULL, client, names[i]);
  for (int i = 0; i < NCLIENTS; i++) pthread_join(t[i], NULL);
  for (int i = 0; i < NSLOTS; i++) {
    uses += slots[i].uses;
    sent += slots[i].traffic.sent;
    received += slots[i].traffic.received;
  }
  printf("uses %lu sent %lu received %lu\n", uses, sent, received);
  return 0;
}
