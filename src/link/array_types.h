// Variables that are arrays: how large their elements are, and of what type.
//
// A type's text says how many elements there are (`int[4][8]`), or only that there are some (`struct command[]`): then the element is
// as large as another variable of its type, or as pointers are.
#pragma once

#include <string_view>

#include "llvm/ADT/StringMap.h"

#include "link/symbols.h"

namespace deadheat::link {

class ArrayTypes {
public:
  explicit ArrayTypes(const Symbols &symbols);

  struct Element {
    std::string_view type; // of the whole, if it is no array
    uint32_t size = 0;     // 0: it is no array, or not known
  };
  Element elementOf(const Variable &variable) const;

private:
  llvm::StringMap<uint64_t> sizes_; // of types that are no arrays
};

} // namespace deadheat::link
