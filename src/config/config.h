// deadheat.toml: what users tell of their own locks, threads and allocators (docs/user/configuration.md).
//
// Claim   A text is a Config, or an Error that begins with file and line. A word that is not known is an Error: a mistyped
//         one must not be a lock that nobody sees.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "knowledge/table.h"
#include "support/error.h"

namespace deadheat::config {

inline constexpr char kFileName[] = "deadheat.toml";

struct NamedRow {
  std::string name; // a `*` at its end: all names that begin so
  knowledge::Row row;
};

struct Config {
  std::vector<NamedRow> rows;
  std::optional<knowledge::Program> program; // empty: to be seen from the program

  knowledge::Table table(knowledge::Program found) const;
};

// The named file; without a name, deadheat.toml if there is one.
Expected<Config> readConfig(const std::string &path);

Expected<Config> parseConfig(const std::string &text, const std::string &name);

} // namespace deadheat::config
