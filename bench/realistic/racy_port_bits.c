// VERBS check run confirm
// SHOWN
// A switch port whose state is kept in bitfields: link state and queue state have locks of their own, but share a word.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct port {
  pthread_mutex_t link_lock;
  pthread_mutex_t queue_lock;
  unsigned link_up : 1;
  unsigned speed : 4;
  unsigned tx_stopped : 1;
  unsigned tx_pause : 6;
  unsigned link_changes;
  unsigned queued;
};

static void port_set_link(struct port *p, int up, unsigned speed) {
  pthread_mutex_lock(&p->link_lock);
  p->speed = speed & 15; // RACE speed-pause // RACE speed-read
  p->link_changes += up != 0;
  pthread_mutex_unlock(&p->link_lock);
}

static unsigned port_speed(struct port *p) {
  pthread_mutex_lock(&p->link_lock);
  unsigned speed = p->speed; // RACE read-pause
  pthread_mutex_unlock(&p->link_lock);
  return speed;
}

static void port_enqueue(struct port *p, unsigned n) {
  pthread_mutex_lock(&p->queue_lock);
  p->queued += n;
  if (p->queued > 8) {
    p->tx_pause = n; // RACE speed-pause // RACE read-pause
    p->queued = 0;
  }
  pthread_mutex_unlock(&p->queue_lock);
}

static unsigned port_pause(struct port *p) {
  pthread_mutex_lock(&p->queue_lock);
  unsigned pause = p->tx_pause; // RACE speed-read
  pthread_mutex_unlock(&p->queue_lock);
  return pause;
}

static void *link_monitor(void *arg) {
  struct port *p = arg;
  unsigned seen = 0;
  for (unsigned i = 0; i < 50; i++) {
    port_set_link(p, i & 1, i);
    seen += port_speed(p);
  }
  return (void *)(unsigned long)seen;
}

static void *transmitter(void *arg) {
  struct port *p = arg;
  unsigned seen = 0;
  for (unsigned i = 0; i < 50; i++) {
    port_enqueue(p, i & 31);
    seen += port_pause(p);
  }
  return (void *)(unsigned long)seen;
}

int main(void) {
  struct port *p = calloc(1, sizeof *p);
  pthread_t a, b;
  if (!p) return 2;
  pthread_mutex_init(&p->link_lock, NULL);
  pthread_mutex_init(&p->queue_lock, NULL);
  p->link_up = 1;
  pthread_create(&a, NULL, link_monitor, p);
  pthread_create(&b, NULL, transmitter, p);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  printf("link %u, speed %u, pause %u\n", p->link_up, p->speed, p->tx_pause);
  pthread_mutex_destroy(&p->link_lock);
  pthread_mutex_destroy(&p->queue_lock);
  free(p);
  return 0;
}
