// Results that go to a file the user named; `-` is standard output.
#pragma once

#include <string>
#include <string_view>

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/raw_ostream.h"

#include "support/error.h"

namespace deadheat::driver {

// A program may run for hours: a name that cannot be written is told before. The file is not touched, for there may be
// nothing to write in the end. An empty name is no file, and fine. `option` is what the hint names: "--json".
Expected<void> checkWritable(const std::string &path, const char *option);

Expected<void> writeWith(const std::string &path, llvm::function_ref<void(llvm::raw_ostream &)> write,
                         const char *option);
Expected<void> writeText(const std::string &path, std::string_view text, const char *option);

} // namespace deadheat::driver
