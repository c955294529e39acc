#include "support/text_table.h"

#include <algorithm>

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Unicode.h"

#include "support/error.h"

namespace deadheat {
namespace {

bool isControl(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

size_t width(const std::string &cell) {
  int columns = llvm::sys::unicode::columnWidthUTF8(cell);
  return columns < 0 ? cell.size() : static_cast<size_t>(columns); // not UTF-8: one column per byte
}

} // namespace

std::string printable(std::string_view text) {
  std::string result;
  for (char c : text) {
    if (isControl(c))
      result += "\\x" + llvm::utohexstr(static_cast<unsigned char>(c), /*LowerCase=*/true, /*Width=*/2);
    else
      result += c;
  }
  return result;
}

void TextTable::add(std::vector<std::string> cells) {
  DEADHEAT_CHECK(cells.size() == columns_.size());
  for (std::string &cell : cells) cell = printable(cell);
  rows_.push_back(std::move(cells));
}

void TextTable::print(llvm::raw_ostream &out, std::string_view indent) const {
  std::vector<size_t> widths(columns_.size());
  for (const auto &row : rows_)
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width(row[i]));
  for (const auto &row : rows_) {
    std::string line(indent);
    for (size_t i = 0; i < row.size(); ++i) {
      std::string padding(widths[i] - width(row[i]), ' ');
      line += columns_[i] == Align::Right ? padding + row[i] : row[i] + padding;
      line += "  ";
    }
    out << llvm::StringRef(line).rtrim(' ') << '\n';
  }
}

} // namespace deadheat
