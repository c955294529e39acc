// SHOWN
// A checksum module builds its lookup table on first use; the double-checked flag is a plain int, so a caller may read a half-built table.
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define NWORKERS 4

static struct {
  pthread_mutex_t lock;
  int ready;
  uint32_t row[256];
} crc = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void crc_setup(void) {
  if (crc.ready) // RACE flag
    return;
  pthread_mutex_lock(&crc.lock);
  if (!crc.ready) {
    for (uint32_t i = 0; i < 256; i++) {
      uint32_t c = i;

      for (int k = 0; k < 8; k++) c = c & 1 ? 0xedb88320u ^ (c >> 1) : c >> 1;
      crc.row[i] = c; // RACE body
    }
    crc.ready = 1; // RACE flag
  }
  pthread_mutex_unlock(&crc.lock);
}

static uint32_t crc32_of(const char *s, size_t n) {
  uint32_t c = ~0u;

  crc_setup();
  while (n--) {
    uint8_t at = (uint8_t)(c ^ (uint8_t)*s++);

    c = crc.row[at] ^ (c >> 8); // RACE body
  }
  return ~c;
}

struct packet_job {
  pthread_t tid;
  const char *text;
  uint32_t result;
};

static void *checksum(void *arg) {
  struct packet_job *job = arg;

  for (int i = 0; i < 200; i++) job->result = crc32_of(job->text, strlen(job->text));
  return NULL;
}

int main(void) {
  struct packet_job jobs[NWORKERS] = {
      {.text = "HELO relay-7"},
      {.text = "MAIL FROM:<ops@example.org>"},
      {.text = "RCPT TO:<oncall@example.org>"},
      {.text = "QUIT"},
  };

  for (int i = 0; i < NWORKERS; i++) pthread_create(&jobs[i].tid, NULL, checksum, &jobs[i]);
  for (int i = 0; i < NWORKERS; i++) {
    pthread_join(jobs[i].tid, NULL);
    printf("%08x %s\n", (unsigned)jobs[i].result, jobs[i].text);
  }
  return 0;
}
