// SHOWN
// A directory tree under one recursive lock, entered by public functions that call each other.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct inode {
  struct inode *parent, *children, *sibling;
  size_t size;
  char name[16];
};

struct fs {
  pthread_mutex_t lock;
  struct inode root;
  unsigned inodes;
};

static struct fs fs;

static void fs_init(struct fs *f) {
  pthread_mutexattr_t attr;
  memset(f, 0, sizeof *f);
  pthread_mutexattr_init(&attr);
  pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&f->lock, &attr);
  pthread_mutexattr_destroy(&attr);
}

static struct inode *fs_lookup(struct fs *f, struct inode *dir, const char *name) {
  struct inode *found = NULL;
  pthread_mutex_lock(&f->lock);
  for (struct inode *i = dir->children; i; i = i->sibling)
    if (strcmp(i->name, name) == 0) {
      found = i;
      break;
    }
  pthread_mutex_unlock(&f->lock);
  return found;
}

static struct inode *fs_create(struct fs *f, struct inode *dir, const char *name) {
  pthread_mutex_lock(&f->lock);
  struct inode *i = fs_lookup(f, dir, name);
  if (!i) {
    i = calloc(1, sizeof *i);
    if (!i) goto out;
    snprintf(i->name, sizeof i->name, "%s", name);
    i->parent = dir;
    i->sibling = dir->children; // NORACE still held after the inner unlock
    dir->children = i;          // NORACE still held after the inner unlock
    f->inodes++;                // NORACE still held after the inner unlock
  }
out:
  pthread_mutex_unlock(&f->lock);
  return i;
}

static void fs_resize(struct fs *f, struct inode *i, size_t size) {
  pthread_mutex_lock(&f->lock);
  size_t before = i->size;
  for (struct inode *d = i; d; d = d->parent) d->size += size - before; // NORACE
  pthread_mutex_unlock(&f->lock);
}

static size_t fs_usage(struct fs *f) {
  pthread_mutex_lock(&f->lock);
  size_t size = f->root.size;
  pthread_mutex_unlock(&f->lock);
  return size;
}

static void *writer(void *arg) {
  const char *who = arg;
  char name[16];
  struct inode *home = fs_create(&fs, &fs.root, who);
  if (!home) return NULL;
  for (int i = 0; i < 20; i++) {
    snprintf(name, sizeof name, "file%d", i % 7);
    struct inode *file = fs_create(&fs, home, name);
    if (file) fs_resize(&fs, file, (size_t)i * 10);
  }
  return NULL;
}

static void drop(struct inode *i) {
  for (struct inode *c = i->children; c;) {
    struct inode *next = c->sibling;
    drop(c);
    free(c);
    c = next;
  }
}

int main(void) {
  pthread_t a, b, c;
  fs_init(&fs);
  pthread_create(&a, NULL, writer, "alice");
  pthread_create(&b, NULL, writer, "bob");
  pthread_create(&c, NULL, writer, "alice");
  size_t early = fs_usage(&fs);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  pthread_join(c, NULL);
  printf("%d %zu in %u\n", early <= 100000, fs_usage(&fs), fs.inodes);
  drop(&fs.root);
  return 0;
}
