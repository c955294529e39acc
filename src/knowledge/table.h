// The rows of sync_api.h, and users' own, by name.
//
// Claim   find() gives the row that stands for a name in this kind of program: users' rows before built-in ones, a whole
//         name before a prefix, a longer prefix before a shorter one.
// Cost    one hash and, for a name that has no row of its own, one comparison per prefix (a dozen).
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "llvm/ADT/StringMap.h"

#include "knowledge/sync_api.h"

namespace deadheat::knowledge {

// Hosted programs have libraries; a kernel has its own functions only.
enum class Program { Hosted, Kernel };

class Table {
public:
  explicit Table(Program program = Program::Hosted);
  Table(Table &&) = default;
  Table &operator=(Table &&) = default;

  // A later row for the same name replaces an earlier one. A `*` at the end of the name makes it a prefix.
  void add(std::string_view name, Row row);

  const Row *find(std::string_view name) const; // null: nothing is known of it

private:
  void insert(Row row);

  std::deque<std::string> names_; // of users' rows: a deque, so that they stay where they are
  llvm::StringMap<Row> rows_;
  std::vector<Row> prefixes_; // longest first; users' before built-in ones of the same length
};

// For messages and the page of all rows.
std::string_view nameOf(Action action);
std::string_view sentenceOf(Action action);
std::string_view nameOf(Kind kind);
std::string_view nameOf(Context context);

} // namespace deadheat::knowledge
