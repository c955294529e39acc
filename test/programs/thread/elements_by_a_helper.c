// VERBS check
// SHOWN
// A helper starts one thread with a record and the element that it was told to. Where two rounds tell it one element, both write that.
#include <pthread.h>
#include <stdlib.h>

enum { kHosts = 6 };

struct result {
  int port;
  int status;
};

struct probe {
  struct result *out;
  int host;
};

static struct result results[kHosts];
static struct result shared[kHosts];
static pthread_t probing[kHosts];
static pthread_t sharing[kHosts];

static void *probe(void *argument) {
  struct probe *p = argument;
  p->out->port = 8000 + p->host; // NORACE
  p->out->status = p->host & 1;  // NORACE
  free(p);
  return NULL;
}

static void *share(void *argument) {
  struct probe *p = argument;
  p->out->port = 8000 + p->host; // RACE port SELF
  free(p);
  return NULL;
}

static void startProbe(int host) {
  struct probe *p = malloc(sizeof *p);
  if (!p) abort();
  p->out = &results[host];
  p->host = host;
  pthread_create(&probing[host], NULL, probe, p);
}

static void startShare(int host, int which) {
  struct probe *p = malloc(sizeof *p);
  if (!p) abort();
  p->out = &shared[which];
  p->host = host;
  pthread_create(&sharing[host], NULL, share, p);
}

int main(void) {
  for (int h = 0; h < kHosts; h++) startProbe(h);
  for (int h = 0; h < kHosts; h++) startShare(h, h / 2);
  for (int h = 0; h < kHosts; h++) pthread_join(probing[h], NULL);
  for (int h = 0; h < kHosts; h++) pthread_join(sharing[h], NULL);
  return results[0].status + shared[0].port == 0;
}
