#include "driver/detect_verb.h"

#include "llvm/Support/raw_ostream.h"

#include "driver/common_options.h"
#include "driver/detected_findings.h"
#include "driver/replay_trace.h"
#include "driver/run_comparison.h"
#include "driver/run_detection.h"
#include "support/text_table.h"

namespace deadheat::driver {
namespace {

struct Request {
  std::string trace;
  std::string modelDirectory;
  bool compare = false;
  CommonOptions common;
};

struct Detected {
  finding::Findings findings;
  detect::ComparisonResult comparison;
};

Expected<Detected> detect(const Request &request) {
  ModelPool models;
  if (!request.modelDirectory.empty())
    if (auto added = models.addDirectory(request.modelDirectory); !added) return std::unexpected(added.error());
  RunDetection detection(detectorOptions(request.common), models, nullptr, request.compare);
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
  Detected detected{std::move(findings), detection.comparison().result()};
  if (request.compare && detected.comparison.accesses == 0)
    return fail(request.trace + ": it does not say what samplers would have told",
                "write it by deadheat run --compare-samplers --keep-trace");
  return detected;
}

} // namespace

int detectVerb(const std::vector<std::string> &arguments) {
  Request request;
  CLI::App app("find races and deadlocks in the trace of a run", "deadheat detect");
  app.add_option("TRACE", request.trace, "a file that deadheat run --keep-trace wrote")->required();
  app.add_option("--model-dir", request.modelDirectory, "directory with models that the program does not carry itself")
      ->envname("DEADHEAT_MODEL_DIR");
  app.add_flag("--compare-samplers", request.compare,
               "tell what each sampler would have found, in the trace of a run with that option");
  declareCommon(app, request.common, finding::Level::Observed);
  if (std::optional<int> status = parseArguments(app, arguments)) return *status;
  if (auto good = checkCommon(request.common); !good) return complain(good.error().text());
  auto detected = detect(request);
  if (!detected) return complain(detected.error().text());
  FinishOptions how{.verb = "detect"};
  if (request.compare) {
    how.extra["samplers"] = comparisonJson(detected->comparison);
    printComparison(llvm::errs(), detected->comparison);
  }
  return finish(detected->findings, request.common, std::move(how));
}

} // namespace deadheat::driver
