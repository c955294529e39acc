// SHOWN
// Two threads set bit fields of one port structure under different locks; a zero-width field between the groups makes them separate memory locations.
#include <pthread.h>
#include <stdio.h>

#define NPORTS 4
#define ROUNDS 1500

struct port {
  unsigned tx_on : 1;   /* tx_lock */
  unsigned tx_rate : 5; /* tx_lock */
  unsigned : 0;         /* next storage unit */
  unsigned rx_on : 1;   /* rx_lock */
  unsigned rx_rate : 5; /* rx_lock */
  unsigned char errors; /* rx_lock, an ordinary member */
};

static pthread_mutex_t tx_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t rx_lock = PTHREAD_MUTEX_INITIALIZER;
static struct port ports[NPORTS];

typedef void (*tune_fn)(struct port *, unsigned);

static void tune_tx(struct port *p, unsigned v) {
  pthread_mutex_lock(&tx_lock);
  p->tx_on = !p->tx_on; // NORACE
  p->tx_rate = v & 31;  // NORACE
  pthread_mutex_unlock(&tx_lock);
}

static void tune_rx(struct port *p, unsigned v) {
  pthread_mutex_lock(&rx_lock);
  p->rx_on = !p->rx_on;         // NORACE
  p->rx_rate = v & 31;          // NORACE
  if (v % 64 == 0) p->errors++; // NORACE
  pthread_mutex_unlock(&rx_lock);
}

struct side {
  pthread_t tid;
  const char *name;
  tune_fn tune;
};

static void *run(void *arg) {
  const struct side *s = arg;

  for (unsigned i = 0; i < ROUNDS; i++) s->tune(&ports[i % NPORTS], i);
  return NULL;
}

int main(void) {
  struct side sides[] = {
      {.name = "tx a", .tune = tune_tx},
      {.name = "rx a", .tune = tune_rx},
      {.name = "tx b", .tune = tune_tx},
      {.name = "rx b", .tune = tune_rx},
  };
  int on = 0, errors = 0;

  for (int i = 0; i < 4; i++)
    if (pthread_create(&sides[i].tid, NULL, run, &sides[i]) != 0) return 1;
  for (int i = 0; i < 4; i++) pthread_join(sides[i].tid, NULL);
  for (int i = 0; i < NPORTS; i++) {
    on += ports[i].tx_on + ports[i].rx_on;
    errors += ports[i].errors;
  }
  printf("%d sides on, %d errors, last rate %d\n", on, errors, (int)ports[NPORTS - 1].tx_rate);
  return 0;
}
