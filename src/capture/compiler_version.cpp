#include "capture/compiler_version.h"

#include <sys/mman.h>
#include <unistd.h>

#include "llvm/ADT/StringRef.h"

#include "capture/process.h"

namespace deadheat::capture {

std::string compilerVersion(const std::vector<std::string> &compiler) {
  std::vector<std::string> command = compiler;
  command.push_back("-dumpversion");
  int output = memfd_create("version", MFD_CLOEXEC);
  if (output < 0) return {};
  char text[64];
  ssize_t length = 0;
  if (Expected<Ending> ending = runChild(command, {kInherit, output, kInherit}); ending && ending->passed())
    length = pread(output, text, sizeof text, 0);
  close(output);
  return length > 0 ? llvm::StringRef(text, length).trim().str() : std::string();
}

} // namespace deadheat::capture
