// VERBS check run
// FLAGS -Wall
// SHOWN
// Parallel compressor: blocks are packed in any order, but written in order: each waits for its turn, then owns the output without a lock.
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK 64
#define NBLOCKS 12

struct compressor {
  pthread_mutex_t mu;
  pthread_cond_t turn_changed;
  int next_block;
  int turn;
  const uint8_t *input;
  uint8_t *out;
  size_t out_len;
  uint32_t crc;
};

static size_t rle(const uint8_t *in, size_t n, uint8_t *out) {
  size_t o = 0;

  for (size_t i = 0; i < n;) {
    size_t run = 1;
    while (i + run < n && in[i + run] == in[i] && run < 255) run++;
    out[o++] = (uint8_t)run;
    out[o++] = in[i];
    i += run;
  }
  return o;
}

static int claim(struct compressor *c) {
  int b;

  pthread_mutex_lock(&c->mu);
  b = c->next_block < NBLOCKS ? c->next_block++ : -1;
  pthread_mutex_unlock(&c->mu);
  return b;
}

static void wait_turn(struct compressor *c, int b) {
  pthread_mutex_lock(&c->mu);
  while (c->turn != b) pthread_cond_wait(&c->turn_changed, &c->mu);
  pthread_mutex_unlock(&c->mu);
}

static void pass_turn(struct compressor *c) {
  pthread_mutex_lock(&c->mu);
  c->turn++;
  pthread_cond_broadcast(&c->turn_changed);
  pthread_mutex_unlock(&c->mu);
}

static void *packer(void *arg) {
  struct compressor *c = arg;
  uint8_t packed[2 * BLOCK];
  int b;

  while ((b = claim(c)) >= 0) {
    size_t n = rle(c->input + (size_t)b * BLOCK, BLOCK, packed);
    wait_turn(c, b);
    memcpy(c->out + c->out_len, packed, n);                                           // NORACE
    c->out_len += n;                                                                  // NORACE
    for (size_t i = 0; i < n; i++) c->crc = (c->crc << 1 | c->crc >> 31) ^ packed[i]; // NORACE
    pass_turn(c);
  }
  return NULL;
}

int main(void) {
  uint8_t *in = malloc(BLOCK * NBLOCKS);
  struct compressor c = {.input = in, .out = malloc(2 * BLOCK * NBLOCKS)};
  pthread_t t[3];

  pthread_mutex_init(&c.mu, NULL);
  pthread_cond_init(&c.turn_changed, NULL);
  for (int i = 0; i < BLOCK * NBLOCKS; i++) in[i] = (uint8_t)(i / 5);
  for (int i = 0; i < 3; i++) pthread_create(&t[i], NULL, packer, &c);
  for (int i = 0; i < 3; i++) pthread_join(t[i], NULL);
  printf("%zu bytes, crc %08x\n", c.out_len, c.crc);
  free(c.out);
  free(in);
  return c.turn == NBLOCKS ? 0 : 1;
}
