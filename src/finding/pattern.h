// The patterns of TSan's suppressions: `*` stands for any text, `^` at the beginning and `$` at the end hold the pattern
// to the beginning and the end of the text; without them it may lie anywhere in it. Letters are compared as they are.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace deadheat::finding {

class Pattern {
public:
  explicit Pattern(std::string_view text);

  // Cost: the length of `text` times the number of parts between stars, at worst.
  bool matches(std::string_view text) const;

private:
  std::vector<std::string> parts_; // between the stars, in order
  bool atBeginning_ = false;
  bool atEnd_ = false;
};

} // namespace deadheat::finding
