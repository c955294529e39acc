// SHOWN
// A user table: the entry is found under the lock, and changed after it was given back.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct user {
  struct user *next;
  char name[24];
  long quota;
  unsigned logins;
};

static pthread_mutex_t users_lock = PTHREAD_MUTEX_INITIALIZER;
static struct user *users[16];

static unsigned bucket_of(const char *name) {
  unsigned h = 5381;
  while (*name) h = h * 33 + (unsigned char)*name++;
  return h % 16;
}

static struct user *user_find_locked(const char *name) {
  for (struct user *u = users[bucket_of(name)]; u; u = u->next)
    if (!strcmp(u->name, name)) return u;
  return NULL;
}

static void user_add(const char *name, long quota) {
  struct user *u = calloc(1, sizeof *u);
  if (!u) abort();
  snprintf(u->name, sizeof u->name, "%s", name);
  u->quota = quota;
  pthread_mutex_lock(&users_lock);
  u->next = users[bucket_of(name)];
  users[bucket_of(name)] = u;
  pthread_mutex_unlock(&users_lock);
}

static int user_login(const char *name) {
  pthread_mutex_lock(&users_lock);
  struct user *u = user_find_locked(name);
  pthread_mutex_unlock(&users_lock);
  if (!u) return -1;
  u->logins++; // RACE logins SELF // RACE report
  return 0;
}

static int user_charge(const char *name, long amount) {
  int rc = -1;
  pthread_mutex_lock(&users_lock);
  struct user *u = user_find_locked(name);
  if (u && u->quota >= amount) {
    u->quota -= amount; // NORACE
    rc = 0;
  }
  pthread_mutex_unlock(&users_lock);
  return rc;
}

static unsigned users_logins(void) {
  unsigned sum = 0;
  pthread_mutex_lock(&users_lock);
  for (int i = 0; i < 16; i++)
    for (struct user *u = users[i]; u; u = u->next) sum += u->logins; // RACE report
  pthread_mutex_unlock(&users_lock);
  return sum;
}

static void *frontend(void *arg) {
  const char *name = arg;
  for (int i = 0; i < 50; i++) {
    user_login(name);
    user_charge(name, 1);
    if (i % 10 == 0 && users_logins() > 100000) break;
  }
  return NULL;
}

int main(void) {
  pthread_t t[3];
  user_add("ada", 100);
  user_add("bob", 40);
  pthread_create(&t[0], NULL, frontend, "ada");
  pthread_create(&t[1], NULL, frontend, "bob");
  pthread_create(&t[2], NULL, frontend, "ada");
  for (int i = 0; i < 3; i++) pthread_join(t[i], NULL);
  printf("%u logins\n", users_logins());
  return 0;
}
