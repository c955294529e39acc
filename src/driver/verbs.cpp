#include "driver/verbs.h"

#include <string_view>

#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include "driver/cc_verb.h"
#include "driver/check_verb.h"
#include "driver/confirm_verb.h"
#include "driver/detect_verb.h"
#include "driver/model_verb.h"
#include "driver/paths.h"
#include "driver/replay_verb.h"
#include "driver/report_verb.h"
#include "driver/run_verb.h"
#include "driver/standard_streams.h"
#include "driver/suppress_verb.h"
#include "driver/trace_verb.h"
#include "support/error.h"

namespace deadheat::driver {

static constexpr Verb kVerbs[] = {
    {"cc", "compile and link C, in place of clang (also as deadheat-cc)", ccVerb},
    {"c++", "compile and link C++, in place of clang++ (also as deadheat-c++)", cxxVerb},
    {"check", "look for races in the source, without running it", checkVerb},
    {"run", "run a program and find its races and deadlocks", runVerb},
    {"detect", "find races and deadlocks in the trace of a run", detectVerb},
    {"report", "show all findings that are known", reportVerb},
    {"suppress", "leave a finding out of the reports from now on", suppressVerb},
    {"confirm", "create races for real, under schedules that aim at them", confirmVerb},
    {"hunt", "check, run and confirm in one go", huntVerb},
    {"replay", "run a stored schedule again", replayVerb},
    {"model", "print the model that a binary carries", modelVerb},
    {"trace", "print a trace as text", traceVerb},
};

static constexpr int kBadUsage = 2;

static const Verb *findVerb(std::string_view name) {
  for (const Verb &verb : kVerbs)
    if (verb.name == name) return &verb;
  return nullptr;
}

static int printHelp(llvm::raw_ostream &out) {
  out << "Deadheat " << version() << " finds data races and deadlocks in C and C++ programs, and then proves them.\n\n"
      << "usage: deadheat VERB [ARGUMENTS]\n\n";
  for (const Verb &verb : kVerbs) out << "  " << llvm::left_justify(verb.name, 10) << verb.summary << '\n';
  out << "\n`deadheat VERB --help` tells more about a verb; the arguments of cc and c++ are clang's own.\n"
      << "Start with: make CC=deadheat-cc CXX=deadheat-c++\n";
  return 0;
}

static int unknownVerb(const std::string &name) {
  llvm::errs() << "deadheat: error: " << name << " is not in this version; known are:";
  for (const Verb &verb : kVerbs) llvm::errs() << ' ' << verb.name;
  llvm::errs() << " (deadheat --help)\n";
  return kBadUsage;
}

// A stream that keeps its error ends the program with status 1 when it is destroyed, and 1 means findings. Standard
// error carries no result: if it is closed or full, the status of the verb stands.
static int settle(int status) {
  llvm::errs().clear_error();
  llvm::outs().flush();
  if (!llvm::outs().has_error()) return status;
  std::string why = llvm::outs().error().message();
  llvm::outs().clear_error();
  llvm::errs() << "deadheat: error: standard output: " << why << '\n';
  llvm::errs().clear_error();
  return kBadUsage;
}

static int choose(const std::vector<std::string> &commandLine) {
  llvm::StringRef program = llvm::sys::path::filename(commandLine.front());
  std::vector<std::string> arguments(commandLine.begin() + 1, commandLine.end());
  if (program.consume_front("deadheat-"))
    if (const Verb *verb = findVerb(program)) return verb->run(arguments);
  if (arguments.empty()) return printHelp(llvm::errs()), kBadUsage;

  std::string name = arguments.front();
  arguments.erase(arguments.begin());
  if (name == "--help" || name == "-h" || name == "help") return printHelp(llvm::outs());
  if (name == "--version") return llvm::outs() << "deadheat " << version() << '\n', 0;
  const Verb *verb = findVerb(name);
  return verb ? verb->run(arguments) : unknownVerb(name);
}

int dispatch(const std::vector<std::string> &commandLine) {
  DEADHEAT_CHECK(!commandLine.empty());
  holdClosedStreams();
  return settle(choose(commandLine));
}

} // namespace deadheat::driver
