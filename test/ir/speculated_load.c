// `if (c) r = shared;` stays conditional: the load does not run when the source does not make it.
//
// The optimiser does take it out of the condition if nobody stops it:
// RUN: %clang -O2 -S -emit-llvm %s -o - | FileCheck %s --check-prefix=PLAIN
//
// RUN: %cc -O2 -g %s -o %t && %deadheat model dump %t | FileCheck %s --check-prefix=MODEL
// RUN: %deadheat run -q --json - -- %t | FileCheck %s --check-prefix=IDLE --implicit-check-not='"path": "shared"'
// RUN: %deadheat run -q --json - -- %t asked | FileCheck %s --check-prefix=ASKED
// IDLE: "path":{{ ?}}"seen"
// ASKED: "path":{{ ?}}"shared"

int shared;
int seen;

// PLAIN-LABEL: @get(
// PLAIN-NOT: br
// PLAIN: load i32, ptr @shared
// PLAIN-NOT: br
// PLAIN: select
// MODEL: function get
// MODEL: site [[#SHARED:]] {{.*}} read 4 shared
// MODEL: late {{[0-9]+}} read 4 metadata [[#SHARED]]{{$}}
__attribute__((noinline)) int get(int c) {
  int r = 0;
  if (c)
    r = shared;
  return r;
}

// PLAIN-LABEL: @main(
int main(int argc, char **argv) {
  seen = get(argc > 1);
  return 0;
}
