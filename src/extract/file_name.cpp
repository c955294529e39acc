#include "extract/file_name.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"

namespace deadheat::extract {

std::string fileName(const llvm::DIFile *file, llvm::StringRef compileDirectory) {
  if (!file) return {};
  llvm::StringRef name = file->getFilename(), folder = file->getDirectory();
  if (llvm::sys::path::is_absolute(name) || folder.empty() || folder == compileDirectory) return name.str();
  llvm::SmallString<256> path(folder);
  llvm::sys::path::append(path, name);
  return path.str().str();
}

} // namespace deadheat::extract
