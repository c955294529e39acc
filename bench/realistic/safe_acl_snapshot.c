// SHOWN
// Access rules are replaced copy-on-write: the pointer and the user counts are under a lock, the rules of a published snapshot are read without it.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NUSERS 5
#define NCHECKERS 3
#define NEDITS 30

struct acl {
  int users; /* guarded by acl_lock; the rest is frozen once published */
  int revision;
  char mode[NUSERS][4];
};

static pthread_mutex_t acl_lock = PTHREAD_MUTEX_INITIALIZER;
static struct acl *acl_now;
static int acl_freed;

static struct acl *acl_hold(void) {
  struct acl *a;

  pthread_mutex_lock(&acl_lock);
  a = acl_now;
  a->users++;
  pthread_mutex_unlock(&acl_lock);
  return a;
}

static void acl_drop(struct acl *a) {
  int last;

  pthread_mutex_lock(&acl_lock);
  last = --a->users == 0;
  acl_freed += last;
  pthread_mutex_unlock(&acl_lock);
  if (last) free(a); // NORACE
}

static void acl_edit(int user, const char *mode) {
  struct acl *old = acl_hold();
  struct acl *copy = malloc(sizeof *copy);

  if (!copy) abort();
  memcpy(copy->mode, old->mode, sizeof copy->mode); // NORACE
  copy->users = 1;
  copy->revision = old->revision + 1; // NORACE
  strcpy(copy->mode[user], mode);

  pthread_mutex_lock(&acl_lock);
  acl_now = copy;
  pthread_mutex_unlock(&acl_lock);
  acl_drop(old); /* ours */
  acl_drop(old); /* the one acl_now had */
}

static void *editor(void *arg) {
  (void)arg;
  for (int i = 0; i < NEDITS; i++) {
    acl_edit(i % NUSERS, i % 2 ? "rw-" : "r--");
    usleep(50);
  }
  return NULL;
}

struct checker {
  pthread_t tid;
  int writable, latest;
};

static void *check(void *arg) {
  struct checker *c = arg;

  for (int i = 0; i < 300; i++) {
    struct acl *a = acl_hold();

    if (strchr(a->mode[i % NUSERS], 'w')) // NORACE
      c->writable++;
    c->latest = a->revision; // NORACE
    acl_drop(a);
  }
  return NULL;
}

int main(void) {
  struct checker c[NCHECKERS] = {0};
  pthread_t ed;

  acl_now = calloc(1, sizeof *acl_now);
  if (!acl_now) return 1;
  acl_now->users = 1;
  for (int i = 0; i < NUSERS; i++) strcpy(acl_now->mode[i], "---");
  pthread_create(&ed, NULL, editor, NULL);
  for (int i = 0; i < NCHECKERS; i++) pthread_create(&c[i].tid, NULL, check, &c[i]);
  pthread_join(ed, NULL);
  for (int i = 0; i < NCHECKERS; i++) pthread_join(c[i].tid, NULL);
  printf("revision %d, freed %d\n", acl_now->revision, acl_freed);
  free(acl_now);
  return 0;
}
