// VERBS check run confirm
// FLAGS -Wall
// SHOWN
// Plugin host: commands come from a table of function pointers that is filled before the threads start; one plugin keeps a static cache.
#include <ctype.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

typedef int (*plugin_fn)(const char *in, char *out, size_t size);

struct plugin {
  const char *name;
  plugin_fn call;
  unsigned long calls;
  pthread_mutex_t lock;
};

static struct plugin registry[8];
static int n_plugins;

static void plugin_register(const char *name, plugin_fn call) {
  struct plugin *p = &registry[n_plugins++];
  p->name = name;
  p->call = call;
  pthread_mutex_init(&p->lock, NULL);
}

static int plug_upper(const char *in, char *out, size_t size) {
  size_t i;
  for (i = 0; in[i] && i + 1 < size; i++) out[i] = (char)toupper((unsigned char)in[i]);
  out[i] = '\0';
  return (int)i;
}

static int plug_reverse(const char *in, char *out, size_t size) {
  size_t n = strlen(in);
  if (n >= size) return -1;
  for (size_t i = 0; i < n; i++) out[i] = in[n - 1 - i];
  out[n] = '\0';
  return (int)n;
}

static int plug_count(const char *in, char *out, size_t size) {
  static int total __attribute__((used));
  int words = 0;

  for (const char *p = in; *p; p++)
    if (*p == ' ') words++;
  total += words; // RACE total SELF
  return snprintf(out, size, "%d words%s", words, words > 900 ? " (!)" : "");
}

static int dispatch(const char *name, const char *in, char *out, size_t size) {
  for (int i = 0; i < n_plugins; i++) {
    struct plugin *p = &registry[i];
    if (strcmp(p->name, name) != 0) continue;
    pthread_mutex_lock(&p->lock);
    p->calls++;
    pthread_mutex_unlock(&p->lock);
    return p->call(in, out, size);
  }
  return -1;
}

static void *host_thread(void *arg) {
  static const char *const order[] = {"upper", "count", "reverse"};
  char out[64];
  int bad = 0;

  for (int i = 0; i < 30; i++)
    if (dispatch(order[i % 3], arg, out, sizeof out) < 0) bad++;
  return bad ? arg : NULL;
}

int main(void) {
  pthread_t a, b;
  void *ra, *rb;

  plugin_register("upper", plug_upper);
  plugin_register("reverse", plug_reverse);
  plugin_register("count", plug_count);
  pthread_create(&a, NULL, host_thread, "the quick brown fox");
  pthread_create(&b, NULL, host_thread, "jumps over the dog");
  pthread_join(a, &ra);
  pthread_join(b, &rb);
  return ra || rb;
}
