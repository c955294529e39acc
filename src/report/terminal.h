// The report for people: each finding as a compiler would tell it, so that editors find the lines, and with what one
// needs to believe it and to mend it. The last line sums up.
#pragma once

#include "llvm/Support/raw_ostream.h"

#include "finding/finding.h"
#include "report/source.h"

namespace deadheat::report {

struct TerminalOptions {
  bool color = false;
  bool demoted = false; // show findings that were demoted, too
  size_t most = 20;     // findings, or causes; the rest is counted
  bool brief =
      false; // findings of one cause are told once (alike.h), and an access that was told several times is a line
  bool (*isLibrary)(std::string_view file) = nullptr; // frames there are counted, not shown; null: all are shown
};

// `findings` are collected and explained. Suppressed and baselined ones are only counted.
void printTerminal(llvm::raw_ostream &out, const finding::Findings &findings, Sources &sources,
                   const TerminalOptions &options);

} // namespace deadheat::report
