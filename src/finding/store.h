// The store: DIRECTORY/deadheat.db keeps every finding that was ever reported, one row per id (docs/formats/findings.md).
//
// Claim   What record() returned from is on the disk, whole: a crash of this process or of the machine loses none of it.
//         A finding that comes again is merged (collect.h), so that its level never falls. Processes that record at the
//         same time wait for each other; one that waits too long gets an Error.
// Assumes a local file system: SQLite's write-ahead log needs shared memory between the processes that use it.
// Misses  A finding stays after its cause was mended: `last_run` of its row in `seen` says when it was last reported.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/StringSet.h"

#include "finding/finding.h"
#include "finding/sqlite.h"
#include "support/error.h"
#include "support/id.h"

namespace deadheat::finding {

using RunId = Id<struct RunTag>; // one use of a verb

class Store {
public:
  // Makes directory and database where they are not there.
  static Expected<Store> open(const std::string &directory);
  static Expected<Store> openExisting(const std::string &directory);

  // A use of a verb begins, ends with what is known of the program.
  Expected<RunId> beginRun(const std::string &verb);
  Expected<void> endRun(RunId run, const Program &program);

  // Stores collected findings, all or none, and gives them back joined with what is known of them.
  Expected<void> record(RunId run, std::vector<Finding> &findings);

  // Those that recognise() needs to tell these apart: of a fingerprint that has one place now, and had one, none.
  Expected<std::vector<Finding>> loadRivals(const std::vector<Finding> &findings);

  // All findings, ranked, with the program of the latest run.
  Expected<Findings> load();

private:
  explicit Store(Database database) : database_(std::move(database)) {}

  Expected<void> prepare();
  Expected<void> renew();
  Expected<llvm::StringSet<>> ids();
  struct Rows;
  using Changes = std::vector<std::pair<Finding *, Finding>>; // what a finding becomes, once all are stored
  Expected<void> recordBatch(RunId run, std::span<Finding *> batch, Rows &rows, Changes &changes);

  Database database_;
};

} // namespace deadheat::finding
