// VERBS run
// What a descriptor is, is asked once: here the kernel no longer answers. The message through the pipe orders all the same.
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static int data, ends[2];

static void ask_no_more(void) {
  struct sock_filter rules[] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
                                BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_fstat, 0, 1),
                                BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EBADF),
                                BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  struct sock_fprog program = {sizeof rules / sizeof *rules, rules};
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

static void *send(void *none) {
  data = 1; // NORACE
  write(ends[1], "", 1);
  return none;
}

int main(void) {
  char byte;
  if (pipe(ends) != 0) return 1;
  write(ends[1], "", 1);
  read(ends[0], &byte, 1);
  ask_no_more();
  pthread_t sender;
  pthread_create(&sender, 0, send, 0);
  read(ends[0], &byte, 1);
  data++; // NORACE
  pthread_join(sender, 0);
  return 0;
}
