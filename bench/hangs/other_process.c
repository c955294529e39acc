// A child that is not directed posts, signals and unlocks what threads wait for with deadlines, in memory that both share.
#include <pthread.h>
#include <semaphore.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct Common {
  pthread_mutex_t gate, taken;
  sem_t posted;
};
static struct Common *common;
static int shared, late;

static struct timespec inAnHour(void) {
  struct timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  time.tv_sec += 3600;
  return time;
}

static void *work(void *unused) {
  const struct timespec time = inAnHour();
  const int first = sem_timedwait(&common->posted, &time), second = pthread_mutex_timedlock(&common->taken, &time);
  if (second == 0) pthread_mutex_unlock(&common->taken);
  pthread_mutex_lock(&common->gate);
  shared++; // aimed at
  late += first != 0 || second != 0;
  pthread_mutex_unlock(&common->gate);
  return unused;
}

static void initialise(void) {
  pthread_mutexattr_t between;
  common = mmap(NULL, sizeof(*common), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  pthread_mutexattr_init(&between);
  pthread_mutexattr_setpshared(&between, PTHREAD_PROCESS_SHARED);
  pthread_mutex_init(&common->gate, &between);
  pthread_mutex_init(&common->taken, &between);
  sem_init(&common->posted, 1, 0);
}

int main(void) {
  pthread_t threads[2];
  int ends[2], status;
  char byte = 0;
  initialise();
  if (pipe(ends) != 0) return 1;
  const pid_t child = fork();
  if (child == 0) {
    pthread_mutex_lock(&common->taken);
    if (write(ends[1], &byte, 1) != 1) _exit(1);
    usleep(2000);
    sem_post(&common->posted);
    sem_post(&common->posted);
    usleep(2000);
    pthread_mutex_unlock(&common->taken);
    _exit(0);
  }
  if (read(ends[0], &byte, 1) != 1) return 1;
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  waitpid(child, &status, 0);
  return shared == 2 && late == 0 && status == 0 ? 0 : 1;
}
