// VERBS check run
// FLAGS -Wall
// SHOWN
// Game loop: workers compute the next state from the current one, each its own entities, with a barrier at the end of each frame;
// thread 0 alone renders and plays the input between two barriers.
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ENTITIES 30
#define WORKERS 3
#define FRAMES 10

typedef struct {
  float x, y, vx, vy;
} entity_t;

typedef struct {
  entity_t state[2][ENTITIES];
  int current;
  int frame;
  int running;
  float wind;
  pthread_barrier_t frame_start, frame_end;
} world_t;

typedef struct {
  world_t *world;
  int id;
  float energy;
} worker_t;

static void update_entity(const world_t *w, const entity_t *from, entity_t *to, int i) {
  const entity_t *other = &from[(i + 1) % ENTITIES];
  to[i].vx = from[i].vx + w->wind + (other->x - from[i].x) * 0.01f;
  to[i].vy = from[i].vy + (other->y - from[i].y) * 0.01f;
  to[i].x = from[i].x + to[i].vx;
  to[i].y = from[i].y + to[i].vy;
}

static void render(world_t *w) {
  w->current = !w->current;
  w->wind = (float)(w->frame % 3) * 0.1f;
  if (++w->frame >= FRAMES) w->running = 0;
}

static void *worker_main(void *arg) {
  worker_t *me = arg;
  world_t *w = me->world;

  for (;;) {
    pthread_barrier_wait(&w->frame_start);
    if (!w->running) break;
    const entity_t *from = w->state[w->current];
    entity_t *to = w->state[!w->current];
    for (int i = me->id; i < ENTITIES; i += WORKERS) {
      update_entity(w, from, to, i);
      me->energy += to[i].vx * to[i].vx;
    }
    pthread_barrier_wait(&w->frame_end);
    if (me->id == 0) render(w);
  }
  return NULL;
}

int main(void) {
  world_t *w = calloc(1, sizeof *w);
  worker_t workers[WORKERS];
  pthread_t t[WORKERS];
  float energy = 0;

  w->running = 1;
  pthread_barrier_init(&w->frame_start, NULL, WORKERS);
  pthread_barrier_init(&w->frame_end, NULL, WORKERS);
  for (int i = 0; i < ENTITIES; i++) w->state[0][i] = (entity_t){.x = (float)i, .y = (float)(i * i % 7)};
  for (int i = 0; i < WORKERS; i++) {
    workers[i] = (worker_t){w, i, 0};
    pthread_create(&t[i], NULL, worker_main, &workers[i]);
  }
  for (int i = 0; i < WORKERS; i++) {
    pthread_join(t[i], NULL);
    energy += workers[i].energy;
  }
  printf("frame %d energy %f\n", w->frame, (double)energy);
  free(w);
  return 0;
}
