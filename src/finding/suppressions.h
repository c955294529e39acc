// Suppressions: TSan's files, read unchanged, and lines of our own that name findings by their ids.
//
//   race:pattern               a race with a function, file or variable that matches, in any frame
//   race_top:pattern           the same, but only in the frame of the access itself
//   deadlock:pattern           a deadlock, by the functions, files and locks of its edges
//   mutex:pattern              misuse of a lock, by function, file or lock
//   <kind>:pattern             a finding of any other kind of ours (kinds.def)
//   id:R-8f31c2a45d0e9b17      this finding; what follows after a blank is a remark
//   thread: signal: called_from_lib: race_lib:    TSan's for what we do not report: passed over, and told
//
// `#` begins a comment line. Patterns: pattern.h.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "finding/finding.h"
#include "finding/pattern.h"
#include "support/error.h"

namespace deadheat::finding {

class Suppressions {
public:
  // Adds the rules of a text; `name` is what errors and reports call it. Error: a line that is no rule.
  Expected<void> add(std::string_view text, const std::string &name);
  Expected<void> addFile(const std::string &path);

  // Marks the findings that a rule speaks of, and takes the mark from all others.
  void apply(std::vector<Finding> &findings);

  // "name:line: race:foo", in order: rules that matched nothing in apply(), and lines that were passed over.
  std::vector<std::string> unused() const;
  const std::vector<std::string> &ignored() const { return ignored_; }

private:
  struct Rule {
    std::string place; // name:line
    std::string type;
    std::string text;
    Pattern pattern;
    bool used = false;
  };

  static bool matches(const Rule &rule, const Finding &finding);
  Expected<void> addLine(std::string_view line, const std::string &place);

  std::vector<Rule> rules_;
  std::vector<std::string> ignored_;
};

// The line that suppresses one finding, for the end of a file.
std::string suppressionLine(const std::string &id, std::string_view why);

} // namespace deadheat::finding
