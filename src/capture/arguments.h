// The words of a command line, each with what clang's table of options says it is.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "llvm/Option/Arg.h"
#include "llvm/Option/ArgList.h"

namespace deadheat::capture {

llvm::opt::InputArgList parseArguments(const std::vector<std::string> &arguments);

// Every argument in order, with its own words: one, or two where its value stands apart.
using ArgumentVisitor = std::function<void(const llvm::opt::Arg &argument, const std::vector<std::string> &words)>;
void visitArguments(const llvm::opt::InputArgList &parsed, const std::vector<std::string> &arguments,
                    const ArgumentVisitor &visit);

} // namespace deadheat::capture
