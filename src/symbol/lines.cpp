#include "symbol/lines.h"

#include <algorithm>

#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/Object/ObjectFile.h"

namespace deadheat::symbol {
namespace {

using FileKind = llvm::DILineInfoSpecifier::FileLineInfoKind;

bool isFile(llvm::StringRef path, llvm::StringRef wanted) {
  return path.ends_with(wanted) && (path.size() == wanted.size() || path.drop_back(wanted.size()).ends_with("/"));
}

// Rows of a table follow each other in memory until the end of their sequence.
void addRanges(const llvm::DWARFDebugLine::LineTable &table, llvm::StringRef folder, llvm::StringRef file,
               uint32_t line, std::vector<AddressRange> &ranges) {
  for (size_t index = 0; index + 1 < table.Rows.size(); ++index) {
    const auto &row = table.Rows[index], &next = table.Rows[index + 1];
    std::string path;
    if (row.EndSequence || row.Line != line || next.Address.Address <= row.Address.Address) continue;
    if (!table.getFileNameByIndex(row.File, folder, FileKind::AbsoluteFilePath, path) || !isFile(path, file)) continue;
    ranges.push_back({row.Address.Address, next.Address.Address});
  }
}

} // namespace

Expected<std::vector<AddressRange>> rangesOfLine(const std::string &binary, const std::string &file, uint32_t line) {
  auto opened = llvm::object::ObjectFile::createObjectFile(binary);
  if (!opened) return fail(binary + ": " + llvm::toString(opened.takeError()), "name a program");
  auto context = llvm::DWARFContext::create(
      *opened->getBinary(), llvm::DWARFContext::ProcessDebugRelocations::Process, nullptr, "",
      [](llvm::Error error) { llvm::consumeError(std::move(error)); },
      [](llvm::Error error) { llvm::consumeError(std::move(error)); });
  std::vector<AddressRange> ranges;
  for (const auto &unit : context->compile_units()) {
    const char *folder = unit->getCompilationDir();
    if (const auto *table = context->getLineTableForUnit(unit.get()))
      addRanges(*table, folder ? folder : "", file, line, ranges);
  }
  std::ranges::sort(ranges);
  ranges.erase(std::ranges::unique(ranges).begin(), ranges.end());
  return ranges;
}

} // namespace deadheat::symbol
