// Callbacks get what they work on as `void *`, and touch the first member of it: the source says of which type.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef void (*callback)(void *context);

struct task {
  callback call;
  void *context;
  struct task *next;
};

struct loop {
  int wakeUp;
  int stopping;
  pthread_mutex_t lock;
  struct task *tasks;
};

struct counter {
  int value;
};

static int posted;

static void post(struct loop *loop, callback call, void *context) {
  struct task *task = malloc(sizeof *task);
  *task = (struct task){call, context, NULL};
  pthread_mutex_lock(&loop->lock);
  task->next = loop->tasks;
  loop->tasks = task;
  pthread_mutex_unlock(&loop->lock);
  posted++;                              // RACE posted SELF
  (void)!write(loop->wakeUp, &call, 1); // NORACE set before there were threads
}

static void *run(void *argument) {
  struct loop *loop = argument;
  while (!loop->stopping) { // NORACE set by a task, which this thread executes
    char byte;
    (void)!read(loop->wakeUp - 1, &byte, 1);
    pthread_mutex_lock(&loop->lock);
    struct task *tasks = loop->tasks;
    loop->tasks = NULL;
    pthread_mutex_unlock(&loop->lock);
    while (tasks) {
      struct task *next = tasks->next;
      tasks->call(tasks->context);
      free(tasks);
      tasks = next;
    }
  }
  return NULL;
}

static void count(void *context) { ((struct counter *)context)->value++; } // NORACE in the loop's thread alone

static void stop(void *context) { ((struct loop *)context)->stopping = 1; } // NORACE the same

struct poster {
  struct loop *loop;
  struct counter *counter;
};

static void *postMany(void *argument) {
  struct poster *poster = argument;
  for (int i = 0; i < 5; ++i) post(poster->loop, count, poster->counter);
  return NULL;
}

int main(void) {
  int ends[2];
  if (pipe(ends) != 0) return 1;
  struct loop loop = {.wakeUp = ends[1], .lock = PTHREAD_MUTEX_INITIALIZER};
  struct counter counter = {0};
  struct poster poster = {&loop, &counter};
  pthread_t runner, posters[2];
  pthread_create(&runner, NULL, run, &loop);
  for (int i = 0; i < 2; ++i) pthread_create(&posters[i], NULL, postMany, &poster);
  for (int i = 0; i < 2; ++i) pthread_join(posters[i], NULL);
  post(&loop, stop, &loop);
  pthread_join(runner, NULL);
  printf("%d\n", counter.value);
  return 0;
}
