// SHOWN
// A symbol array grows by realloc under a lock while modules register; once an atomic `frozen` flag is released, lookups go without the lock.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NMODULES 3
#define PER_MODULE 20

struct symbol {
  char name[20];
  int address;
};

struct symtab {
  pthread_mutex_t lock;
  struct symbol *sym;
  size_t len, cap;
  unsigned registered; /* modules that are through */
  atomic_bool frozen;
};

static struct symtab symtab = {.lock = PTHREAD_MUTEX_INITIALIZER};

static int sym_add(struct symtab *t, const char *name, int address) {
  int rc = -1;

  pthread_mutex_lock(&t->lock);
  if (t->len == t->cap) {
    size_t cap = t->cap ? 2 * t->cap : 4;
    struct symbol *grown = realloc(t->sym, cap * sizeof *grown); // NORACE

    if (!grown) goto out;
    t->sym = grown; // NORACE
    t->cap = cap;
  }
  snprintf(t->sym[t->len].name, sizeof t->sym[t->len].name, "%s", name);
  t->sym[t->len].address = address;
  t->len++; // NORACE
  rc = 0;
out:
  pthread_mutex_unlock(&t->lock);
  return rc;
}

static void module_through(struct symtab *t) {
  pthread_mutex_lock(&t->lock);
  if (++t->registered == NMODULES) atomic_store_explicit(&t->frozen, 1, memory_order_release);
  pthread_mutex_unlock(&t->lock);
}

static int find(const struct symtab *t, const char *name) {
  for (size_t i = 0; i < t->len; i++)      // NORACE
    if (strcmp(t->sym[i].name, name) == 0) // NORACE
      return t->sym[i].address;
  return -1;
}

static int sym_lookup(struct symtab *t, const char *name) {
  int address;

  if (atomic_load_explicit(&t->frozen, memory_order_acquire)) return find(t, name); // NORACE
  pthread_mutex_lock(&t->lock);
  address = find(t, name);
  pthread_mutex_unlock(&t->lock);
  return address;
}

struct module {
  pthread_t tid;
  char prefix;
  int found;
};

static void *module_main(void *arg) {
  struct module *m = arg;
  char name[20];

  for (int i = 0; i < PER_MODULE; i++) {
    snprintf(name, sizeof name, "%c_sym%d", m->prefix, i);
    if (sym_add(&symtab, name, 4096 + i) != 0) abort();
    m->found += sym_lookup(&symtab, "a_sym0") >= 0;
  }
  module_through(&symtab);
  for (int i = 0; i < 200; i++) {
    snprintf(name, sizeof name, "%c_sym%d", 'a' + i % NMODULES, i % PER_MODULE);
    m->found += sym_lookup(&symtab, name) >= 0;
  }
  return NULL;
}

int main(void) {
  struct module m[NMODULES] = {{.prefix = 'a'}, {.prefix = 'b'}, {.prefix = 'c'}};

  for (int i = 0; i < NMODULES; i++) pthread_create(&m[i].tid, NULL, module_main, &m[i]);
  for (int i = 0; i < NMODULES; i++) pthread_join(m[i].tid, NULL);
  printf("%zu symbols, found %s\n", symtab.len, m[0].found ? "some" : "none");
  free(symtab.sym);
  return 0;
}
