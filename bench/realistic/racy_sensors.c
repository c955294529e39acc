// VERBS check run confirm
// FLAGS -Wall
// SHOWN
// Sensor hub: every driver thread owns its sensor, but they share the hub's last update; min and max are guarded.
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct hub;

struct sensor {
  struct hub *hub;
  const char *label;
  int index;
  int32_t value;
  uint32_t samples;
};

struct hub {
  pthread_mutex_t lock;
  int32_t min, max;
  uint64_t last_update;
  struct sensor *sensors;
  size_t n;
};

static int32_t sensor_read(const struct sensor *s, uint32_t t) {
  return (int32_t)((t * 7919u + (uint32_t)s->index * 104729u) % 1000u) - 500;
}

static void hub_range(struct hub *h, int32_t v) {
  pthread_mutex_lock(&h->lock);
  if (v < h->min) h->min = v;
  if (v > h->max) h->max = v;
  pthread_mutex_unlock(&h->lock);
}

static void hub_touch(struct hub *h, uint64_t tick) {
  h->last_update = tick; // RACE touch SELF
}

static void sensor_poll(struct sensor *s, uint32_t t) {
  s->value = sensor_read(s, t);
  s->samples++;
  hub_range(s->hub, s->value);
  hub_touch(s->hub, t);
}

static void *driver(void *arg) {
  struct sensor *s = arg;

  for (uint32_t t = 0; t < 25; t++) sensor_poll(s, t);
  return NULL;
}

int main(void) {
  static const char *labels[] = {"temp", "hum", "lux"};
  struct hub hub = {.min = INT32_MAX, .max = INT32_MIN, .n = 3};
  pthread_t threads[3];
  uint32_t samples = 0;

  pthread_mutex_init(&hub.lock, NULL);
  hub.sensors = calloc(hub.n, sizeof(*hub.sensors));
  if (!hub.sensors) return 1;
  for (size_t i = 0; i < hub.n; i++) {
    struct sensor *s = &hub.sensors[i];
    s->hub = &hub;
    s->label = labels[i];
    s->index = (int)i;
  }
  for (size_t i = 0; i < hub.n; i++) pthread_create(&threads[i], NULL, driver, &hub.sensors[i]);
  for (size_t i = 0; i < hub.n; i++) pthread_join(threads[i], NULL);
  for (size_t i = 0; i < hub.n; i++) samples += hub.sensors[i].samples;
  printf("%u samples, %d..%d at %llu\n", samples, hub.min, hub.max, (unsigned long long)hub.last_update);
  free(hub.sensors);
  return samples == 75 ? 0 : 1;
}
