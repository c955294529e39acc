#include "driver/output_file.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

namespace deadheat::driver {

static std::unexpected<Error> refuse(const std::string &path, const std::error_code &error, const char *option) {
  return fail(path + ": " + error.message(), std::string("name a file that can be written after ") + option);
}

Expected<void> checkWritable(const std::string &path, const char *option) {
  namespace fs = llvm::sys::fs;
  if (path.empty() || path == "-") return {};
  llvm::StringRef folder = llvm::sys::path::parent_path(path);
  if (folder.empty()) folder = ".";
  std::error_code error = fs::access(fs::exists(path) ? llvm::StringRef(path) : folder, fs::AccessMode::Write);
  if (!error && !fs::is_directory(folder)) error = std::make_error_code(std::errc::not_a_directory);
  if (fs::is_directory(path)) error = std::make_error_code(std::errc::is_a_directory);
  if (error) return refuse(path, error, option);
  return {};
}

Expected<void> writeWith(const std::string &path, llvm::function_ref<void(llvm::raw_ostream &)> write,
                         const char *option) {
  std::error_code error;
  llvm::raw_fd_ostream out(path, error);
  if (error) return refuse(path, error, option);
  write(out);
  out.close();
  if (!out.has_error()) return {};
  error = out.error();
  out.clear_error();
  return refuse(path, error, option);
}

Expected<void> writeText(const std::string &path, std::string_view text, const char *option) {
  return writeWith(path, [&](llvm::raw_ostream &out) { out << text; }, option);
}

} // namespace deadheat::driver
