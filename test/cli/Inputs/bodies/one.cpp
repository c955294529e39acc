#include "shared.h"
int cells[256];
unsigned mixed = 1;
void mix(unsigned value) { mixed = (mixed ^ value) * 16777619u; }
extern "C" __attribute__((weak)) int weakly(int n) { for (int i = 0; i < n; i++) cells[i]++, mix(i); return -1; }
extern "C" __attribute__((weak)) int weakHere(int n) { for (int i = 0; i < n; i++) cells[i]++, mix(i); return cells[n]; }
extern "C" int aliased(int n) __attribute__((alias("weakHere")));
static int fast(int n) { int sum = 0; for (int i = 0; i < n; i++) sum += cells[i], mix(sum); return sum; }
static int slow(int n) { return -fast(n); }
static int choices[4] = {1, 2, 3, 4};
extern "C" {
static int (*choose(void))(int) { int sum = 0; for (int i = 0; i < 4; i++) sum += choices[i]; return sum == 10 ? fast : slow; }
}
int chosen(int n) __attribute__((ifunc("_ZL6choosev")));
NOINLINE int scopes(int n) { // stack slots that live and die in the loop
  int sum = 0;
  for (int i = 0; i < n; i++) {
    { char text[40]; snprintf(text, sizeof text, "%d", cells[i]); sum += text[0]; mix(sum); }
    { int numbers[10]; for (int k = 0; k < 10; k++) numbers[k] = cells[i + k]; sum += total(numbers, 10); }
    if (sum & 1) { double values[6]; for (int k = 0; k < 6; k++) values[k] = i * k; sum += (int)total(values, 6); }
    int last = sum; mix(last);
  }
  return sum;
}
struct Early { Early() { for (int i = 0; i < 256; i++) cells[i] = i * 37 % 101; } ~Early() { printf("%u\n", mixed); } };
static Early early;
__attribute__((constructor)) static void first() { for (int i = 0; i < 10; i++) choices[0] += i; choices[0] = 1; }
NOINLINE int safely(int n) {
  int sum = 0;
#if __cpp_exceptions
  for (int i = 0; i < n; i++) try { sum += other(i); } catch (const Thrown &thrown) { sum -= thrown.code; }
#else
  for (int i = 0; i < n; i++) sum += other(i);
#endif
  return sum;
}
static int unused(int n) { for (int i = 0; i < n; i++) cells[i] = 0; return 0; }
int (*neverCalled)(int) = unused;
int main() {
  Stack<long> stack;
  for (int i = 0; i < 20; i++) stack.push(cells[i]), Stack<long>::pushed++;
  long sum = 0;
  for (int i = 0; i < 20; i++) sum += stack.pop();
  printf("%ld %d %d %d %d\n", sum, Stack<long>::pushed, weakly(5), aliased(6), chosen(7));
  printf("%d %d %d\n", scopes(40), safely(50), total(cells, 200));
  return 5;
}
