#include "driver/trace_verb.h"

#include <map>
#include <memory>

#include <CLI/CLI.hpp>

#include "llvm/Support/raw_ostream.h"

#include "driver/common_options.h"
#include "support/text_table.h"
#include "trace/file.h"
#include "trace/merge.h"
#include "trace/text.h"

namespace deadheat::driver {
namespace {

using trace::RecordKind;
using trace::TraceRecord;

// Prints events in the order that their processes allow, as soon as it is known.
class Dump {
public:
  explicit Dump(llvm::raw_ostream &out) : out_(out) {}

  void add(const TraceRecord &record) {
    if (record.kind == RecordKind::Command) printCommand(record.command);
    if (record.kind == RecordKind::Object) printObject(record.object);
    if (record.kind != RecordKind::Words && record.kind != RecordKind::Ended) return;
    trace::Merger &merger = mergers_[record.process];
    if (record.afterLoss) out_ << prefix(record.process) << "T" << record.thread.value() << " lost a record\n";
    merger.add(record.thread, record.words);
    if (record.kind == RecordKind::Ended) merger.end(record.thread);
    merger.drain(printer(record.process));
  }

  void finish() {
    for (auto &[process, merger] : mergers_) {
      merger.finish(printer(process));
      trace::MergeGaps gaps = merger.gaps();
      if (gaps.total() != 0)
        out_ << prefix(process) << "gaps: " << gaps.damagedWords << " damaged words, " << gaps.lostEvents
             << " lost events, " << gaps.missingStamps << " missing stamps, " << gaps.missingThreads
             << " missing events of threads\n";
    }
  }

private:
  struct Printer {
    llvm::raw_ostream &out;
    std::string prefix;
    void operator()(const trace::Event &event) const {
      out << prefix << "T" << event.thread.value() << " " << eventText(event) << '\n';
    }
  };

  static std::string prefix(trace::ProcessNumber process) { return "P" + std::to_string(process.value()) + " "; }
  Printer &printer(trace::ProcessNumber process) {
    return printer_ = std::make_unique<Printer>(out_, prefix(process)), *printer_;
  }

  void printCommand(const std::vector<std::string> &command) {
    out_ << "command";
    for (const std::string &word : command) out_ << ' ' << printable(word);
    out_ << '\n';
  }
  void printObject(const trace::TraceObject &object) {
    out_ << "object " << printable(object.path) << " accesses " << object.base << " + " << object.slotCount
         << " functions " << object.functionBase << " + " << object.functionCount << '\n';
  }

  llvm::raw_ostream &out_;
  std::map<trace::ProcessNumber, trace::Merger> mergers_;
  std::unique_ptr<Printer> printer_;
};

int dumpTrace(const std::string &path) {
  auto reader = trace::TraceReader::open(path);
  if (!reader) return complain(reader.error().text());
  Dump dump(llvm::outs());
  for (TraceRecord record; reader->next(record);) dump.add(record);
  dump.finish();
  if (reader->damagedRecords() != 0) llvm::outs() << "damaged parts: " << reader->damagedRecords() << '\n';
  if (!reader->complete()) llvm::outs() << "cut off\n";
  return kExitGood;
}

} // namespace

int traceVerb(const std::vector<std::string> &arguments) {
  std::string path;
  CLI::App app("what a run told, as deadheat run --keep-trace stored it", "deadheat trace");
  app.require_subcommand(1);
  CLI::App *dumping = app.add_subcommand("dump", "print a trace as text, in an order that its synchronisation allows");
  dumping->add_option("FILE", path, "a trace")->required();
  if (std::optional<int> status = parseArguments(app, arguments)) return *status;
  return dumpTrace(path);
}

} // namespace deadheat::driver
