// Source lines and variables of addresses, from the debug information of a program or library.
//
// Claim   An answer or none: a file that is missing, stripped or damaged has no lines.
// Cost    Debug information is read once per file and kept.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace deadheat::symbol {

struct SourceFrame {
  std::string function; // as a person knows it
  std::string file;
  uint32_t line = 0;
  uint32_t column = 0;
};

class LineReader {
public:
  LineReader();
  ~LineReader();

  // The function at a link-time address and those that it is inlined into, innermost first.
  std::vector<SourceFrame> frames(const std::string &path, uint64_t address);

  // The variable at a link-time address; empty: there is none.
  std::string variable(const std::string &path, uint64_t address);

private:
  struct Reader;
  std::unique_ptr<Reader> reader_;
};

} // namespace deadheat::symbol
