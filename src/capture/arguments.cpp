#include "capture/arguments.h"

#include <algorithm>

#include "clang/Driver/Options.h"
#include "llvm/Option/OptTable.h"

namespace deadheat::capture {

llvm::opt::InputArgList parseArguments(const std::vector<std::string> &arguments) {
  std::vector<const char *> words;
  for (const std::string &argument : arguments) words.push_back(argument.c_str());
  unsigned missingIndex = 0, missingCount = 0;
  return clang::driver::getDriverOptTable().ParseArgs(words, missingIndex, missingCount,
                                                      llvm::opt::Visibility(clang::driver::options::ClangOption));
}

void visitArguments(const llvm::opt::InputArgList &parsed, const std::vector<std::string> &arguments,
                    const ArgumentVisitor &visit) {
  std::vector<const llvm::opt::Arg *> list(parsed.begin(), parsed.end());
  unsigned next = 0;
  for (size_t i = 0; i < list.size(); ++i) {
    unsigned end = i + 1 < list.size() ? list[i + 1]->getIndex() : static_cast<unsigned>(arguments.size());
    end = std::max(next, end);
    visit(*list[i], {arguments.begin() + next, arguments.begin() + end});
    next = end;
  }
}

} // namespace deadheat::capture
