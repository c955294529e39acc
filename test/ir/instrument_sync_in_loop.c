// What an atomic operation's address is after a loop got doors: the value that travels, not the one from before.
//
// RUN: env DEADHEAT_VERIFY=1 DEADHEAT_STRICT=1 %cc -O2 -S -emit-llvm %s -o - | FileCheck %s

struct node {
  long sum;
  _Atomic int word;
  struct node *next;
};

void use(long);

// CHECK: define internal i32 @inLoop.told(ptr
void inLoop(struct node *node) {
  _Atomic int *word = &node->word;
  while (node) {
    node->sum += 1;
    use(node->sum);
    __c11_atomic_fetch_add(word, 1, __ATOMIC_SEQ_CST);
    __asm__ __volatile__("lock; incl %0" : "+m"(*(int *)word));
    node = node->next;
  }
}
