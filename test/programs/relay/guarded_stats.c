// VERBS check confirm
// A lock is taken in one function and given back in another; what follows is not guarded (RELAY, Fig. 1).
#include <pthread.h>
#include <stddef.h>

struct airo {
  int id;
  pthread_mutex_t lock;
  struct {
    int ev;
  } pwr;
  struct {
    int rx_p;
  } stats;
};

struct device {
  struct airo *priv;
};

static int vals[4] = {1, 2, 3, 4};

static void airo_read_stats(struct airo *ai) {
  ai->pwr.ev += 1; // NORACE the caller took the lock
  pthread_mutex_unlock(&ai->lock);
  ai->stats.rx_p += vals[0]; // RACE stats SELF
}

static void *airo_thread(void *d) {
  struct device *dev = d;
  struct airo *ai = dev->priv; // NORACE both read
  pthread_mutex_lock(&ai->lock);
  airo_read_stats(ai);
  return NULL;
}

int main(void) {
  static struct airo airo = {.lock = PTHREAD_MUTEX_INITIALIZER};
  static struct device device;
  device.priv = &airo; // NORACE no thread runs yet
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, airo_thread, &device);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return airo.stats.rx_p == 0;
}
