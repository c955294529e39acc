// VERBS check run
// FLAGS -Wall
// SHOWN
// Scheduler: a run queue and a lock per CPU; balancing holds two of them, in the order of the CPUs' numbers.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define NCPU 3

struct task {
  struct task *next;
  int pid;
  int slices;
  int ran_on[NCPU];
};

struct rq {
  pthread_mutex_t lock;
  struct task *head;
  int nr_running;
  int nr_switches;
};

static struct rq runqueues[NCPU];
static pthread_mutex_t tasklist_lock = PTHREAD_MUTEX_INITIALIZER;
static struct task *zombies;
static int nr_alive;

#define cpu_rq(cpu) (&runqueues[(cpu)])

static void double_rq_lock(int a, int b) {
  if (a > b) {
    int t = a;
    a = b;
    b = t;
  }
  pthread_mutex_lock(&cpu_rq(a)->lock);
  if (a != b) pthread_mutex_lock(&cpu_rq(b)->lock);
}

static void double_rq_unlock(int a, int b) {
  pthread_mutex_unlock(&cpu_rq(a)->lock);
  if (a != b) pthread_mutex_unlock(&cpu_rq(b)->lock);
}

static void enqueue_task(struct rq *rq, struct task *p) {
  struct task **pp = &rq->head;

  while (*pp) pp = &(*pp)->next;
  p->next = NULL;
  *pp = p;
  rq->nr_running++;
}

static struct task *dequeue_task(struct rq *rq) {
  struct task *p = rq->head;

  if (p) {
    rq->head = p->next;
    rq->nr_running--;
  }
  return p;
}

static void load_balance(int cpu) {
  int busiest = (cpu + 1) % NCPU;

  double_rq_lock(cpu, busiest);
  if (cpu_rq(busiest)->nr_running > cpu_rq(cpu)->nr_running + 1) {
    struct task *p = dequeue_task(cpu_rq(busiest));
    if (p) enqueue_task(cpu_rq(cpu), p);
  }
  double_rq_unlock(cpu, busiest);
}

static int alive(void) {
  int n;

  pthread_mutex_lock(&tasklist_lock);
  n = nr_alive;
  pthread_mutex_unlock(&tasklist_lock);
  return n;
}

static void reap(struct task *p) {
  pthread_mutex_lock(&tasklist_lock);
  p->next = zombies;
  zombies = p;
  nr_alive--;
  pthread_mutex_unlock(&tasklist_lock);
}

static void *cpu_main(void *arg) {
  int cpu = (int)(long)arg;
  struct rq *rq = cpu_rq(cpu);

  while (alive() > 0) {
    struct task *p;

    pthread_mutex_lock(&rq->lock);
    p = dequeue_task(rq);
    if (p) rq->nr_switches++;
    pthread_mutex_unlock(&rq->lock);
    if (!p) {
      load_balance(cpu);
      continue;
    }
    p->ran_on[cpu]++;
    if (--p->slices == 0) {
      reap(p);
    } else {
      pthread_mutex_lock(&rq->lock);
      enqueue_task(rq, p);
      pthread_mutex_unlock(&rq->lock);
    }
  }
  return NULL;
}

int main(void) {
  pthread_t cpu[NCPU];
  int ran = 0;

  for (int i = 0; i < NCPU; i++) pthread_mutex_init(&runqueues[i].lock, NULL);
  for (int i = 0; i < 9; i++) {
    struct task *p = calloc(1, sizeof(*p));
    p->pid = 100 + i;
    p->slices = 3 + i % 4;
    enqueue_task(cpu_rq(0), p);
    nr_alive++;
  }
  for (long i = 0; i < NCPU; i++) pthread_create(&cpu[i], NULL, cpu_main, (void *)i);
  for (int i = 0; i < NCPU; i++) pthread_join(cpu[i], NULL);
  while (zombies) {
    struct task *p = zombies;
    zombies = p->next;
    for (int i = 0; i < NCPU; i++) ran += p->ran_on[i];
    free(p);
  }
  printf("%d slices\n", ran);
  return ran == 3 * 3 + 2 * 4 + 2 * 5 + 2 * 6 ? 0 : 1;
}
