// SHOWN
// Configuration behind a lock; the getter returns a pointer into the guarded buffer.
#include <pthread.h>
#include <stdio.h>
#include <string.h>

struct setting {
  char name[16];
  char value[48];
};

struct config {
  pthread_mutex_t lock;
  struct setting settings[8];
  int count;
};

static struct config config = {.lock = PTHREAD_MUTEX_INITIALIZER};

static struct setting *lookup(const char *name) {
  for (int i = 0; i < config.count; i++)
    if (strcmp(config.settings[i].name, name) == 0) return &config.settings[i];
  return NULL;
}

static int config_set(const char *name, const char *value) {
  int rc = 0;
  pthread_mutex_lock(&config.lock);
  struct setting *s = lookup(name);
  if (!s) {
    if (config.count == 8) {
      rc = -1;
      goto done;
    }
    s = &config.settings[config.count++];
    snprintf(s->name, sizeof s->name, "%s", name);
  }
  snprintf(s->value, sizeof s->value, "%s", value); // RACE value
done:
  pthread_mutex_unlock(&config.lock);
  return rc;
}

static const char *config_get(const char *name, const char *otherwise) {
  pthread_mutex_lock(&config.lock);
  struct setting *s = lookup(name);
  const char *value = s ? s->value : otherwise;
  pthread_mutex_unlock(&config.lock);
  return value;
}

static void *server(void *arg) {
  unsigned total = 0;
  for (int i = 0; i < 50; i++) {
    const char *host = config_get("host", "localhost");
    total += (unsigned)strlen(host); // RACE value
  }
  *(unsigned *)arg = total;
  return NULL;
}

static void *reloader(void *unused) {
  char value[48];
  for (int i = 0; i < 50; i++) {
    snprintf(value, sizeof value, "node-%d.example.org", i * i);
    config_set("host", value);
  }
  return unused;
}

int main(void) {
  pthread_t a, b;
  unsigned total = 0;
  config_set("host", "initial");
  config_set("port", "80");
  pthread_create(&a, NULL, server, &total);
  pthread_create(&b, NULL, reloader, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  printf("%u\n", total);
  return 0;
}
