// One table of deadheat.toml, read key by key; what is wrong is told with file and line.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#define TOML_EXCEPTIONS 0
#define TOML_HEADER_ONLY 1
#include <toml++/toml.h>

#include "llvm/ADT/StringSet.h"

#include "support/error.h"

namespace deadheat::config {

// Of all faults, the first in the file: the table is not in the file's order.
class Faults {
public:
  explicit Faults(std::string file) : file_(std::move(file)) {}
  void add(const toml::source_region &where, const std::string &what, const std::string &hint);
  const std::optional<Error> &first() const { return first_; }

private:
  std::string file_;
  toml::source_position place_;
  std::optional<Error> first_;
};

template <typename Value> struct Choice {
  std::string_view name;
  Value value;
};

class Section {
public:
  Section(std::string_view name, const toml::table &table, Faults &faults)
      : name_(name), table_(table), faults_(faults) {}

  std::vector<std::string> names(const std::string &key);   // a text or a list of texts; none if it is not there
  signed char argument(const char *key, signed char other); // an index; `other` if it is not there
  signed char place(const char *key, signed char other);    // an index, or "result"
  bool flag(const char *key);

  template <typename Value> Value choice(const char *key, std::span<const Choice<Value>> choices, Value other) {
    std::vector<std::string_view> known;
    for (const Choice<Value> &choice : choices) known.push_back(choice.name);
    std::optional<size_t> chosen = choiceAmong(key, known);
    return chosen ? choices[*chosen].value : other;
  }

  void demand(std::vector<const char *> oneOf) { demands_.push_back(std::move(oneOf)); }

  // Faults for keys that nobody asked for or, if there are none, for what is missing: of a mistyped key, the cause.
  void finish();

private:
  const toml::node *take(const std::string &key);
  void fault(const toml::node &node, const std::string &key, const std::string &what);
  std::optional<size_t> choiceAmong(const char *key, std::span<const std::string_view> known);

  std::string_view name_;
  const toml::table &table_;
  Faults &faults_;
  llvm::StringSet<> asked_;
  std::vector<std::vector<const char *>> demands_; // of each, one key must be there
};

} // namespace deadheat::config
