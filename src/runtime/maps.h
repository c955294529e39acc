// What of the process' memory is mapped, as /proc/self/maps tells it.
//
// Claim   Each region once, in order of address. None where the file cannot be read.
// Cost    System calls: one to open, one for each kilobyte of text, one to close.
#pragma once

#include <linux/fcntl.h>

#include "runtime/system.h"

namespace deadheat::runtime {

struct Region {
  U64 begin;
  U64 end;
};

// The lines of the file, as far as they are needed.
class Maps {
public:
  Maps() : file_(systemCall(__NR_openat, AT_FDCWD, "/proc/self/maps", O_RDONLY | O_CLOEXEC, 0)) {}
  ~Maps() {
    if (!isError(file_)) systemCall(__NR_close, file_);
  }
  Maps(const Maps &) = delete;
  Maps &operator=(const Maps &) = delete;

  bool next(Region &region) {
    region.begin = number();
    region.end = number();
    for (char each = 1; each != 0 && each != '\n';) each = character();
    return region.end != 0;
  }

private:
  char character() {
    if (at_ == length_) {
      at_ = 0;
      length_ = isError(file_) ? 0 : systemCall(__NR_read, file_, text_, sizeof(text_));
      if (length_ <= 0) return length_ = 0;
    }
    return text_[at_++];
  }
  // In hexadecimal, and what ends it.
  U64 number() {
    U64 value = 0;
    for (char each = character();; each = character()) {
      const int digit = each >= 'a' && each <= 'f' ? each - 'a' + 10 : each >= '0' && each <= '9' ? each - '0' : -1;
      if (digit < 0) return value;
      value = value << 4 | static_cast<U64>(digit);
    }
  }

  long file_;
  long at_ = 0, length_ = 0;
  char text_[1024];
};

} // namespace deadheat::runtime
