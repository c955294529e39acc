#include "finding/pattern.h"

#include "llvm/ADT/StringExtras.h"

namespace deadheat::finding {

Pattern::Pattern(std::string_view text) {
  llvm::StringRef rest = text;
  atBeginning_ = rest.consume_front("^");
  atEnd_ = rest.consume_back("$");
  for (llvm::StringRef part : llvm::split(rest, '*')) parts_.push_back(part.str());
}

// The leftmost place for each part leaves the most room for the parts after it, so it need not be reconsidered; only
// the last part of a pattern that ends with `$` has its place given.
bool Pattern::matches(std::string_view text) const {
  size_t at = 0;
  for (size_t index = 0; index != parts_.size(); ++index) {
    const std::string &part = parts_[index];
    bool first = index == 0, last = index + 1 == parts_.size();
    if (first && last && atBeginning_ && atEnd_) return text == part;
    if (last && atEnd_) return text.size() >= at + part.size() && text.ends_with(part);
    size_t found = text.find(part, at);
    if (found == std::string_view::npos) return false;
    if (first && atBeginning_ && found != 0) return false;
    at = found + part.size();
  }
  return true;
}

} // namespace deadheat::finding
