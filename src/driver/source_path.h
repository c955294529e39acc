// How findings name source files.
#pragma once

#include <string>
#include <string_view>

namespace deadheat::driver {

// Relative to the working directory where it lies below it, else whole and without detours. `directory` is where the
// compiler ran: a relative name starts there.
std::string shownPath(std::string_view file, std::string_view directory);

// Not the user's own: the compiler's, the system's or a packaged library's.
bool isLibraryFile(std::string_view file);

} // namespace deadheat::driver
