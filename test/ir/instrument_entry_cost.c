// What a call pays that is passed over while a program is watched: eight instructions, three memory references (abi/near.h), as
// LiteRace's dispatch check has; the first two of them are what it pays when nobody watches. No register is saved for it. Longer functions
// and back edges have seven of them in a function of the unit, and jump to the runtime from there.
//
// RUN: %cc -O2 -fno-asynchronous-unwind-tables -fPIE -S %s -o - | FileCheck %s
// RUN: %cc -O2 -fno-asynchronous-unwind-tables -fno-pic -S %s -o - | FileCheck %s
// RUN: %cc -O2 -fno-asynchronous-unwind-tables -fPIC -S %s -o - | FileCheck --check-prefix=LIBRARY %s

extern int cells[64];

// CHECK-LABEL: {{^}}add:
// CHECK: {{^}}{{[[:space:]]+}}cmpb $0, __deadheat_table
// CHECK-NEXT: jne [[ASK:.L.*]]
// CHECK: [[PLAIN:.LBB.*]]:
// CHECK: ret
// CHECK: [[ASK]]:
// CHECK-NEXT: movq %fs:__deadheat_near@TPOFF, %[[NEAR:r.*]]
// CHECK-NEXT: testq %[[NEAR]], %[[NEAR]]
// CHECK-NEXT: je [[CALL:.L.*]]
// CHECK-NEXT: # %bb
// CHECK-NEXT: {{lea|mov}}{{[lq]}} {{.*}}__deadheat_functions{{.*}}, %{{[er].*}}
// CHECK-NEXT: subl $1, (%[[NEAR]],%r{{[a-z0-9]+}},8)
// CHECK-NEXT: jae [[PLAIN]]
// CHECK: [[CALL]]:
// CHECK: callq *__deadheat_table+8

// A library's thread-local memory costs a call, or room that it might not find: it asks the runtime.
// LIBRARY-NOT: __deadheat_near
int add(int n) { return cells[n]++; }

int touch(int);

// CHECK-LABEL: {{^}}longer:
// CHECK: callq __deadheat_ask_enter
// CHECK: callq __deadheat_ask_loop

// CHECK-LABEL: {{^}}__deadheat_ask_enter:
// CHECK: movq %fs:__deadheat_near@TPOFF, %[[WORD:r.*]]
// CHECK-NEXT: testq %[[WORD]], %[[WORD]]
// CHECK-NEXT: je __deadheat_ask_runtime
// CHECK-NEXT: # %bb
// CHECK-NEXT: subl $1, (%[[WORD]],%rdi,8)
// CHECK-NEXT: jb __deadheat_ask_runtime
// CHECK-NEXT: # %bb
// CHECK-NEXT: xorl %eax, %eax
// CHECK-NEXT: retq

// CHECK-LABEL: {{^}}__deadheat_ask_loop:
// CHECK: subl $1, 4(%r{{[a-z0-9]+}},%rdi,8)
// CHECK: jmpq *%r
void longer(int n) {
  for (int i = 0; i < n; i++) {
    cells[i] += touch(cells[i + 1]);
    cells[i + 5] += touch(cells[i] / 7);
    cells[i + 9] ^= cells[i + 8] + cells[i + 7] * cells[i + 6];
    cells[i + 19] ^= cells[i + 18] + cells[i + 17] * cells[i + 16];
  }
}
