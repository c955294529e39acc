// Accesses are named in the words of the source, whatever the level.
//
// RUN: %cc -O0 -g -c %s -o %t.o && %deadheat model dump --sites %t.o | FileCheck %s
// RUN: %cc -O1 -g -c %s -o %t.o && %deadheat model dump --sites %t.o | FileCheck %s
// RUN: %cc -O2 -g -c %s -o %t.o && %deadheat model dump --sites %t.o | FileCheck %s
//
// The user asked for no debug info: the names are there all the same.
// RUN: %cc -O2 -c %s -o %t.o && %deadheat model dump --sites %t.o | FileCheck %s
#include <stddef.h>

struct stats {
  long rx_p, tx_p;
};
struct private_data {
  int id;
  struct stats stats;
};
struct device {
  int flags;
  struct private_data *priv;
};
typedef struct {
  short x, y;
} point;
struct list {
  struct list *next, *prev;
};
struct item {
  int key;
  struct list link;
};
struct packet {
  int length;
  unsigned char data[];
};
struct value {
  int kind;
  union {
    double number;
    char *text;
    point *where;
    long whole;
  } as;
  struct {
    int anonymous;
  };
};

struct device *devices[8];
int grid[4][6];
extern struct stats total;
static int calls;

// CHECK: function fields
// CHECK-NEXT: read 8 d->priv struct device.priv
// CHECK-NEXT: read 8 d->priv->stats.rx_p struct stats.rx_p
long fields(struct device *d) { return d->priv->stats.rx_p; }

// CHECK: function typedefs
// CHECK-NEXT: write 2 p[3].y point.y
void typedefs(point *p) { p[3].y = 1; }

// CHECK: function arrays
// CHECK-NEXT: read 8 devices[i + 1] struct device *
// CHECK-NEXT: read 8 devices[i + 1]->priv struct device.priv
// CHECK-NEXT: read 4 devices[i + 1]->priv->id struct private_data.id
// CHECK-NEXT: write 4 grid[2][i] int
void arrays(int i) { grid[2][i] = devices[i + 1]->priv->id; }

// CHECK: function bytes
// CHECK-NEXT: read 1 buffer[n - 1] char
char bytes(char *buffer, int n) { return buffer[n - 1]; }

// CHECK: function globals
// CHECK-NEXT: read 4 calls int
// CHECK-NEXT: write 4 calls int
// CHECK-NEXT: read 8 total.tx_p struct stats.tx_p
long globals(struct stats *because) {
  calls++;
  return total.tx_p;
}

// CHECK: function staticLocal
// CHECK-NEXT: read 4 count int
// CHECK-NEXT: write 4 count int
int staticLocal(void) {
  static int count;
  return count++;
}

// CHECK: function pointerToPointer
// CHECK-NEXT: read 8 *d struct device *
// CHECK-NEXT: write 4 (*d)->flags struct device.flags
void pointerToPointer(struct device **d) { (*d)->flags = 1; }

// CHECK: function results
// CHECK-NEXT: read 4 find()->flags struct device.flags
// CHECK-NEXT: read 8 d->priv struct device.priv
struct device *find(int);
int results(struct device *d) { return find(1)->flags + (d->priv != 0); }

// CHECK: function casts
// CHECK-NEXT: read 4 d->flags struct device.flags
int casts(void *argument) {
  struct device *d = argument;
  return d->flags;
}

// CHECK: function containerOf
// CHECK-NEXT: read 8 head->next struct list.next
// CHECK-NEXT: read 4 first->key struct item.key
int containerOf(struct list *head) {
  struct item *first = (struct item *)((char *)head->next - offsetof(struct item, link));
  return first->key;
}

// CHECK: function tail
// CHECK-NEXT: read 1 p->data[4] struct packet.data
// CHECK-NEXT: read 1 p->data[i] struct packet.data
int tail(struct packet *p, int i) { return p->data[4] + p->data[i]; }

// A member of a union is known by its kind, or not at all.
// CHECK: function unions
// CHECK-NEXT: read 8 v->as.number struct value.as.number
// CHECK-NEXT: read 8 v->as.{text, where} struct value.as.{text, where}
// CHECK-NEXT: read 8 v->as.whole struct value.as.whole
// CHECK-NEXT: read 4 v->anonymous struct value.anonymous
long unions(struct value *v) {
  if (v->as.number > 1) return (long)v->as.text;
  return v->as.whole + v->anonymous;
}

// CHECK: function locals
// CHECK: range write 16 mine struct stats
// CHECK: write 8 mine.tx_p struct stats.tx_p
void keep(struct stats *);
void locals(struct stats *from, long n) {
  struct stats mine = *from;
  keep(&mine);
  mine.tx_p = n;
  keep(&mine);
}

// What a type does not explain is shown as it is.
// CHECK: function unexplained
// CHECK-NEXT: read 4 d->@-4
// CHECK-NEXT: write 4 p->@12
struct opaque;
void unexplained(struct opaque *p, struct device *d) { *(int *)((char *)p + 12) = ((int *)d)[-1]; }
