#include "ir/library_calls.h"

#include <algorithm>
#include <span>
#include <tuple>
#include <vector>

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"

#include "ir/formats.h"

namespace deadheat::ir {

namespace {

// Where a function has its format, and the first argument that it is about.
struct Format {
  std::string_view function;
  unsigned format;
  unsigned first;
  bool scans;
};

template <typename Row> std::span<const Row> rowsOf(const std::vector<Row> &rows, std::string_view function) {
  auto found = std::ranges::equal_range(rows, function, {}, &Row::function);
  return {found.begin(), found.end()};
}

std::vector<LibraryAccess> sortedAccesses() {
  std::vector<LibraryAccess> rows = {
#define WRITES(function, argument, length) {#function, argument, length, true},
#define RELINKS(function, argument, bytes) {#function, argument, {}, true, bytes},
#define READS(function, argument, length) {#function, argument, length, false},
#define PRINTS(function, format, first) {#function, format, kText, false},
#define SCANS(function, format, first) {#function, format, kText, false},
#include "ir/library_calls.def"
  };
  std::ranges::sort(rows, {},
                    [](const LibraryAccess &row) { return std::tuple(row.function, !row.isWrite, row.argument); });
  return rows;
}

std::vector<Format> sortedFormats() {
  std::vector<Format> rows = {
#define WRITES(function, argument, length)
#define RELINKS(function, argument, bytes)
#define READS(function, argument, length)
#define PRINTS(function, format, first) {#function, format, first, false},
#define SCANS(function, format, first) {#function, format, first, true},
#include "ir/library_calls.def"
  };
  std::ranges::sort(rows, {}, &Format::function);
  return rows;
}

bool isPointer(const llvm::CallBase &call, unsigned argument) {
  return argument < call.arg_size() && call.getArgOperand(argument)->getType()->isPointerTy() &&
         !llvm::isa<llvm::ConstantPointerNull>(call.getArgOperand(argument));
}

} // namespace

llvm::SmallVector<LibraryAccess, 2> libraryAccesses(const llvm::CallBase &call) {
  const llvm::Function *callee = call.getCalledFunction();
  llvm::SmallVector<LibraryAccess, 2> found;
  if (!callee || !callee->isDeclaration()) return found;
  static const std::vector<LibraryAccess> accesses = sortedAccesses();
  static const std::vector<Format> formats = sortedFormats();
  for (const LibraryAccess &row : rowsOf(accesses, callee->getName()))
    if (isPointer(call, row.argument)) found.push_back(row);
  for (const Format &row : rowsOf(formats, callee->getName())) {
    llvm::StringRef text;
    if (row.format >= call.arg_size() || !llvm::getConstantStringInfo(call.getArgOperand(row.format), text)) continue;
    for (unsigned argument : row.scans ? scanned(text) : printed(text))
      if (isPointer(call, row.first + argument))
        found.push_back({row.function, row.first + argument, kText, row.scans});
  }
  return found;
}

} // namespace deadheat::ir
