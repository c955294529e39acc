// What a unit carries for the runtime, and when it carries nothing.
//
// RUN: %cc -O1 -S -emit-llvm %s -o %t.ll && FileCheck %s --implicit-check-not=__deadheat_attach < %t.ll
// RUN: %cc -O1 -fPIC -S -emit-llvm %s -o - | FileCheck %s --check-prefix=LIBRARY
// RUN: env DEADHEAT_MODE=extract %cc -O1 -S -emit-llvm %s -o - | FileCheck %s --check-prefix=EXTRACT --implicit-check-not=__deadheat_
// RUN: env DEADHEAT_MODE=instrument %cc -O1 -S -emit-llvm %s -o - | FileCheck %s --check-prefix=INSTRUMENT --implicit-check-not='.pushsection .deadheat'
// RUN: %cc -O1 -c %s -o %t.o && llvm-readelf -S %t.o | FileCheck %s --check-prefix=SECTIONS
// RUN: %cc -O1 -fsanitize=address -S -emit-llvm %s -o - | FileCheck %s --check-prefix=SANITIZED
//
// Bitcode of ours that is compiled again stays as it is: one check, one note.
// RUN: %cc -O1 -S -emit-llvm %t.ll -o - | FileCheck %s --check-prefix=AGAIN

// CHECK: module asm "{{.*}}.pushsection .deadheat,\22\22,%progbits"
// CHECK: @__deadheat_table = linkonce_odr hidden global [10 x i64] zeroinitializer, {{.*}}comdat, align 64
// CHECK: @__deadheat_functions = private global [1 x i8] c"\02", section "deadheat_functions", {{.*}}align 1
// CHECK: @__deadheat_accesses = private global [2 x i8] c"\04\04", section "deadheat_accesses", {{.*}}align 1
// CHECK: @__deadheat_note = private constant [14 x i32] [i32 9, i32 32, i32 1, {{.*}}, section ".note.deadheat", {{.*}}align 4
// CHECK: @llvm.compiler.used = {{.*}}@__deadheat_note
// CHECK: define internal void @__deadheat_tell_read(ptr %[[ADDRESS:.*]], i32 %[[NUMBER:.*]])
// CHECK-NEXT: %[[WIDE:.*]] = zext i32 %[[NUMBER]] to i64
// CHECK-NEXT: %[[SLOT:.*]] = getelementptr inbounds i8, ptr @__deadheat_accesses, i64 %[[WIDE]]
// CHECK-NEXT: %[[HOOK:.*]] = load ptr, ptr getelementptr inbounds (i8, ptr @__deadheat_table, i32 24)
// CHECK-NEXT: tail call void %[[HOOK]](ptr %[[ADDRESS]], ptr %[[SLOT]])

// No red zones in what is read as one array.
// SANITIZED-DAG: @__deadheat_table = linkonce_odr hidden global [10 x i64]
// SANITIZED-DAG: @__deadheat_functions = private global [1 x i8]
// SANITIZED-DAG: @__deadheat_accesses = private global [2 x i8]
// SANITIZED-DAG: @__deadheat_note = private constant [14 x i32]

// A library may arrive by dlopen: it calls the runtime, if there is one.
// LIBRARY: @llvm.global_ctors = {{.*}} { i32 0, ptr @__deadheat_attach_library, ptr @__deadheat_attach_library }
// LIBRARY: declare extern_weak void @__deadheat_attach(ptr)
// LIBRARY: define linkonce_odr hidden void @__deadheat_attach_library() comdat {
// LIBRARY-NEXT: icmp ne ptr @__deadheat_attach, null
// LIBRARY-NEXT: br i1
// LIBRARY: call void @__deadheat_attach(ptr @__deadheat_note)

// EXTRACT: .pushsection .deadheat
// INSTRUMENT: @__deadheat_note
// INSTRUMENT: define internal {{.*}}@bump.told

// The model is not loaded; the slots and the note are.
// SECTIONS-DAG: .deadheat PROGBITS {{[0-9a-f]+ [0-9a-f]+ [0-9a-f]+}} 00 0
// SECTIONS-DAG: .note.deadheat NOTE {{.*}} A
// SECTIONS-DAG: deadheat_functions PROGBITS {{.*}} WA
// SECTIONS-DAG: deadheat_accesses PROGBITS {{.*}} WA

// AGAIN-COUNT-1: .pushsection .deadheat
// AGAIN-NOT: .pushsection .deadheat
// AGAIN-COUNT-1: @__deadheat_note = private
// AGAIN-NOT: @__deadheat_note = private
// AGAIN: define {{.*}}@bump(
// AGAIN-COUNT-1: br i1
// AGAIN: define internal {{.*}}@bump.told(
// AGAIN-NOT: .told.told
extern int cells[64];
int bump(int n) { return cells[n + 1] = cells[n]; }
