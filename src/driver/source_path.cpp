#include "driver/source_path.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace deadheat::driver {

namespace path = llvm::sys::path;

std::string shownPath(std::string_view file, std::string_view directory) {
  if (file.empty()) return {};
  llvm::SmallString<256> whole(file), here;
  if (!path::is_absolute(whole)) {
    whole = directory;
    path::append(whole, file);
  }
  path::remove_dots(whole, /*remove_dot_dot=*/true);
  if (llvm::sys::fs::current_path(here)) return std::string(whole);
  llvm::StringRef rest = whole;
  if (rest.consume_front(here) && rest.consume_front("/")) return rest.str();
  return std::string(whole);
}

bool isLibraryFile(std::string_view file) {
  constexpr llvm::StringLiteral kFolders[] = {"/usr/include/", "/usr/lib/", "/usr/local/include/", "/usr/local/lib/"};
  llvm::StringRef name = file;
  return llvm::any_of(kFolders, [&](llvm::StringRef folder) { return name.starts_with(folder); }) ||
         name.contains("/lib/clang/") || name.contains("/include/c++/");
}

} // namespace deadheat::driver
