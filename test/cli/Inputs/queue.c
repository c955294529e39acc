#include <string.h>

struct queue {
  int head, tail;
  char name[16];
};

_Atomic int closed;

int push(struct queue *q, int n) {
  q->tail += n;
  return q->head;
}

void call(struct queue *q, const char *name) { memcpy(q->name, name, sizeof(q->name)); }
