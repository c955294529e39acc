// VERBS check confirm
// The result tells whether the lock is held (RELAY, Fig. 11).
#include <pthread.h>
#include <stddef.h>

struct swap {
  int pages;
};

static pthread_mutex_t swap_lock = PTHREAD_MUTEX_INITIALIZER;
static struct swap swaps[2], spare;

static struct swap *swap_info_get(long entry) {
  if (!entry) return NULL;
  pthread_mutex_lock(&swap_lock);
  return &swaps[entry & 1];
}

static int take_if(int wanted) {
  if (wanted) pthread_mutex_lock(&swap_lock);
  return wanted;
}

static void *swap_free(void *entry) {
  struct swap *swap = swap_info_get((long)entry);
  if (swap) {
    swap->pages -= 1; // NORACE held whenever there is a result
    pthread_mutex_unlock(&swap_lock);
  }
  int isTaken = take_if((long)entry > 3);
  if (isTaken) {
    swaps[0].pages += 1; // NORACE
    pthread_mutex_unlock(&swap_lock);
  }
  if (!take_if((long)entry > 5))
    spare.pages += 2; // RACE unlocked SELF
  else
    pthread_mutex_unlock(&swap_lock);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (long i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, swap_free, (void *)(i + 4));
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return 0;
}
