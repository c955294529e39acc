// SHOWN
// Flags of a device in bitfields of one word, guarded by two locks.
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct device {
  pthread_mutex_t rx_lock;
  pthread_mutex_t tx_lock;
  unsigned rx_busy : 1;
  unsigned rx_overrun : 1;
  unsigned tx_busy : 1;
  unsigned tx_underrun : 1;
  uint32_t rx_count;
  uint32_t tx_count;
};

static void device_init(struct device *d) {
  pthread_mutex_init(&d->rx_lock, NULL);
  pthread_mutex_init(&d->tx_lock, NULL);
  d->rx_busy = d->rx_overrun = d->tx_busy = d->tx_underrun = 0;
  d->rx_count = d->tx_count = 0;
}

static void *rx_thread(void *arg) {
  struct device *d = arg;
  for (int i = 0; i < 200; i++) {
    pthread_mutex_lock(&d->rx_lock);
    d->rx_busy = i & 1; // RACE word
    d->rx_count++;      // NORACE a word of its own
    pthread_mutex_unlock(&d->rx_lock);
  }
  return NULL;
}

static void *tx_thread(void *arg) {
  struct device *d = arg;
  for (int i = 0; i < 200; i++) {
    pthread_mutex_lock(&d->tx_lock);
    d->tx_busy = i & 1; // RACE word
    d->tx_count++;      // NORACE a word of its own
    pthread_mutex_unlock(&d->tx_lock);
  }
  return NULL;
}

int main(void) {
  struct device *d = malloc(sizeof *d);
  pthread_t rx, tx;
  if (!d) return 1;
  device_init(d);
  if (pthread_create(&rx, NULL, rx_thread, d)) return 1;
  if (pthread_create(&tx, NULL, tx_thread, d)) return 1;
  pthread_join(rx, NULL);
  pthread_join(tx, NULL);
  printf("%u %u %u\n", d->rx_count, d->tx_count, d->rx_busy | d->tx_busy);
  pthread_mutex_destroy(&d->rx_lock);
  pthread_mutex_destroy(&d->tx_lock);
  free(d);
  return 0;
}
