// Texts that a constant format of printf's names are read, places that scanf's names are written; nothing else is, and a format that ends too early names nothing.
//
// RUN: %cc -O1 -g -Wno-format -Wno-format-insufficient-args -c %s -o %t.o && %deadheat model dump --sites %t.o | FileCheck %s --implicit-check-not='{{range (read|write).*other}}'
#include <stdio.h>

extern char first[8], second[8], other[8];
extern int width, number, place;

// CHECK:      function plain
// CHECK-NEXT: read {{.*}} number
// CHECK-NEXT: range read {{.*}} first
void plain(void) { printf("%d 100%% %s %%s\n", number, first); }

// CHECK:      function stars
// CHECK-NEXT: read {{.*}} width
// CHECK-NEXT: range read {{.*}} first
// CHECK-NEXT: range read {{.*}} second
void stars(void) { printf("%*.*s %m %s\n", width, width, first, second); }

// CHECK:      function byNumber
// CHECK-NEXT: range read {{.*}} second
// CHECK-NEXT: range read {{.*}} first
void byNumber(void) { printf("%2$s %1$s\n", first, second); }

// CHECK:      function scans
// CHECK-DAG:  range read {{.*}} first
// CHECK-DAG:  range write {{.*}} second
// CHECK-DAG:  range write {{.*}} place
void scans(void) { sscanf(first, "%*d %[^]%d] %d", second, &place); }

// CHECK:      function broken
// CHECK-NOT:  range
void broken(void) { printf("%", other), printf("%-5", other), printf("%2$", other, other); }
