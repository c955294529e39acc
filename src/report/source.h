// Lines of the user's source, for excerpts. Sources that cannot be read are no error: the report does without them.
//
// Assumes files are named relative to `root` or absolutely, and have not changed since the program was built.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "llvm/Support/MemoryBuffer.h"

#include "finding/finding.h"

namespace deadheat::report {

struct Excerpt {
  std::string line;  // tabs are blanks, control characters are escaped
  std::string caret; // blanks and a ^ below the column; empty if the column is not known
};

class Sources {
public:
  explicit Sources(std::string root = ".") : root_(std::move(root)) {}

  std::optional<Excerpt> excerpt(const finding::Place &place);

private:
  struct File {
    std::unique_ptr<llvm::MemoryBuffer> bytes; // null: cannot be read
    std::vector<llvm::StringRef> lines;
  };

  const File &load(const std::string &name);

  std::string root_;
  std::map<std::string, File> files_;
};

} // namespace deadheat::report
