#include "symbol/needed.h"

#include <cstdlib>
#include <glob.h>

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Object/ELF.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include "support/file.h"

namespace deadheat::symbol {
namespace {

using File = llvm::object::ELFFile<llvm::object::ELF64LE>;
using Entries = llvm::ArrayRef<File::Elf_Dyn>;
using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace paths = llvm::sys::path;

constexpr const char *kSystemFolders[] = {"/lib64", "/usr/lib64", "/lib", "/usr/lib"};
constexpr unsigned kMaxIncludes = 8; // a configuration that includes itself ends here

using Folders = std::vector<std::string>;

struct Dynamic {
  std::string name;
  std::vector<std::string> needed;
  std::vector<std::string> rpath;
  std::vector<std::string> runpath;
};

llvm::Expected<StringRef> stringTable(const File &file, Entries entries) {
  uint64_t address = 0, size = 0;
  for (const auto &entry : entries) {
    if (entry.getTag() == llvm::ELF::DT_STRTAB) address = entry.getPtr();
    if (entry.getTag() == llvm::ELF::DT_STRSZ) size = entry.getVal();
  }
  auto start = file.toMappedAddr(address);
  if (!start) return start.takeError();
  if (*start < file.base() || *start > file.end() || size > static_cast<uint64_t>(file.end() - *start))
    return llvm::createStringError("the dynamic string table lies outside the file");
  return StringRef(reinterpret_cast<const char *>(*start), size);
}

bool isOurKind(StringRef bytes) {
  return bytes.starts_with(StringRef(llvm::ELF::ElfMagic, 4)) && bytes.size() > llvm::ELF::EI_DATA &&
         bytes[llvm::ELF::EI_CLASS] == llvm::ELF::ELFCLASS64 && bytes[llvm::ELF::EI_DATA] == llvm::ELF::ELFDATA2LSB;
}

// LLVM's dynamicEntries() reads past the end of a file that was cut. Empty where there is no dynamic segment.
llvm::Expected<Entries> dynamicEntries(const File &file) {
  auto headers = file.program_headers();
  if (!headers) return headers.takeError();
  auto found = llvm::find_if(*headers, [](const auto &header) { return header.p_type == llvm::ELF::PT_DYNAMIC; });
  if (found == headers->end()) return Entries();
  uint64_t size = file.getBufSize(), offset = found->p_offset, length = found->p_filesz;
  if (offset > size || length > size - offset)
    return llvm::createStringError("the dynamic segment lies outside the file");
  return Entries(reinterpret_cast<const File::Elf_Dyn *>(file.base() + offset), length / sizeof(File::Elf_Dyn));
}

llvm::Expected<Dynamic> readDynamic(StringRef bytes) {
  if (!isOurKind(bytes)) return llvm::createStringError("it is of another kind");
  auto file = File::create(bytes);
  if (!file) return file.takeError();
  auto entries = dynamicEntries(*file);
  if (!entries) return entries.takeError();
  Dynamic dynamic;
  if (entries->empty()) return dynamic;
  auto strings = stringTable(*file, *entries);
  if (!strings) return strings.takeError();
  for (const auto &entry : *entries) {
    // Empty where the offset is past the end.
    auto text = [&] { return strings->substr(entry.getVal()).split('\0').first.str(); };
    if (entry.getTag() == llvm::ELF::DT_SONAME) dynamic.name = text();
    if (entry.getTag() == llvm::ELF::DT_NEEDED) dynamic.needed.push_back(text());
    if (entry.getTag() == llvm::ELF::DT_RPATH) dynamic.rpath.push_back(text());
    if (entry.getTag() == llvm::ELF::DT_RUNPATH) dynamic.runpath.push_back(text());
  }
  return dynamic;
}

// Where $ORIGIN is: the folder of the file, links resolved.
std::string originOf(const std::string &path) {
  llvm::SmallString<256> real;
  if (fs::real_path(path, real)) return {};
  return paths::parent_path(real).str();
}

void addFolders(Folders &folders, StringRef list, const std::string &origin) {
  llvm::SmallVector<StringRef, 8> parts;
  list.split(parts, ':', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef part : parts) {
    std::string folder = part.str();
    for (StringRef token : {"${ORIGIN}", "$ORIGIN"})
      for (size_t at; (at = folder.find(token)) != std::string::npos;) folder.replace(at, token.size(), origin);
    folders.push_back(folder);
  }
}

void addConfigured(Folders &folders, const std::string &configuration, unsigned depth = 0) {
  auto file = readFile(configuration);
  if (!file || depth > kMaxIncludes) return;
  llvm::SmallVector<StringRef, 16> lines;
  (*file)->getBuffer().split(lines, '\n');
  for (StringRef line : lines) {
    line = line.split('#').first.trim();
    if (line.consume_front("include ")) {
      glob_t found = {};
      if (glob(line.trim().str().c_str(), 0, nullptr, &found) == 0)
        for (size_t i = 0; i < found.gl_pathc; ++i) addConfigured(folders, found.gl_pathv[i], depth + 1);
      globfree(&found);
    } else if (line.starts_with("/")) {
      folders.push_back(line.str());
    }
  }
}

Folders searchedFolders(const Dynamic &dynamic, const std::string &origin) {
  Folders folders;
  if (dynamic.runpath.empty())
    for (const std::string &list : dynamic.rpath) addFolders(folders, list, origin);
  if (const char *list = std::getenv("LD_LIBRARY_PATH")) addFolders(folders, list, origin);
  for (const std::string &list : dynamic.runpath) addFolders(folders, list, origin);
  addConfigured(folders, "/etc/ld.so.conf");
  folders.insert(folders.end(), std::begin(kSystemFolders), std::end(kSystemFolders));
  return folders;
}

std::string findLibrary(const std::string &name, const Folders &folders) {
  if (name.find('/') != std::string::npos) return fs::exists(name) ? name : std::string();
  for (const std::string &folder : folders) {
    llvm::SmallString<256> candidate(folder);
    paths::append(candidate, name);
    if (fs::is_regular_file(candidate)) return candidate.str().str();
  }
  return {};
}

} // namespace

Expected<std::vector<NeededLibrary>> neededLibraries(const std::string &path) {
  auto file = readFile(path);
  if (!file) return std::unexpected(file.error());
  auto dynamic = readDynamic((*file)->getBuffer());
  if (!dynamic) {
    std::string why = llvm::toString(dynamic.takeError());
    return fail(path + ": it is not a 64-bit ELF program or library (" + why + ")", "build it again");
  }
  Folders folders = searchedFolders(*dynamic, originOf(path));
  std::vector<NeededLibrary> libraries;
  for (const std::string &name : dynamic->needed) libraries.push_back({name, findLibrary(name, folders)});
  return libraries;
}

std::string neededAs(const std::string &path) {
  const std::string ownFile = paths::filename(path).str();
  auto file = readFile(path);
  if (!file) return ownFile;
  auto dynamic = readDynamic((*file)->getBuffer());
  if (!dynamic) return llvm::consumeError(dynamic.takeError()), ownFile;
  return dynamic->name.empty() ? ownFile : dynamic->name;
}

} // namespace deadheat::symbol
