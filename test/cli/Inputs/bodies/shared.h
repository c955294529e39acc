// A program of two units with what linkers and sanitizers take an interest in.
#pragma once

#include <stdio.h>
#include <string.h>
#define NOINLINE __attribute__((noinline))
extern int cells[256];
extern unsigned mixed;
NOINLINE void mix(unsigned value);
template <typename T> NOINLINE T total(const T *from, int n) { // in both units, one is kept
  T sum = 0;
  for (int i = 0; i < n; i++) { sum += from[i]; mix((unsigned)sum); }
  return sum;
}
template <typename T> struct Stack {
  T items[32];
  int size = 0;
  NOINLINE void push(T item) { if (size < 32) items[size++] = item; }
  NOINLINE T pop() { return items[--size]; }
  static inline int pushed = 0;
};
struct Thrown { int code; };
NOINLINE int other(int n);
extern "C" int weakly(int n);
