#include "link/gaps.h"

#include <algorithm>

namespace deadheat::link {

namespace {

struct GapText {
  std::string_view name;
  std::string_view sentence;
};

constexpr GapText kTexts[] = {
#define GAP(name, text, sentence) {text, sentence},
#include "link/gaps.def"
};

} // namespace

std::string_view name(GapKind kind) { return kTexts[static_cast<size_t>(kind)].name; }
std::string_view sentence(GapKind kind) { return kTexts[static_cast<size_t>(kind)].sentence; }

size_t Gaps::count(GapKind kind) const {
  return std::count_if(list_.begin(), list_.end(), [&](const Gap &gap) { return gap.kind == kind; });
}

} // namespace deadheat::link
