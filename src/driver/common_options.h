// What all verbs that report findings have in common: their options, and what happens to findings in the end.
//
//   CommonOptions common;
//   declareCommon(app, common, Level::Observed);
//   if (std::optional<int> status = parseArguments(app, arguments)) return *status;
//   if (auto good = checkCommon(common); !good) return complain(good.error().text());   // before the long work
//   Findings findings = …;
//   return finish(findings, common, {.verb = "run"});
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "llvm/Support/JSON.h"

#include "finding/finding.h"
#include "finding/json.h"
#include "support/error.h"

namespace deadheat::driver {

inline constexpr int kExitGood = 0;
inline constexpr int kExitFindings = 1;
inline constexpr int kExitBadInput = 2;

enum class Color { Auto, Always, Never };

struct CommonOptions {
  std::string database = ".deadheat";
  std::string config; // empty: deadheat.toml, if there is one
  std::string json;   // of json, sarif and html: empty is none, `-` is standard output
  std::string sarif;
  std::string html;
  std::optional<finding::Level> failOn = finding::Level::Possible; // none: findings are no failure
  std::string suppressions;                                        // empty: deadheat.supp, if there is one
  std::string baseline;
  unsigned jobs = 0; // 0: as many as there are processors
  bool quiet = false;
  bool verbose = false;
  Color color = Color::Auto;
};

// The file of suppressions when none is named; `deadheat suppress` writes there.
inline constexpr char kSuppressionsFile[] = "deadheat.supp";

// `failOn` is the verb's own default.
void declareCommon(CLI::App &app, CommonOptions &options, std::optional<finding::Level> failOn);
void declareDatabase(CLI::App &app, CommonOptions &options);
void declareOutputs(CLI::App &app, CommonOptions &options); // --json, --sarif, --html
void declareSuppressions(CLI::App &app, CommonOptions &options);
void declareTerminal(CLI::App &app, CommonOptions &options); // -q, -v, --color

// The exit status, if the arguments ask for help or are wrong: then all was said.
std::optional<int> parseArguments(CLI::App &app, const std::vector<std::string> &arguments);

// One line on standard error; gives the status for bad input.
int complain(const std::string &text);

// Tells, before any work is done, what would be wrong with the files that finish() reads and writes.
Expected<void> checkCommon(const CommonOptions &options);

struct FinishOptions {
  std::string verb;              // for the store
  llvm::json::Object extra = {}; // fields of findings.json beyond the schema
  finding::LargeField large = {};
  bool store = true; // false: they come from the store
  size_t most = 20;  // findings that the terminal shows; with -v all
};

// Gives findings their ids and ranks, stores them, applies suppressions and baseline, prints, writes the files, and
// returns the exit status. A store that cannot be written is told, with status 2, but the report is given all the same.
int finish(finding::Findings &findings, const CommonOptions &options, FinishOptions how);

} // namespace deadheat::driver
