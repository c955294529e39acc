// VERBS check confirm
// A reader keeps a pointer into the list after it gave the read lock back (RELAY, Fig. 13).
#include <pthread.h>
#include <stddef.h>

struct area {
  struct area *next;
  long addr;
  long size;
};

static pthread_rwlock_t vmlist_lock = PTHREAD_RWLOCK_INITIALIZER;
static struct area *vmlist;
static long changed;

static void change_page_attr(long pages) { __atomic_fetch_add(&changed, pages, __ATOMIC_RELAXED); }

static void *iounmap(void *addr) {
  struct area *p;
  pthread_rwlock_rdlock(&vmlist_lock);
  for (p = vmlist; p; p = p->next)
    if (p->addr == (long)addr) break; // NORACE
  pthread_rwlock_unlock(&vmlist_lock);
  if (p) change_page_attr(p->size >> 12); // RACE size
  return NULL;
}

static void *remove_vm_area(void *addr) {
  struct area *t;
  pthread_rwlock_wrlock(&vmlist_lock);
  for (t = vmlist; t; t = t->next)
    if (t->addr == (long)addr) break;
  if (t) t->size -= 4096; // RACE size
  pthread_rwlock_unlock(&vmlist_lock);
  return NULL;
}

int main(void) {
  static struct area areas[2] = {{&areas[1], 1, 8192}, {NULL, 2, 16384}};
  vmlist = areas;
  pthread_t reader, writer;
  pthread_create(&reader, NULL, iounmap, (void *)1L);
  pthread_create(&writer, NULL, remove_vm_area, (void *)1L);
  pthread_join(reader, NULL);
  pthread_join(writer, NULL);
  return 0;
}
