#include "ir/system_code.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"

namespace deadheat::ir {

namespace {

constexpr llvm::StringRef kSystemFolders[] = {"/usr/include", "/usr/lib", "/usr/local/include", "/opt/rh"};

bool isBelow(llvm::StringRef path, llvm::StringRef folder) {
  return path.consume_front(folder) && (path.empty() || path.starts_with("/"));
}

bool isLibraryFile(const llvm::DIFile *file, llvm::StringRef compileDirectory) {
  if (!file) return false;
  llvm::SmallString<256> path(file->getFilename());
  if (!llvm::sys::path::is_absolute(path)) {
    path = file->getDirectory();
    llvm::sys::path::append(path, file->getFilename());
  }
  if (compileDirectory.size() > 1 && isBelow(path, compileDirectory)) return false;
  return llvm::any_of(kSystemFolders, [&](llvm::StringRef folder) { return isBelow(path, folder); });
}

} // namespace

bool isLibraryCode(const llvm::DISubprogram &subprogram) {
  return isLibraryFile(subprogram.getFile(), subprogram.getUnit() ? subprogram.getUnit()->getDirectory() : "");
}

bool isLibraryFunction(const llvm::Function &function) {
  const llvm::DISubprogram *subprogram = function.getSubprogram();
  return subprogram && isLibraryCode(*subprogram);
}

} // namespace deadheat::ir
