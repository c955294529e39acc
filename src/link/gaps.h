// What the model of the program could not hold: counted by kind, with the places, shown in the report.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace deadheat::link {

enum class GapKind : uint8_t {
#define GAP(name, text, sentence) name,
#include "link/gaps.def"
};

struct Gap {
  GapKind kind;
  std::string_view file; // belongs to a unit; empty: not at one place
  uint32_t line = 0;
  std::string detail;
};

std::string_view name(GapKind kind);     // as in findings.json
std::string_view sentence(GapKind kind); // for a person

class Gaps {
public:
  void add(GapKind kind, std::string_view file, uint32_t line, std::string detail) {
    list_.push_back({kind, file, line, std::move(detail)});
  }
  const std::vector<Gap> &list() const { return list_; }
  size_t count(GapKind kind) const;

private:
  std::vector<Gap> list_;
};

} // namespace deadheat::link
