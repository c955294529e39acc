// SHOWN
// C11 threads: a bank of sensors, one of its many functions forgets the lock.
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <threads.h>

#define SENSORS 8

struct sample {
  int raw;
  double scaled;
};

static mtx_t bank_lock;
static once_flag bank_once = ONCE_FLAG_INIT;
static struct sample bank[SENSORS];
static double gain = 1.0;
static unsigned generation;

static void bank_init(void) {
  mtx_init(&bank_lock, mtx_plain);
  memset(bank, 0, sizeof bank);
  gain = 0.5;
}

static void bank_update(int sensor, int raw) {
  call_once(&bank_once, bank_init);
  mtx_lock(&bank_lock);
  bank[sensor].raw = raw;
  bank[sensor].scaled = raw * gain;
  generation++; // RACE generation
  mtx_unlock(&bank_lock);
}

static double bank_read(int sensor) {
  call_once(&bank_once, bank_init);
  mtx_lock(&bank_lock);
  double value = bank[sensor].scaled;
  mtx_unlock(&bank_lock);
  return value;
}

static void bank_set_gain(double value) {
  call_once(&bank_once, bank_init);
  mtx_lock(&bank_lock);
  gain = value;
  for (int i = 0; i < SENSORS; i++) bank[i].scaled = bank[i].raw * gain;
  mtx_unlock(&bank_lock);
}

static unsigned bank_generation(void) {
  call_once(&bank_once, bank_init);
  return generation; // RACE generation
}

static int sampler(void *arg) {
  int base = *(int *)arg;
  for (int i = 0; i < 100; i++) bank_update((base + i) % SENSORS, i);
  return 0;
}

static int display(void *arg) {
  unsigned seen = 0;
  double *sum = arg;
  for (int i = 0; i < 100; i++) {
    unsigned current = bank_generation();
    if (current == seen) {
      thrd_yield();
      continue;
    }
    seen = current;
    *sum += bank_read(i % SENSORS);
    if (i == 50) bank_set_gain(2.0);
  }
  return 0;
}

int main(void) {
  thrd_t a, b;
  int base = 3;
  double sum = 0;
  if (thrd_create(&a, sampler, &base) != thrd_success) return 1;
  if (thrd_create(&b, display, &sum) != thrd_success) return 1;
  thrd_join(a, NULL);
  thrd_join(b, NULL);
  printf("%g\n", sum);
  mtx_destroy(&bank_lock);
  return 0;
}
