// What is inside ELF files, as far as Deadheat cares: executables, shared libraries, objects, and archives of objects.
//
// Claim   any bytes give an answer or an Error that begins with the path.
// Assumes the file does not shrink while it is read.
// Misses  relocations of objects are not applied: an address inside a section of a .o is whatever the assembler left.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "support/error.h"

namespace deadheat::symbol {

// Whether bytes begin an ELF file or an archive, and so are worth asking the questions below.
bool isElf(std::string_view bytes);

// Whether the file is a shared library, or an executable that is built like one; false: anything else, or it cannot be read.
bool isShared(const std::string &path);

// The contents of all sections of that name, decompressed, in order; of all members of an archive. Empty if there is
// none.
Expected<std::vector<uint8_t>> readSection(const std::string &path, const std::string &name);

// In hexadecimal; empty if the file has none.
Expected<std::string> buildId(const std::string &path);

} // namespace deadheat::symbol
