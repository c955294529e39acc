#include "driver/finish.h"

#include <cstdlib>

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include "driver/core_limit.h"
#include "driver/output_file.h"
#include "driver/paths.h"
#include "driver/source_path.h"
#include "finding/collect.h"
#include "finding/explain.h"
#include "finding/json.h"
#include "finding/store.h"
#include "finding/verdict.h"
#include "report/html.h"
#include "report/sarif.h"
#include "report/terminal.h"
#include "support/text_table.h"

namespace deadheat::driver {
namespace {

using finding::Findings;

// Findings get their ids here, those of before where they are known.
Expected<void> keep(Findings &findings, const CommonOptions &options, const std::string &verb) {
  auto store = finding::Store::open(options.database);
  if (!store) return std::unexpected(store.error());
  if (!findings.list.empty()) {
    auto known = store->loadRivals(findings.list);
    if (!known) return std::unexpected(known.error());
    recognise(findings.list, *known);
  }
  auto run = store->beginRun(verb);
  if (!run) return std::unexpected(run.error());
  collect(findings.list);
  if (auto recorded = store->record(*run, findings.list); !recorded) return recorded;
  return store->endRun(*run, findings.program);
}

Expected<void> sortOut(Findings &findings, const CommonOptions &options) {
  auto suppressions = loadSuppressions(options);
  if (!suppressions) return std::unexpected(suppressions.error());
  suppressions->apply(findings.list);
  if (options.verbose) {
    for (const std::string &line : suppressions->ignored())
      llvm::errs() << "deadheat: note: " << printable(line) << ": passed over: nothing of this kind is reported\n";
    for (const std::string &line : suppressions->unused())
      llvm::errs() << "deadheat: note: " << printable(line) << ": it matched no finding this time\n";
  }
  if (!options.baseline.empty()) return finding::applyBaseline(findings.list, options.baseline);
  return {};
}

void print(const Findings &findings, const CommonOptions &options, const FinishOptions &how) {
  report::Sources sources;
  report::TerminalOptions terminal;
  terminal.color = useColor(options.color);
  terminal.demoted = options.verbose;
  terminal.most = options.verbose ? SIZE_MAX : how.most;
  terminal.brief = !options.verbose;
  if (terminal.brief) terminal.isLibrary = isLibraryFile;
  // In one piece: standard error is not buffered, and others may write to it.
  std::string text;
  llvm::raw_string_ostream out(text);
  report::printTerminal(out, findings, sources, terminal);
  llvm::errs() << text;
}

Expected<void> writeFiles(const Findings &findings, const CommonOptions &options, FinishOptions how) {
  if (!options.json.empty()) {
    auto write = [&](llvm::raw_ostream &out) {
      writeJson(out, findings, std::move(how.extra), 2, how.large);
      out << '\n';
    };
    if (auto written = writeWith(options.json, write, "--json"); !written) return written;
  }
  if (!options.sarif.empty()) {
    std::string text = llvm::formatv("{0:2}\n", llvm::json::Value(report::toSarif(findings)));
    if (auto written = writeText(options.sarif, text, "--sarif"); !written) return written;
  }
  if (options.html.empty()) return {};
  report::Sources sources;
  return writeText(options.html, report::toHtml(findings, sources), "--html");
}

} // namespace

std::string suppressionsPath(const CommonOptions &options) {
  return options.suppressions.empty() ? kSuppressionsFile : options.suppressions;
}

Expected<finding::Suppressions> loadSuppressions(const CommonOptions &options) {
  finding::Suppressions suppressions;
  std::string path = suppressionsPath(options);
  if (options.suppressions.empty() && !llvm::sys::fs::exists(path)) return suppressions;
  if (auto added = suppressions.addFile(path); !added) return std::unexpected(added.error());
  return suppressions;
}

bool useColor(Color color) {
  if (color != Color::Auto) return color == Color::Always;
  const char *refused = std::getenv("NO_COLOR");
  return llvm::errs().is_displayed() && !(refused && *refused);
}

int finish(Findings &findings, const CommonOptions &options, FinishOptions how) {
  CoreLimit cores(options.jobs);
  findings.toolVersion = version();
  int status = kExitGood;
  if (how.store)
    if (auto kept = keep(findings, options, how.verb); !kept) {
      status = complain(kept.error().text());
      collect(findings.list); // they are reported all the same
    }
  if (auto sorted = sortOut(findings, options); !sorted) status = complain(sorted.error().text());
  for (finding::Finding &finding : findings.list) explain(finding);
  if (!options.quiet) print(findings, options, how);
  if (auto written = writeFiles(findings, options, std::move(how)); !written) status = complain(written.error().text());
  if (status != kExitGood) return status;
  return options.failOn && finding::fails(findings.list, *options.failOn) ? kExitFindings : kExitGood;
}

} // namespace deadheat::driver
