// The shared libraries that a program or library names, and where the dynamic loader would find them.
//
// Claim   the places are searched in the loader's order: DT_RPATH (only without DT_RUNPATH), LD_LIBRARY_PATH,
//         DT_RUNPATH, the folders of /etc/ld.so.conf, the system's folders. Any bytes give an answer or an Error.
// Assumes a 64-bit little-endian file for this machine, and that this process's environment is the program's.
// Misses  libraries opened by dlopen; hardware-capability subfolders; $LIB and $PLATFORM; an RPATH inherited from
//         whoever loads the file; the loader's cache where it knows more than its configuration.
#pragma once

#include <string>
#include <vector>

#include "support/error.h"

namespace deadheat::symbol {

struct NeededLibrary {
  std::string name; // as in DT_NEEDED
  std::string path; // empty: not found

  bool operator==(const NeededLibrary &) const = default;
};

// In the order of the file; empty for what is linked statically.
Expected<std::vector<NeededLibrary>> neededLibraries(const std::string &path);

// The name by which others need a library: what it says itself, else that of its file.
std::string neededAs(const std::string &path);

} // namespace deadheat::symbol
