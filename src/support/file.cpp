#include "support/file.h"

#include "llvm/Support/FileSystem.h"

namespace deadheat {

Expected<std::unique_ptr<llvm::MemoryBuffer>> readFile(const std::string &path) {
  if (llvm::sys::fs::is_directory(path)) return fail(path + ": it is a directory", "name a file");
  // No terminating zero: files whose size is a multiple of a page can be mapped then.
  auto file = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (std::error_code error = file.getError())
    return fail(path + ": it cannot be read: " + error.message(), "check the name and the permissions");
  if ((*file)->getBufferSize() == 0) return fail(path + ": it is empty", "build it again");
  return std::move(*file);
}

} // namespace deadheat
