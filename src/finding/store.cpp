#include "finding/store.h"

#include <algorithm>

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include "finding/collect.h"
#include "finding/json.h"

namespace deadheat::finding {
namespace {

constexpr int64_t kVersion = 1;

// `body` is the finding as findings.json has it. What depends on the user's files of the day is not in it.
constexpr char kCreate[] = R"(
  CREATE TABLE run (id INTEGER PRIMARY KEY, verb TEXT NOT NULL, at TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP,
                    program TEXT) STRICT;
  CREATE TABLE finding (id TEXT PRIMARY KEY, first_run INTEGER NOT NULL REFERENCES run(id),
                        last_run INTEGER NOT NULL REFERENCES run(id), body TEXT NOT NULL) STRICT, WITHOUT ROWID;
  PRAGMA user_version = 1;
)";

std::string databasePath(const std::string &directory) {
  llvm::SmallString<128> path(directory);
  llvm::sys::path::append(path, "deadheat.db");
  return path.str().str();
}

template <typename T> std::string bodyOf(const T &value) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::json::Value(toJson(value));
  return text;
}

Expected<int64_t> pragma(Database &database, const char *sql) {
  Statement statement(database, sql);
  auto row = statement.step();
  if (!row) return std::unexpected(row.error());
  return statement.number(0);
}

Expected<void> checkWhole(Database &database) {
  Statement statement(database, "PRAGMA quick_check(1)");
  auto row = statement.step();
  if (!row) return std::unexpected(row.error());
  if (statement.text(0) == "ok") return {};
  return fail(database.path() + ": the database is damaged", "move it away, or choose another directory with --db");
}

} // namespace

Expected<Store> Store::open(const std::string &directory) {
  if (std::error_code error = llvm::sys::fs::create_directories(directory))
    return fail(directory + ": " + error.message(), "choose a directory that can be written with --db");
  auto database = Database::open(databasePath(directory), Database::Mode::Create);
  if (!database) return std::unexpected(database.error());
  Store store(std::move(*database));
  if (auto ready = store.prepare(); !ready) return std::unexpected(ready.error());
  return store;
}

Expected<Store> Store::openExisting(const std::string &directory) {
  if (llvm::sys::fs::exists(databasePath(directory))) return open(directory);
  return fail(databasePath(directory) + ": there is none",
              "use deadheat check or deadheat run first, or name the directory with --db");
}

Expected<void> Store::prepare() {
  constexpr char kModes[] = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON";
  if (auto set = database_.run(kModes); !set) return set;
  if (auto whole = checkWhole(database_); !whole) return whole;
  auto version = pragma(database_, "PRAGMA user_version");
  if (!version) return std::unexpected(version.error());
  if (*version == kVersion) return {};
  if (*version == 0) return create();
  return fail(database_.path() + ": it was written by a newer deadheat",
              "use that one, or another directory with --db");
}

// Two processes may come here at once: the tables are made by whoever is first.
Expected<void> Store::create() {
  auto transaction = Transaction::begin(database_);
  if (!transaction) return std::unexpected(transaction.error());
  auto version = pragma(database_, "PRAGMA user_version");
  auto tables = pragma(database_, "SELECT count(*) FROM sqlite_schema");
  if (!version || !tables) return std::unexpected(database_.error());
  if (*version == kVersion) return {};
  if (*tables != 0)
    return fail(database_.path() + ": it is not a database of deadheat", "choose another directory with --db");
  if (auto created = database_.run(kCreate); !created) return created;
  return transaction->commit();
}

Expected<RunId> Store::beginRun(const std::string &verb) {
  Statement statement(database_, "INSERT INTO run (verb) VALUES (?) RETURNING id");
  auto row = statement.bind(verb).step();
  if (!row) return std::unexpected(row.error());
  RunId run(static_cast<uint32_t>(statement.number(0)));
  if (auto done = statement.finish(); !done) return std::unexpected(done.error());
  return run;
}

Expected<void> Store::endRun(RunId run, const Program &program) {
  return Statement(database_, "UPDATE run SET program = ? WHERE id = ?")
      .bind(bodyOf(program))
      .bind(static_cast<int64_t>(run.value()))
      .finish();
}

Expected<void> Store::recordOne(RunId run, Finding &finding, Statement &known, Statement &kept) {
  known.reset();
  auto row = known.bind(finding.id).step();
  if (!row) return std::unexpected(row.error());
  if (*row) {
    auto before = parseFinding(known.text(0), database_.path());
    if (!before) return std::unexpected(before.error());
    update(*before, std::move(finding));
    finding = std::move(*before);
  }
  Finding stored = finding;
  stored.rank = 0;
  stored.suppressed = stored.baselined = false;
  stored.suppressedBy.clear();
  kept.reset();
  return kept.bind(stored.id).bind(static_cast<int64_t>(run.value())).bind(bodyOf(stored)).finish();
}

Expected<void> Store::record(RunId run, std::vector<Finding> &findings) {
  auto transaction = Transaction::begin(database_);
  if (!transaction) return std::unexpected(transaction.error());
  std::vector<Finding> joined = findings;
  std::vector<Finding *> byId; // rows that come in the order of their keys are the cheapest
  for (Finding &finding : joined) byId.push_back(&finding);
  std::ranges::sort(byId, {}, &Finding::id);
  Statement known(database_, "SELECT body FROM finding WHERE id = ?");
  Statement kept(database_, "INSERT INTO finding VALUES (?1, ?2, ?2, ?3) "
                            "ON CONFLICT (id) DO UPDATE SET last_run = ?2, body = ?3");
  for (Finding *finding : byId)
    if (auto recorded = recordOne(run, *finding, known, kept); !recorded) return recorded;
  known.reset(); // nothing may be read while it is committed
  kept.reset();
  if (auto committed = transaction->commit(); !committed) return committed;
  findings = std::move(joined);
  rank(findings);
  return {};
}

Expected<Findings> Store::load() {
  Findings all;
  Statement program(database_, "SELECT program FROM run WHERE program IS NOT NULL ORDER BY id DESC LIMIT 1");
  auto row = program.step();
  if (!row) return std::unexpected(row.error());
  if (*row) {
    auto latest = parseProgram(program.text(0), database_.path());
    if (!latest) return std::unexpected(latest.error());
    all.program = std::move(*latest);
  }
  Statement bodies(database_, "SELECT body FROM finding ORDER BY id");
  for (row = bodies.step(); row && *row; row = bodies.step()) {
    auto finding = parseFinding(bodies.text(0), database_.path());
    if (!finding) return std::unexpected(finding.error());
    all.list.push_back(std::move(*finding));
  }
  if (!row) return std::unexpected(row.error());
  rank(all.list);
  return all;
}

} // namespace deadheat::finding
