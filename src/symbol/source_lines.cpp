#include "symbol/source_lines.h"

#include "llvm/DebugInfo/Symbolize/Symbolize.h"

namespace deadheat::symbol {
namespace {

using llvm::DILineInfo;
using llvm::object::SectionedAddress;
using llvm::symbolize::LLVMSymbolizer;

// Names as the linker has them, demangled, which is how models have them; but from debug information only: the symbol table
// has an answer for every address, also for those of other files.
LLVMSymbolizer::Options options() {
  LLVMSymbolizer::Options options;
  options.UseSymbolTable = false;
  return options;
}

// What the reader says where it knows nothing.
std::string known(const std::string &text) { return text == DILineInfo::BadString ? std::string() : text; }

} // namespace

struct LineReader::Reader {
  LLVMSymbolizer symbolizer{options()};
};

LineReader::LineReader() : reader_(std::make_unique<Reader>()) {}
LineReader::~LineReader() = default;

std::vector<SourceFrame> LineReader::frames(const std::string &path, uint64_t address) {
  auto found =
      reader_->symbolizer.symbolizeInlinedCode(path, SectionedAddress{address, SectionedAddress::UndefSection});
  if (!found) {
    llvm::consumeError(found.takeError());
    return {};
  }
  std::vector<SourceFrame> frames;
  for (uint32_t index = 0; index != found->getNumberOfFrames(); ++index) {
    const DILineInfo &info = found->getFrame(index);
    frames.push_back({known(info.FunctionName), known(info.FileName), info.Line, info.Column});
  }
  bool unknown = frames.size() == 1 && frames.front().function.empty() && frames.front().file.empty();
  return unknown ? std::vector<SourceFrame>() : frames;
}

std::string LineReader::variable(const std::string &path, uint64_t address) {
  auto found = reader_->symbolizer.symbolizeData(path, SectionedAddress{address, SectionedAddress::UndefSection});
  if (!found) {
    llvm::consumeError(found.takeError());
    return {};
  }
  // A symbol without a size stretches to the next one.
  bool inside = found->Size == 0 ? address == found->Start : address - found->Start < found->Size;
  return inside ? known(found->Name) : std::string();
}

} // namespace deadheat::symbol
