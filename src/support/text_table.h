// Columns of text, as wide as their widest cell. What a cell cannot show on one line (control characters) is escaped,
// so that a name from a stranger's binary cannot rewrite the reader's terminal.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "llvm/Support/raw_ostream.h"

namespace deadheat {

std::string printable(std::string_view text);

class TextTable {
public:
  enum class Align { Left, Right };

  explicit TextTable(std::vector<Align> columns) : columns_(std::move(columns)) {}

  // As many cells as there are columns.
  void add(std::vector<std::string> cells);
  void print(llvm::raw_ostream &out, std::string_view indent) const;

private:
  std::vector<Align> columns_;
  std::vector<std::vector<std::string>> rows_;
};

} // namespace deadheat
