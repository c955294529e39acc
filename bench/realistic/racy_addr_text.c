// VERBS check run confirm
// SHOWN
// An access log: the formatter of addresses returns a static buffer, as inet_ntoa does.
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct request {
  uint32_t peer;
  uint16_t port;
  const char *path;
  int status;
};

static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;
static char log_tail[128];
static unsigned log_lines;

static const char *peer_text(const struct request *r) {
  static char text[32];
  unsigned a = r->peer >> 24, b = r->peer >> 16 & 255, c = r->peer >> 8 & 255, d = r->peer & 255;
  snprintf(text, sizeof text, "%u.%u.%u.%u:%u", a, b, c, d, r->port); // RACE text SELF // RACE copied
  return text;
}

static void log_request(const struct request *r) {
  char line[128], peer[32];
  const char *text = peer_text(r);
  strncpy(peer, text, sizeof peer - 1); // RACE copied
  peer[sizeof peer - 1] = 0;
  int n = snprintf(line, sizeof line, "%s GET %s %d", peer, r->path, r->status);
  if (n < 0) return;
  pthread_mutex_lock(&log_lock);
  memcpy(log_tail, line, sizeof line);
  log_lines++;
  pthread_mutex_unlock(&log_lock);
}

static void *serve(void *arg) {
  uint32_t base = (uint32_t)(uintptr_t)arg;
  for (int i = 0; i < 30; i++) {
    struct request r = {
        .peer = base + (uint32_t)i, .port = (uint16_t)(40000 + i), .path = "/index.html", .status = i % 5 ? 200 : 404};
    log_request(&r);
  }
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, serve, (void *)(uintptr_t)0x0a000001);
  pthread_create(&b, NULL, serve, (void *)(uintptr_t)0xc0a80001);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  printf("%u lines, last: %s\n", log_lines, log_tail);
  return log_lines != 60;
}
