// Masked accesses, gathers and scatters carry the site of the scalar access; `size` is that of a lane.
//
// RUN: %cc -O2 -g -march=haswell -c %s -o %t.o && %deadheat model dump %t.o | FileCheck %s --check-prefix=MASKED
// RUN: %clang -O2 -march=haswell -S -emit-llvm %s -o - | FileCheck %s --check-prefix=HASWELL
// RUN: %cc -O2 -g -march=skylake-avx512 -c %s -o %t.o && %deadheat model dump %t.o | FileCheck %s --check-prefixes=MASKED,SCATTERED
// RUN: %clang -O2 -march=skylake-avx512 -S -emit-llvm %s -o - | FileCheck %s --check-prefix=AVX512
//
// HASWELL: @llvm.masked.load
// HASWELL: @llvm.masked.store
// AVX512: @llvm.masked.gather
// AVX512: @llvm.masked.scatter

// MASKED: function some
// MASKED: site [[#FROM:]] {{.*}} read 4 b[i]
// MASKED: site [[#TO:]] {{.*}} write 4 a[i]
// MASKED: late {{[0-9]+}} read 4 location [[#FROM]]{{$}}
// MASKED: late {{[0-9]+}} write 4 location [[#TO]]{{$}}
void some(int *restrict a, const int *restrict b, const int *restrict chosen, int n) {
  for (int i = 0; i < n; i++)
    if (chosen[i]) a[i] = b[i];
}

// SCATTERED: function gather
// SCATTERED: site [[#INDEX:]] {{.*}} read 4 index[i]
// SCATTERED: site [[#ELEMENT:]] {{.*}} read 4 a[index[i]]
// SCATTERED: late {{[0-9]+}} read 32 location [[#INDEX]]{{$}}
// SCATTERED: late {{[0-9]+}} read 4 location [[#ELEMENT]]{{$}}
int gather(const int *a, const int *index, int n) {
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += a[index[i]];
  return sum;
}

// SCATTERED: function scatter
// SCATTERED: site [[#INDEX:]] {{.*}} read 4 index[i]
// SCATTERED: site [[#ELEMENT:]] {{.*}} write 4 a[index[i]]
// SCATTERED: late {{[0-9]+}} read 32 location [[#INDEX]]{{$}}
// SCATTERED: late {{[0-9]+}} write 4 location [[#ELEMENT]]{{$}}
void scatter(int *restrict a, const int *restrict index, int n) {
  for (int i = 0; i < n; i++)
    a[index[i]] = i;
}
