// What findings.json and people call the kinds and levels.
#pragma once

#include <iterator>
#include <optional>
#include <string_view>

#include "finding/finding.h"

namespace deadheat::finding {

struct KindRow {
  std::string_view name;
  std::string_view prefix;
  std::string_view title;
  std::string_view meaning;
  std::string_view remedy;
};

struct LevelRow {
  std::string_view name;
  std::string_view meaning;
};

inline constexpr KindRow kKinds[] = {
#define KIND(name, text, prefix, title, meaning, remedy) {text, prefix, title, meaning, remedy},
#include "finding/kinds.def"
#undef KIND
};

inline constexpr LevelRow kLevels[] = {
#define LEVEL(name, text, meaning) {text, meaning},
#include "finding/levels.def"
#undef LEVEL
};

constexpr const KindRow &row(Kind kind) { return kKinds[static_cast<size_t>(kind)]; }
constexpr const LevelRow &row(Level level) { return kLevels[static_cast<size_t>(level)]; }
constexpr std::string_view name(Kind kind) { return row(kind).name; }
constexpr std::string_view name(Level level) { return row(level).name; }

template <typename Enum, typename Row, size_t Count>
constexpr std::optional<Enum> findByName(const Row (&rows)[Count], std::string_view name) {
  for (size_t index = 0; index != Count; ++index)
    if (rows[index].name == name) return static_cast<Enum>(index);
  return std::nullopt;
}

constexpr std::optional<Kind> kindNamed(std::string_view name) { return findByName<Kind>(kKinds, name); }
constexpr std::optional<Level> levelNamed(std::string_view name) { return findByName<Level>(kLevels, name); }

} // namespace deadheat::finding
