// VERBS check confirm
// FLAGS -O0
// Each worker gets its tasks from a ring of its own, by a function that looks for one in a loop: they are its own tasks.
// Where the ring is that of all workers, they are not.
#include <pthread.h>

enum { kTasks = 8, kWorkers = 3 };

struct task {
  int state;
};

struct worker {
  pthread_t thread;
  struct task tasks[kTasks];
  unsigned index;
};

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;
static unsigned limit = 4;
static struct worker workers[kWorkers];
static struct task shared[kTasks];
static unsigned shared_index;

static struct task *next_own(struct worker *worker) {
  pthread_mutex_lock(&gate);
  while (1) {
    unsigned next = (worker->index + 1) % kTasks;
    if (next != limit) {
      struct task *task = &worker->tasks[next];
      worker->index = next;
      pthread_mutex_unlock(&gate);
      return task;
    }
    pthread_cond_wait(&more, &gate);
  }
}

static struct task *next_shared(void) {
  pthread_mutex_lock(&gate);
  while (1) {
    unsigned next = (shared_index + 1) % kTasks;
    if (next != limit + 1) {
      struct task *task = &shared[next];
      pthread_mutex_unlock(&gate);
      return task;
    }
    pthread_cond_wait(&more, &gate);
  }
}

static void *work(void *own) {
  struct worker *worker = own;
  for (int i = 0; i < 3; ++i) {
    struct task *task = next_own(worker);
    task->state = i; // NORACE
    struct task *other = next_shared();
    other->state = i; // RACE shared SELF
  }
  return NULL;
}

int main(void) {
  for (int i = 0; i < kWorkers; ++i) pthread_create(&workers[i].thread, NULL, work, &workers[i]);
  for (int i = 0; i < kWorkers; ++i) pthread_join(workers[i].thread, NULL);
  return 0;
}
