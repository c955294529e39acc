// Reading a file, with the ways in which it may not be there told in our words.
#pragma once

#include <memory>
#include <string>

#include "llvm/Support/MemoryBuffer.h"

#include "support/error.h"

namespace deadheat {

// The bytes of a file, mapped where that pays. An empty file, a directory and a missing file are Errors.
Expected<std::unique_ptr<llvm::MemoryBuffer>> readFile(const std::string &path);

} // namespace deadheat
