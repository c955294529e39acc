// VERBS check run confirm
// SHOWN
// Devices behind a table of operations: every operation of the ramdisk takes the device lock, except `trim`.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCKS = 16, BLOCK = 32 };

struct device;

struct device_ops {
  const char *name;
  int (*read)(struct device *, unsigned block, void *to);
  int (*write)(struct device *, unsigned block, const void *from);
  int (*trim)(struct device *, unsigned block);
};

struct device {
  const struct device_ops *ops;
  pthread_mutex_t lock;
  void *private;
};

struct ramdisk {
  unsigned char data[BLOCKS][BLOCK];
  unsigned used;
};

static int ram_read(struct device *d, unsigned block, void *to) {
  struct ramdisk *r = d->private;
  if (block >= BLOCKS) return -1;
  pthread_mutex_lock(&d->lock);
  memcpy(to, r->data[block], BLOCK); // RACE read-trim
  pthread_mutex_unlock(&d->lock);
  return BLOCK;
}

static int ram_write(struct device *d, unsigned block, const void *from) {
  struct ramdisk *r = d->private;
  if (block >= BLOCKS) return -1;
  pthread_mutex_lock(&d->lock);
  memcpy(r->data[block], from, BLOCK); // RACE write-trim
  r->used++;
  pthread_mutex_unlock(&d->lock);
  return BLOCK;
}

static int ram_trim(struct device *d, unsigned block) {
  struct ramdisk *r = d->private;
  if (block >= BLOCKS) return -1;
  memset(r->data[block], 0, BLOCK); // RACE read-trim // RACE write-trim // RACE trims SELF
  return 0;
}

static const struct device_ops ram_ops = {.name = "ram", .read = ram_read, .write = ram_write, .trim = ram_trim};

static int device_open(struct device *d, const struct device_ops *ops) {
  d->ops = ops;
  pthread_mutex_init(&d->lock, NULL);
  d->private = calloc(1, sizeof(struct ramdisk));
  return d->private ? 0 : -1;
}

static void *exercise(void *arg) {
  struct device *d = arg;
  char buffer[BLOCK];
  for (unsigned i = 0; i < 64; i++) {
    unsigned block = i % BLOCKS;
    memset(buffer, (int)i, sizeof buffer);
    if (d->ops->write(d, block, buffer) < 0) break;
    if (d->ops->read(d, block, buffer) < 0) break;
    if (i % 3 == 0 && d->ops->trim(d, block) < 0) break;
  }
  return NULL;
}

int main(void) {
  struct device disk;
  pthread_t threads[2];
  if (device_open(&disk, &ram_ops)) return 2;
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, exercise, &disk);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  printf("%s: %u writes\n", disk.ops->name, ((struct ramdisk *)disk.private)->used);
  free(disk.private);
  pthread_mutex_destroy(&disk.lock);
  return 0;
}
