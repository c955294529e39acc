#include "support/error.h"

#include <cstdio>
#include <cstdlib>

namespace deadheat {

void checkFailed(const char *condition, const char *file, int line) {
  std::fprintf(stderr, "deadheat: inner error: %s:%d: %s does not hold; please send this line and the command\n", file,
               line, condition);
  std::abort();
}

} // namespace deadheat
