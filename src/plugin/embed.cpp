#include "plugin/embed.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"
#include "llvm/TargetParser/Triple.h"

#include "model/frame.h"

namespace deadheat::plugin {

namespace {

constexpr size_t kBytesPerLine = 512; // some assemblers dislike very long lines

void appendEscaped(std::string &text, unsigned char byte) {
  if (llvm::isAlnum(static_cast<char>(byte))) {
    text += static_cast<char>(byte);
    return;
  }
  text += '\\';
  for (int shift : {6, 3, 0}) text += static_cast<char>('0' + ((byte >> shift) & 7));
}

} // namespace

void embedInObject(llvm::Module &module, const std::string &frame) {
  if (!llvm::Triple(module.getTargetTriple()).isOSBinFormatELF()) return;
  std::string text;
  text.reserve(frame.size() * 3);
  text += "\t.pushsection ";
  text += model::kSectionName;
  text += ",\"\",%progbits\n\t.p2align 3\n";
  for (size_t begin = 0; begin < frame.size(); begin += kBytesPerLine) {
    text += "\t.ascii \"";
    for (unsigned char byte : llvm::StringRef(frame).substr(begin, kBytesPerLine)) appendEscaped(text, byte);
    text += "\"\n";
  }
  text += "\t.popsection\n";
  module.appendModuleInlineAsm(text);
}

Expected<void> writeToDirectory(const llvm::Module &module, const std::string &frame, const std::string &directory) {
  llvm::SmallString<128> absolute(module.getSourceFileName());
  llvm::sys::fs::make_absolute(absolute);
  llvm::StringRef stem = llvm::sys::path::filename(absolute);
  std::string name =
      stem.str() + "-" + llvm::utohexstr(llvm::xxh3_64bits(absolute.str()), /*LowerCase=*/true, /*Width=*/16);
  llvm::SmallString<128> path(directory);
  if (std::error_code error = llvm::sys::fs::create_directories(path)) return fail(directory, error.message());
  llvm::sys::path::append(path, name + model::kFileSuffix);
  llvm::Error error = llvm::writeToOutput(path, [&](llvm::raw_ostream &out) {
    out << frame;
    return llvm::Error::success();
  });
  if (error) return fail(path.str().str(), llvm::toString(std::move(error)));
  return {};
}

} // namespace deadheat::plugin
