#include "ir/library_calls.h"

#include <algorithm>
#include <tuple>
#include <vector>

#include "llvm/IR/Function.h"

namespace deadheat::ir {

static std::vector<LibraryAccess> sorted() {
  std::vector<LibraryAccess> rows = {
#define WRITES(function, argument, length) {#function, argument, length, true},
#define RELINKS(function, argument, bytes) {#function, argument, kText, true, bytes},
#define READS(function, argument, length) {#function, argument, length, false},
#include "ir/library_calls.def"
  };
  std::ranges::sort(rows, {},
                    [](const LibraryAccess &row) { return std::tuple(row.function, !row.isWrite, row.argument); });
  return rows;
}

std::span<const LibraryAccess> libraryAccesses(const llvm::CallBase &call) {
  const llvm::Function *callee = call.getCalledFunction();
  if (!callee || !callee->isDeclaration()) return {};
  static const std::vector<LibraryAccess> rows = sorted();
  auto found = std::ranges::equal_range(rows, std::string_view(callee->getName()), {}, &LibraryAccess::function);
  return {found.begin(), found.end()};
}

} // namespace deadheat::ir
