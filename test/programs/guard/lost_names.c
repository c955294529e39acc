// VERBS check confirm
// Locks whose names are lost on the way, and that are held all the same: read again from their place after a call that may
// have written it, given back under another name than they were taken, taken one after the other in a loop. All of them
// come from one function, so that points-to takes them for one another.
#include <pthread.h>
#include <stdlib.h>

struct bin {
  pthread_mutex_t lock;
  long count;
};

struct table {
  struct bin *own;
  struct bin **bins;
  long size;
  long entries;
  long lookups;
  long grown;
  long forgotten;
};

static struct bin *make_bin(void) {
  struct bin *made = malloc(sizeof *made);
  pthread_mutex_init(&made->lock, NULL);
  made->count = 0;
  return made;
}

static void make_table(struct table *into, long size) {
  into->own = make_bin();
  into->size = size;
  into->bins = malloc((size_t)size * sizeof *into->bins);
  for (long i = 0; i < size; ++i) into->bins[i] = make_bin();
}

static void replace_own(struct table *of) { of->own = make_bin(); }

static void add(struct table *to) {
  pthread_mutex_lock(&to->own->lock);
  ++to->entries; // NORACE
  pthread_mutex_unlock(&to->own->lock);
}

// Each bin, while nobody else has it; the table's own lock is the caller's matter.
static void visit_bins(struct table *of) {
  for (long i = 0; i < of->size; ++i) {
    pthread_mutex_lock(&of->bins[i]->lock);
    ++of->bins[i]->count;
    of->bins[i] = of->bins[i];
    pthread_mutex_unlock(&of->bins[i]->lock);
  }
}

static void grow(struct table *of) {
  pthread_mutex_lock(&of->own->lock);
  visit_bins(of);
  ++of->grown; // NORACE
  pthread_mutex_unlock(&of->own->lock);
}

static void look_up(struct table *in) {
  pthread_mutex_lock(&in->own->lock);
  visit_bins(in);
  pthread_mutex_unlock(&in->own->lock);
  ++in->forgotten; // RACE given-back SELF
}

static void *worker(void *argument) {
  struct table *shared = argument;
  struct table local;
  make_table(&local, 2);
  replace_own(&local);
  add(shared);
  grow(shared);
  look_up(shared);
  return NULL;
}

int main(void) {
  struct table *shared = malloc(sizeof *shared);
  make_table(shared, 8);
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, worker, shared);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return 0;
}
