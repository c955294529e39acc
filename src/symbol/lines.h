// From a line of the source to the machine code that came from it: the other way than a debugger's.
//
// Claim   Every range was compiled from that line, in whichever function it was inlined into.
// Misses  Programs without line tables: no ranges.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "support/error.h"

namespace deadheat::symbol {

struct AddressRange {
  uint64_t begin = 0; // link-time addresses
  uint64_t end = 0;

  auto operator<=>(const AddressRange &) const = default;
};

// `file` is a path or the end of one. In order, unique.
Expected<std::vector<AddressRange>> rangesOfLine(const std::string &binary, const std::string &file, uint32_t line);

} // namespace deadheat::symbol
