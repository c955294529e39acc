// VERBS check run
// SHOWN
// An object comes back locked from the function that looks for it.
#include <pthread.h>
#include <stdlib.h>

struct session {
  pthread_mutex_t lock;
  int id;
  long requests, after;
};

static struct session sessions[8];

/* Returns the session, locked. */
static struct session *find(int id) {
  for (int i = 0; i < 8; i++) {
    struct session *session = &sessions[i];
    pthread_mutex_lock(&session->lock);
    if (session->id == id) return session;
    pthread_mutex_unlock(&session->lock);
  }
  return NULL;
}

static void release(struct session *session) { pthread_mutex_unlock(&session->lock); }

struct node {
  pthread_mutex_t lock;
  struct node *next;
  int key, seen, late;
};

static struct node head = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Returns the last one before the key, locked. */
static struct node *seek(int key) {
  struct node *previous = &head;
  pthread_mutex_lock(&previous->lock);
  for (;;) {
    struct node *next = previous->next; // NORACE
    if (!next || next->key >= key) return previous;
    pthread_mutex_lock(&next->lock);
    pthread_mutex_unlock(&previous->lock);
    previous = next;
  }
}

static void add(int key) {
  struct node *node = calloc(1, sizeof *node);
  if (!node) abort();
  pthread_mutex_init(&node->lock, NULL);
  node->key = key;
  struct node *previous = seek(key);
  node->next = previous->next; // NORACE
  previous->next = node;       // NORACE
  previous->seen++;            // NORACE
  pthread_mutex_unlock(&previous->lock);
  previous->late++; // RACE late SELF
}

static void *work(void *arg) {
  for (int i = 0; i < 20; i++) {
    struct session *session = find(i % 8);
    if (!session) continue;
    session->requests++; // NORACE
    release(session);
    session->after++; // RACE after SELF
    add(i);
  }
  return arg;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 8; i++) {
    pthread_mutex_init(&sessions[i].lock, NULL);
    sessions[i].id = i;
  }
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return 0;
}
