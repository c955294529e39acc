// Where and as what a leaf is shown: at the innermost line that the user wrote, and library code as an access of the
// object that this line gave to it.
#pragma once

#include <string_view>

#include "analyse/race/chains.h"

namespace deadheat::analyse {

struct Shown {
  size_t frame = 0;      // counted from the access outwards
  link::FuncId function; // of that frame
  std::string_view file = {};
  uint32_t line = 0;
  uint32_t column = 0;
  std::string_view path = {};        // what is accessed, in the words of that line
  bool isWithinLibrary = false;      // the access itself is the library's
  const model::Call *call = nullptr; // then: the call of the library, if it is a call that is shown
};

Shown shownAt(const link::Program &program, const Leaf &leaf);

} // namespace deadheat::analyse
