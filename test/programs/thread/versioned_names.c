// A library gives a function a name with a version, in assembly; programs call it without. What is done before that call is before the threads that
// it starts.
#include <pthread.h>

static int timeout;
static int served;

static void *serve(void *again) {
  served += timeout; // RACE served SELF
  pthread_t next;
  if (again && pthread_create(&next, NULL, serve, NULL) == 0) pthread_join(next, NULL);
  return NULL;
}

int loop_2(void);
int loop(void);

__asm__(".symver loop_2, loop@@SERVER_2");
int loop_2(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, serve, &first);
  pthread_create(&second, NULL, serve, &second);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return 0;
}

int main(void) {
  timeout = 3; // NORACE
  return loop();
}
