// VERBS check confirm
// An object is taken out of a shared list under the lock, changed without it, and put into another list (RELAY, Fig. 9).
#include <pthread.h>
#include <stddef.h>

struct link {
  struct link *next, *prev;
};

struct page {
  struct link list;
  void *virtual;
};

static pthread_mutex_t pool_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t used_lock = PTHREAD_MUTEX_INITIALIZER;
static struct link pool = {&pool, &pool};
static struct link used = {&used, &used};

static void list_del(struct link *entry) {
  entry->next->prev = entry->prev;
  entry->prev->next = entry->next;
}

static void list_add(struct link *entry, struct link *head) {
  entry->next = head->next;
  entry->prev = head;
  head->next->prev = entry;
  head->next = entry;
}

static void *set_page_address(void *address) {
  struct page *page = NULL;
  pthread_mutex_lock(&pool_lock);
  if (pool.next != &pool) {
    page = (struct page *)pool.next;
    list_del(&page->list);
  }
  pthread_mutex_unlock(&pool_lock);
  if (!page) return NULL;
  page->virtual = address; // NORACE nobody else finds it
  pthread_mutex_lock(&used_lock);
  list_add(&page->list, &used);
  pthread_mutex_unlock(&used_lock);
  return NULL;
}

int main(void) {
  static struct page pages[4];
  for (int i = 0; i < 4; ++i) list_add(&pages[i].list, &pool);
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, set_page_address, &threads[i]);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return 0;
}
