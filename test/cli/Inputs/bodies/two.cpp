#include "shared.h"
extern "C" int weakly(int n) { int sum = 0; for (int i = 0; i < n; i++) sum += cells[i], mix(sum); return sum; }
int other(int n) {
  Stack<long> stack;
  for (int i = 0; i < n % 8; i++) stack.push(cells[i]), Stack<long>::pushed++;
  long numbers[3] = {1, 2, cells[n]};
#if __cpp_exceptions
  if (n % 9 == 4) throw Thrown{n};
#endif
  return (int)(total(numbers, 3) + total(cells, n) + (stack.size ? stack.pop() : 0));
}
