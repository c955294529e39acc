#include "driver/run_live.h"

#include <atomic>

#include "llvm/Support/raw_ostream.h"

#include "driver/detected_findings.h"
#include "support/file_limit.h"
#include "support/text_table.h"

namespace deadheat::driver {

RunLive::RunLive(RunDetection &detection, const std::vector<std::string> &command, const CommonOptions &common)
    : detection_(detection), command_(command), common_(common) {
  detection_.whenAsked([this](const auto &detections, const RunCode &code) { report(detections, code); });
}

void RunLive::look(bool asked) {
  if (!asked && Clock::now() - last_ < interval_.load()) return;
  last_ = Clock::now();
  if (asked) asked_ = true;
  detection_.ask();
}

void RunLive::report(const std::vector<detect::Detection> &detections, const RunCode &code) {
  const auto began = Clock::now();
  const bool asked = asked_.exchange(false);
  finding::Findings findings;
  findings.program.command = command_;
  addDetected(detections, code, findings);
  if (asked)
    llvm::errs() << "deadheat: " << printable(command_.front()) << " is running; until now:\n";
  else if (findings.list.size() == stored_)
    return;
  stored_ = findings.list.size();
  CommonOptions quietly = common_;
  quietly.json = quietly.sarif = quietly.html = "";
  quietly.quiet = !asked;
  FileSizeSignalIgnored guard;
  finish(findings, quietly, {.verb = "run"});
  interval_ = std::max<Clock::duration>(kInterval, 20 * (Clock::now() - began));
}

} // namespace deadheat::driver
