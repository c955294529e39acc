#include "driver/detect_verb.h"

#include "llvm/Support/raw_ostream.h"

#include "driver/common_options.h"
#include "driver/detected_findings.h"
#include "driver/replay_trace.h"
#include "driver/run_detection.h"
#include "support/text_table.h"

namespace deadheat::driver {
namespace {

struct Request {
  std::string trace;
  std::string modelDirectory;
  CommonOptions common;
};

Expected<finding::Findings> detect(const Request &request) {
  ModelPool models;
  if (!request.modelDirectory.empty())
    if (auto added = models.addDirectory(request.modelDirectory); !added) return std::unexpected(added.error());
  RunDetection detection(detectorOptions(request.common), models);
  auto replayed = replayTrace(request.trace, detection);
  if (!replayed) return std::unexpected(replayed.error());
  finding::Findings findings;
  findings.program.command = replayed->command;
  addDetected(detection.finish(), detection.code(), findings);
  if (replayed->damagedRecords != 0) {
    findings.program.gaps.push_back({"damaged-record", replayed->damagedRecords});
    llvm::errs() << "deadheat: note: " << printable(request.trace) << ": " << replayed->damagedRecords
                 << " damaged parts were passed over\n";
  }
  if (!replayed->complete) {
    findings.program.gaps.push_back({"cut-off-trace", 1});
    llvm::errs() << "deadheat: note: " << printable(request.trace) << ": it has no end: it was cut off\n";
  }
  return findings;
}

} // namespace

int detectVerb(const std::vector<std::string> &arguments) {
  Request request;
  CLI::App app("find races and deadlocks in the trace of a run", "deadheat detect");
  app.add_option("TRACE", request.trace, "a file that deadheat run --keep-trace wrote")->required();
  app.add_option("--model-dir", request.modelDirectory, "directory with models that the program does not carry itself")
      ->envname("DEADHEAT_MODEL_DIR");
  declareCommon(app, request.common, finding::Level::Observed);
  if (std::optional<int> status = parseArguments(app, arguments)) return *status;
  if (auto good = checkCommon(request.common); !good) return complain(good.error().text());
  auto findings = detect(request);
  if (!findings) return complain(findings.error().text());
  return finish(*findings, request.common, {.verb = "detect"});
}

} // namespace deadheat::driver
