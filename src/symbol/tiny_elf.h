// The smallest ELF files that make a point, for tests.
#pragma once

#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "llvm/ADT/SmallString.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

namespace deadheat::symbol {

template <typename T> std::string raw(const T &value) {
  return std::string(reinterpret_cast<const char *>(&value), sizeof(value));
}

inline llvm::ELF::Elf64_Ehdr elfHeader(uint16_t type) {
  llvm::ELF::Elf64_Ehdr header = {};
  std::memcpy(header.e_ident, llvm::ELF::ElfMagic, 4);
  header.e_ident[llvm::ELF::EI_CLASS] = llvm::ELF::ELFCLASS64;
  header.e_ident[llvm::ELF::EI_DATA] = llvm::ELF::ELFDATA2LSB;
  header.e_ident[llvm::ELF::EI_VERSION] = llvm::ELF::EV_CURRENT;
  header.e_type = type;
  header.e_machine = llvm::ELF::EM_X86_64;
  header.e_version = llvm::ELF::EV_CURRENT;
  header.e_ehsize = sizeof(llvm::ELF::Elf64_Ehdr);
  return header;
}

struct Segment {
  uint32_t type;
  std::string bytes;
};

// Where the bytes of the first of `count` segments begin, in the file and in memory.
constexpr uint64_t firstSegment(size_t count) {
  return sizeof(llvm::ELF::Elf64_Ehdr) + count * sizeof(llvm::ELF::Elf64_Phdr);
}

// A program made of segments only, each at the address that is its place in the file.
inline std::string program(const std::vector<Segment> &segments) {
  llvm::ELF::Elf64_Ehdr header = elfHeader(llvm::ELF::ET_DYN);
  header.e_phoff = sizeof(header);
  header.e_phentsize = sizeof(llvm::ELF::Elf64_Phdr);
  header.e_phnum = static_cast<uint16_t>(segments.size());
  std::string table, contents;
  for (const Segment &segment : segments) {
    llvm::ELF::Elf64_Phdr row = {};
    row.p_type = segment.type;
    row.p_offset = row.p_vaddr = firstSegment(segments.size()) + contents.size();
    row.p_filesz = row.p_memsz = segment.bytes.size();
    row.p_align = 4;
    table += raw(row);
    contents += segment.bytes;
  }
  return raw(header) + table + contents;
}

class TemporaryFile {
public:
  explicit TemporaryFile(std::string_view bytes) {
    int descriptor = -1;
    EXPECT_FALSE(llvm::sys::fs::createTemporaryFile("elf", "o", descriptor, path_));
    llvm::raw_fd_ostream(descriptor, /*shouldClose=*/true) << llvm::StringRef(bytes.data(), bytes.size());
  }
  ~TemporaryFile() { llvm::sys::fs::remove(path_); }
  TemporaryFile(const TemporaryFile &) = delete;
  TemporaryFile &operator=(const TemporaryFile &) = delete;

  std::string path() const { return path_.str().str(); }
  std::string folder() const { return llvm::sys::path::parent_path(path_).str(); }
  std::string name() const { return llvm::sys::path::filename(path_).str(); }

private:
  llvm::SmallString<128> path_;
};

} // namespace deadheat::symbol
