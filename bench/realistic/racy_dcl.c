// SHOWN
// Double-checked lazy initialisation of a table with a plain pointer.
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct crc_table {
  uint32_t poly;
  uint32_t entries[256];
};

static struct crc_table *table;
static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER;

static struct crc_table *build(uint32_t poly) {
  struct crc_table *t = malloc(sizeof *t);
  if (!t) abort();
  t->poly = poly; // RACE poly
  for (uint32_t i = 0; i < 256; i++) {
    uint32_t c = i;
    for (int k = 0; k < 8; k++) c = c & 1 ? poly ^ (c >> 1) : c >> 1;
    t->entries[i] = c; // RACE entries
  }
  return t;
}

static const struct crc_table *get_table(void) {
  struct crc_table *t = table; // RACE check
  if (!t) {
    pthread_mutex_lock(&table_lock);
    t = table;
    if (!t) {
      t = build(0xedb88320u);
      table = t; // RACE check
    }
    pthread_mutex_unlock(&table_lock);
  }
  return t;
}

static uint32_t crc32_of(const unsigned char *data, size_t len) {
  const struct crc_table *t = get_table();
  uint32_t c = t->poly ? ~0u : 0;                                                   // RACE poly
  for (size_t i = 0; i < len; i++) c = t->entries[(c ^ data[i]) & 0xff] ^ (c >> 8); // RACE entries
  return ~c;
}

struct chunk {
  unsigned char data[512];
  uint32_t crc;
};

static void *checksum(void *arg) {
  struct chunk *c = arg;
  c->crc = crc32_of(c->data, sizeof c->data);
  return NULL;
}

int main(void) {
  static struct chunk chunks[4];
  pthread_t threads[4];
  for (int i = 0; i < 4; i++) {
    for (size_t j = 0; j < sizeof chunks[i].data; j++) chunks[i].data[j] = (unsigned char)(i + j);
    pthread_create(&threads[i], NULL, checksum, &chunks[i]);
  }
  for (int i = 0; i < 4; i++) {
    pthread_join(threads[i], NULL);
    printf("%08x\n", chunks[i].crc);
  }
  free(table);
  return 0;
}
