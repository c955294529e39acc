#include "symbol/elf.h"

#include <algorithm>
#include <functional>

#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Object/Archive.h"
#include "llvm/Object/BuildID.h"
#include "llvm/Object/Decompressor.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/MemoryBuffer.h"

#include "support/file.h"

namespace deadheat::symbol {
namespace {

using llvm::file_magic;
using llvm::object::Archive;
using llvm::object::ObjectFile;
using llvm::object::SectionRef;

// A compressed section that claims more than this is damaged.
constexpr uint64_t kMaxSectionSize = 4ull << 30;

using Visit = std::function<llvm::Error(const ObjectFile &)>;

bool isElfMagic(file_magic magic) { return magic >= file_magic::elf && magic <= file_magic::elf_core; }

llvm::Error visitObject(llvm::MemoryBufferRef bytes, const Visit &visit) {
  auto object = ObjectFile::createELFObjectFile(bytes);
  if (!object) return object.takeError();
  return visit(**object);
}

// Members that are no ELF (a note, bitcode) are not part of what a linker would take from here.
llvm::Error visitArchive(llvm::MemoryBufferRef bytes, const Visit &visit) {
  auto archive = Archive::create(bytes);
  if (!archive) return archive.takeError();
  llvm::Error iteration = llvm::Error::success();
  llvm::Error inside = llvm::Error::success();
  for (const Archive::Child &child : (*archive)->children(iteration)) {
    auto member = child.getMemoryBufferRef();
    if (!member)
      inside = joinErrors(std::move(inside), member.takeError());
    else if (isElfMagic(llvm::identify_magic(member->getBuffer())))
      inside = joinErrors(std::move(inside), visitObject(*member, visit));
  }
  return joinErrors(std::move(iteration), std::move(inside));
}

llvm::Error visitBytes(llvm::MemoryBufferRef bytes, const Visit &visit) {
  bool isArchive = llvm::identify_magic(bytes.getBuffer()) == file_magic::archive;
  return isArchive ? visitArchive(bytes, visit) : visitObject(bytes, visit);
}

// LLVM's words may hold many lines; ours are one.
Error damaged(const std::string &path, llvm::Error error) {
  std::string why = llvm::toString(std::move(error));
  std::replace(why.begin(), why.end(), '\n', ' ');
  return {path + ": it is damaged (" + why + ")", "build it again"};
}

Expected<void> visitFile(const std::string &path, const Visit &visit) {
  auto file = readFile(path);
  if (!file) return std::unexpected(file.error());
  llvm::MemoryBufferRef bytes = (*file)->getMemBufferRef();
  if (llvm::identify_magic(bytes.getBuffer()) == file_magic::bitcode)
    return fail(path + ": it is LLVM bitcode (-flto)", "name the program that was linked from it");
  if (!isElf(bytes.getBuffer()))
    return fail(path + ": it is not an ELF file", "name a program, a library or an object");
  if (llvm::Error error = visitBytes(bytes, visit)) return std::unexpected(damaged(path, std::move(error)));
  return {};
}

llvm::Error appendContents(const SectionRef &section, bool is64Bit, std::vector<uint8_t> &bytes) {
  auto contents = section.getContents();
  if (!contents) return contents.takeError();
  if (!section.isCompressed()) {
    bytes.insert(bytes.end(), contents->bytes_begin(), contents->bytes_end());
    return llvm::Error::success();
  }
  auto name = section.getName();
  if (!name) return name.takeError();
  auto decompressor =
      llvm::object::Decompressor::create(*name, *contents, section.getObject()->isLittleEndian(), is64Bit);
  if (!decompressor) return decompressor.takeError();
  uint64_t size = decompressor->getDecompressedSize();
  if (size > kMaxSectionSize)
    return llvm::createStringError("section " + *name + " claims to hold " + llvm::Twine(size) + " bytes");
  llvm::SmallVector<uint8_t, 0> raw;
  if (llvm::Error error = decompressor->resizeAndDecompress(raw)) return error;
  bytes.insert(bytes.end(), raw.begin(), raw.end());
  return llvm::Error::success();
}

llvm::Error appendSections(const ObjectFile &object, llvm::StringRef wanted, std::vector<uint8_t> &bytes) {
  for (const SectionRef &section : object.sections()) {
    auto name = section.getName();
    if (!name) return name.takeError();
    if (*name != wanted) continue;
    if (llvm::Error error = appendContents(section, object.getBytesInAddress() == 8, bytes)) return error;
  }
  return llvm::Error::success();
}

} // namespace

bool isElf(std::string_view bytes) {
  file_magic magic = llvm::identify_magic(bytes);
  return isElfMagic(magic) || magic == file_magic::archive;
}

bool isShared(const std::string &path) {
  file_magic magic;
  return !llvm::identify_magic(path, magic) && magic == file_magic::elf_shared_object;
}

Expected<std::vector<uint8_t>> readSection(const std::string &path, const std::string &name) {
  std::vector<uint8_t> bytes;
  auto visited = visitFile(path, [&](const ObjectFile &object) { return appendSections(object, name, bytes); });
  if (!visited) return std::unexpected(visited.error());
  return bytes;
}

Expected<std::string> buildId(const std::string &path) {
  std::string id;
  auto visited = visitFile(path, [&](const ObjectFile &object) {
    id = llvm::toHex(llvm::object::getBuildID(&object), /*LowerCase=*/true);
    return llvm::Error::success();
  });
  if (!visited) return std::unexpected(visited.error());
  return id;
}

} // namespace deadheat::symbol
