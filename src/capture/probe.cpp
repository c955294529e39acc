#include "capture/probe.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Path.h"

namespace deadheat::capture {

using llvm::StringRef;

static constexpr StringRef kFilePrefixes[] = {"conftest", "conftstm", "cmTC_"};
static constexpr StringRef kDirectories[] = {"CMakeScratch", "CMakeTmp", "meson-private", ".sconf_temp"};
static constexpr StringRef kDirectoryPrefixes[] = {"CompilerId", "_CMakeLTOTest-", ".conf_check_", "ffconf."};

// kbuild's scratch folder carries a process number; its real outputs, such as .tmp_vmlinux.o, do not.
static bool isKbuildScratch(StringRef name) {
  return name.consume_front(".tmp_") && !name.empty() && llvm::all_of(name, llvm::isDigit);
}

static bool isProbeDirectory(StringRef path) {
  for (StringRef name : llvm::make_range(llvm::sys::path::begin(path), llvm::sys::path::end(path)))
    if (llvm::is_contained(kDirectories, name) || isKbuildScratch(name) ||
        llvm::any_of(kDirectoryPrefixes, [&](StringRef prefix) { return name.starts_with(prefix); }))
      return true;
  return false;
}

static bool isProbeFile(StringRef path) {
  if (path == "/dev/null") return true;
  StringRef name = llvm::sys::path::filename(path);
  return llvm::any_of(kFilePrefixes, [&](StringRef prefix) { return name.starts_with(prefix); }) ||
         isProbeDirectory(llvm::sys::path::parent_path(path));
}

// mktemp's own names: a script that pipes a source into one looks at the result and forgets it.
static bool isScratch(StringRef path) { return path == "-" || llvm::sys::path::filename(path).starts_with("tmp."); }

bool isProbe(const CommandLine &commandLine, const std::string &workingDirectory) {
  if (commandLine.readsStandardInput() && isScratch(commandLine.output)) return true;
  return isProbeFile(commandLine.output) || isProbeDirectory(workingDirectory) ||
         llvm::any_of(commandLine.inputs, [](const Input &input) { return isProbeFile(input.name); });
}

} // namespace deadheat::capture
