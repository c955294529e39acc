#include "finding/store.h"

#include <algorithm>
#include <map>
#include <optional>

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

#include "finding/collect.h"
#include "finding/in_batches.h"
#include "finding/json.h"

namespace deadheat::finding {
namespace {

constexpr int64_t kVersion = 2;

// `body` is the finding as findings.json has it. What depends on the user's files of the day is not in it.
constexpr char kCreate[] = R"(
  CREATE TABLE run (id INTEGER PRIMARY KEY, verb TEXT NOT NULL, at TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP,
                    program TEXT) STRICT;
  CREATE TABLE finding (id TEXT PRIMARY KEY, first_run INTEGER NOT NULL REFERENCES run(id),
                        body TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE seen (id TEXT PRIMARY KEY, last_run INTEGER NOT NULL REFERENCES run(id)) STRICT, WITHOUT ROWID;
  PRAGMA user_version = 2;
)";

// In the first version a row was written whole to say that it was seen again.
constexpr char kFromFirst[] = R"(
  CREATE TABLE seen (id TEXT PRIMARY KEY, last_run INTEGER NOT NULL REFERENCES run(id)) STRICT, WITHOUT ROWID;
  INSERT INTO seen SELECT id, last_run FROM finding;
  ALTER TABLE finding RENAME TO first_version;
  CREATE TABLE finding (id TEXT PRIMARY KEY, first_run INTEGER NOT NULL REFERENCES run(id),
                        body TEXT NOT NULL) STRICT, WITHOUT ROWID;
  INSERT INTO finding SELECT id, first_run, body FROM first_version;
  DROP TABLE first_version;
  PRAGMA user_version = 2;
)";

constexpr const char *kRenew[] = {kCreate, kFromFirst}; // [version]

std::string databasePath(const std::string &directory) {
  llvm::SmallString<128> path(directory);
  llvm::sys::path::append(path, "deadheat.db");
  return path.str().str();
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

// A finding as it is stored, and as it is known now, if that is more than was just said.
struct Joined {
  std::string body;
  std::optional<Finding> finding = std::nullopt;
};

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
  if (auto set = database_.runPatiently(kModes); !set) return set;
  if (auto whole = checkWhole(database_); !whole) return whole;
  auto version = pragma(database_, "PRAGMA user_version");
  if (!version) return std::unexpected(version.error());
  if (*version == kVersion) return {};
  if (*version >= 0 && *version < kVersion) return renew();
  return fail(database_.path() + ": it was written by a newer deadheat",
              "use that one, or another directory with --db");
}

// Two processes may come here at once: the tables are made by whoever is first.
Expected<void> Store::renew() {
  auto transaction = Transaction::begin(database_);
  if (!transaction) return std::unexpected(transaction.error());
  auto version = pragma(database_, "PRAGMA user_version");
  auto tables = pragma(database_, "SELECT count(*) FROM sqlite_schema");
  if (!version || !tables) return std::unexpected(database_.error());
  if (*version == kVersion) return {};
  if (*version == 0 && *tables != 0)
    return fail(database_.path() + ": it is not a database of deadheat", "choose another directory with --db");
  if (auto renewed = database_.run(kRenew[*version]); !renewed) return renewed;
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
      .bind(llvm::formatv("{0}", llvm::json::Value(toJson(program))).str())
      .bind(static_cast<int64_t>(run.value()))
      .finish();
}

static std::string bodyOf(Finding finding) {
  finding.rank = 0;
  finding.suppressed = finding.baselined = false;
  finding.suppressedBy.clear();
  return textOf(finding);
}

// With its body of before, where there is one. Who says the same again changes nothing: most of a second check is not read at all.
static Expected<Joined> join(const Finding &finding, const std::string &before, const std::string &name) {
  std::string body = bodyOf(finding);
  if (before.empty() || (body == before && isSettled(finding))) return Joined{std::move(body)};
  auto known = parseFinding(before, name);
  if (!known) return std::unexpected(known.error());
  update(*known, finding);
  body = bodyOf(*known);
  return Joined{std::move(body), std::move(*known)};
}

// The statements that record() uses for every finding.
struct Store::Rows {
  explicit Rows(Database &database)
      : known(database, "SELECT body FROM finding WHERE id = ?"),
        seen(database, "INSERT OR REPLACE INTO seen VALUES (?, ?)"),
        kept(database, "INSERT INTO finding VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET body = excluded.body") {}

  Expected<std::string> before(const std::string &id) {
    known.reset(); // nothing may be read while others write
    auto row = known.bind(id).step();
    if (!row) return std::unexpected(row.error());
    std::string body = *row ? known.text(0) : "";
    known.reset();
    return body;
  }

  // Most findings of a second check are those of the first.
  Expected<void> keep(RunId run, const std::string &id, const std::string &before, const std::string &body) {
    auto number = static_cast<int64_t>(run.value());
    kept.reset();
    if (before != body)
      if (auto done = kept.bind(id).bind(number).bind(body).finish(); !done) return done;
    seen.reset();
    return seen.bind(id).bind(number).finish();
  }

  void reset() { // nothing may be open while it is committed
    seen.reset();
    kept.reset();
  }

  Statement known, seen, kept;
};

Expected<void> Store::recordBatch(RunId run, std::span<Finding *> batch, Rows &rows, Changes &changes) {
  std::vector<std::string> before;
  for (const Finding *finding : batch) {
    auto body = rows.before(finding->id);
    if (!body) return std::unexpected(body.error());
    before.push_back(std::move(*body));
  }
  auto joined = ofEach(batch.size(), [&](size_t i) { return join(*batch[i], before[i], database_.path()); });
  for (size_t i = 0; i < batch.size(); ++i) {
    if (!joined[i]) return std::unexpected(joined[i].error());
    if (auto kept = rows.keep(run, batch[i]->id, before[i], joined[i]->body); !kept) return kept;
    if (joined[i]->finding) changes.emplace_back(batch[i], std::move(*joined[i]->finding));
  }
  return {};
}

Expected<void> Store::record(RunId run, std::vector<Finding> &findings) {
  auto transaction = Transaction::begin(database_);
  if (!transaction) return std::unexpected(transaction.error());
  std::vector<Finding *> byId; // rows that come in the order of their keys are the cheapest
  for (Finding &finding : findings) byId.push_back(&finding);
  std::ranges::sort(byId, {}, &Finding::id);
  Rows rows(database_);
  Changes changes;
  for (size_t begin = 0; begin < byId.size(); begin += kBatch) {
    std::span batch = std::span(byId).subspan(begin, std::min(kBatch, byId.size() - begin));
    if (auto recorded = recordBatch(run, batch, rows, changes); !recorded) return recorded;
  }
  rows.reset();
  if (auto committed = transaction->commit(); !committed) return committed;
  for (auto &[finding, known] : changes) *finding = std::move(known);
  rank(findings);
  return {};
}

Expected<llvm::StringSet<>> Store::ids() {
  llvm::StringSet<> all;
  Statement rows(database_, "SELECT id FROM finding");
  while (true) {
    auto row = rows.step();
    if (!row) return std::unexpected(row.error());
    if (!*row) return all;
    all.insert(rows.text(0));
  }
}

// The ids of one fingerprint were given in order, each while those before it were there (collect.h), and rows stay.
static std::vector<std::string> rivalsOf(const Finding &finding, bool isAlone, const llvm::StringSet<> &known) {
  std::vector<std::string> ids;
  for (uint32_t ordinal = 1;; ++ordinal) {
    std::string id = idText(finding.kind, fingerprint(finding, ordinal));
    if (!known.contains(id)) break;
    ids.push_back(std::move(id));
  }
  return isAlone && ids.size() < 2 ? std::vector<std::string>() : ids;
}

Expected<std::vector<Finding>> Store::loadRivals(const std::vector<Finding> &findings) {
  auto known = ids();
  if (!known) return std::unexpected(known.error());
  std::vector<uint64_t> prints = ofEach(findings.size(), [&](size_t i) { return fingerprint(findings[i]); });
  std::map<uint64_t, std::pair<const Finding *, size_t>> alike; // one of each fingerprint, and how many
  for (size_t i = 0; i < findings.size(); ++i) {
    auto &[first, count] = alike[prints[i]];
    if (count++ == 0) first = &findings[i];
  }
  std::vector<std::pair<const Finding *, size_t>> groups;
  for (const auto &[print, group] : alike) groups.push_back(group);
  auto idsOf =
      ofEach(groups.size(), [&](size_t i) { return rivalsOf(*groups[i].first, groups[i].second == 1, *known); });
  std::vector<Finding> rivals;
  Rows rows(database_);
  for (const std::vector<std::string> &ids : idsOf)
    for (const std::string &id : ids) {
      auto body = rows.before(id);
      if (!body) return std::unexpected(body.error());
      auto finding = parseFinding(*body, database_.path());
      if (!finding) return std::unexpected(finding.error());
      rivals.push_back(std::move(*finding));
    }
  return rivals;
}

// So many of the rows that come next; none: there are no more.
static Expected<std::vector<Finding>> nextFindings(Statement &bodies, const std::string &name) {
  std::vector<std::string> texts;
  while (texts.size() < kBatch) {
    auto row = bodies.step();
    if (!row) return std::unexpected(row.error());
    if (!*row) break;
    texts.push_back(bodies.text(0));
  }
  return parseEach({texts.begin(), texts.end()}, name);
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
  size_t last = kBatch;
  while (last == kBatch) {
    auto some = nextFindings(bodies, database_.path());
    if (!some) return std::unexpected(some.error());
    last = some->size();
    std::ranges::move(*some, std::back_inserter(all.list));
  }
  rank(all.list);
  return all;
}

} // namespace deadheat::finding
