// What a call pays that is passed over while a program is watched: eight instructions, three memory references (abi/near.h), as
// LiteRace's dispatch check has; the first two of them are what it pays when nobody watches. No register is saved for it.
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
