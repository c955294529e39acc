// One lock of many guards what it was chosen for. A lock that a wrapper takes by number is the one of that number.
#include <pthread.h>

enum { kStripes = 4, kNames = 1, kSizes = 2 };

static pthread_mutex_t stripes[kStripes];
static pthread_mutex_t classes[3];
static int buckets[kStripes];
static int total;
static int names;
static int sizes;

static void lock(int which) { pthread_mutex_lock(&classes[which]); }
static void unlock(int which) { pthread_mutex_unlock(&classes[which]); }

static void add(int key) {
  int stripe = key % kStripes;
  pthread_mutex_lock(&stripes[stripe]);
  buckets[stripe] += key; // NORACE
  total += key;           // RACE total SELF
  pthread_mutex_unlock(&stripes[stripe]);
}

static void count(void) {
  lock(kNames);
  ++names; // NORACE
  unlock(kNames);
  lock(kSizes);
  ++sizes; // RACE sizes
  unlock(kSizes);
}

static void *work(void *argument) {
  int first = *(int *)argument;
  for (int i = 0; i < 20; ++i) add(first + i);
  count();
  return 0;
}

static void *confuse(void *argument) {
  (void)argument;
  lock(kNames);
  ++sizes; // RACE sizes
  unlock(kNames);
  return 0;
}

int main(void) {
  for (int i = 0; i < kStripes; ++i) pthread_mutex_init(&stripes[i], 0);
  for (int i = 0; i < 3; ++i) pthread_mutex_init(&classes[i], 0);
  int first[] = {0, 2};
  pthread_t a, b, c;
  pthread_create(&a, 0, work, &first[0]);
  pthread_create(&b, 0, work, &first[1]);
  pthread_create(&c, 0, confuse, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_join(c, 0);
  return total + names + sizes == 0;
}
