// VERBS check run
// FLAGS -Wall
// SHOWN
// Audio mixer: two buffers go round between mixer and device by two semaphores; volumes are set under a lock and copied once per block.
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define FRAMES 64
#define VOICES 4
#define BLOCKS 12

typedef struct {
  int16_t samples[FRAMES];
  int last;
} block_t;

typedef struct {
  sem_t empty, full;
  block_t ring[2];
  pthread_mutex_t ctl;
  float gain[VOICES];
  int muted;
  long played;
  int16_t peak;
} mixer_t;

static int16_t voice_sample(int voice, int t) { return (int16_t)(((t * (voice + 3)) % 200) - 100); }

static void *mix_thread(void *arg) {
  mixer_t *m = arg;
  float gain[VOICES];
  int muted, t = 0;
  for (int n = 0; n < BLOCKS; n++) {
    pthread_mutex_lock(&m->ctl);
    memcpy(gain, m->gain, sizeof gain);
    muted = m->muted;
    pthread_mutex_unlock(&m->ctl);
    sem_wait(&m->empty);
    block_t *b = &m->ring[n & 1];
    for (int i = 0; i < FRAMES; i++, t++) {
      float s = 0;
      for (int v = 0; v < VOICES && !muted; v++) s += gain[v] * voice_sample(v, t);
      b->samples[i] = (int16_t)s; // NORACE
    }
    b->last = n == BLOCKS - 1; // NORACE
    sem_post(&m->full);
  }
  return NULL;
}

static void *device_thread(void *arg) {
  mixer_t *m = arg;
  int last = 0;
  for (unsigned n = 0; !last; n++) {
    sem_wait(&m->full);
    block_t *b = &m->ring[n % 2];
    for (int i = 0; i < FRAMES; i++)
      if (b->samples[i] > m->peak) m->peak = b->samples[i];
    last = b->last;
    m->played += FRAMES;
    sem_post(&m->empty);
  }
  return NULL;
}

static void mixer_set_gain(mixer_t *m, int voice, float gain) {
  pthread_mutex_lock(&m->ctl);
  m->gain[voice] = gain;
  m->muted = gain < 0;
  pthread_mutex_unlock(&m->ctl);
}

int main(void) {
  mixer_t mixer;
  pthread_t mix, device;
  memset(&mixer, 0, sizeof mixer);
  sem_init(&mixer.empty, 0, 2);
  sem_init(&mixer.full, 0, 0);
  pthread_mutex_init(&mixer.ctl, NULL);
  for (int v = 0; v < VOICES; v++) mixer.gain[v] = 0.25f;
  pthread_create(&mix, NULL, mix_thread, &mixer);
  pthread_create(&device, NULL, device_thread, &mixer);
  for (int v = 0; v < VOICES; v++) mixer_set_gain(&mixer, v, 0.1f * (float)v);
  pthread_join(mix, NULL);
  pthread_join(device, NULL);
  printf("%ld frames, peak %d\n", mixer.played, mixer.peak);
  return mixer.played == BLOCKS * FRAMES ? 0 : 1;
}
