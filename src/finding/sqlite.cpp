#include "finding/sqlite.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include <sqlite3.h>

namespace deadheat::finding {
namespace {

constexpr int kPatience = 10000; // milliseconds; a writer of ours needs a few

Error describe(const std::string &path, int code, const char *message) {
  struct Row {
    int code;
    const char *what;
    const char *hint;
  };
  static constexpr Row kRows[] = {
      {SQLITE_BUSY, "another deadheat is writing to it",
       "wait until it has ended, or choose another directory with --db"},
      {SQLITE_LOCKED, "another deadheat is writing to it",
       "wait until it has ended, or choose another directory with --db"},
      {SQLITE_NOTADB, "it is not a database of deadheat", "move it away, or choose another directory with --db"},
      {SQLITE_CORRUPT, "the database is damaged", "move it away, or choose another directory with --db"},
      {SQLITE_FULL, "the disk is full", "make room, or choose another directory with --db"},
      {SQLITE_READONLY, "it cannot be written", "check the permissions, or choose another directory with --db"},
      {SQLITE_CANTOPEN, "it cannot be opened", "check the permissions, or choose another directory with --db"},
  };
  auto row = std::ranges::find(kRows, code & 0xff, &Row::code);
  if (row != std::end(kRows)) return {path + ": " + row->what, row->hint};
  return {path + ": " + message, "choose another directory with --db"};
}

} // namespace

void Database::Close::operator()(sqlite3 *handle) const { sqlite3_close(handle); }
void Statement::Finalize::operator()(sqlite3_stmt *statement) const { sqlite3_finalize(statement); }

Expected<Database> Database::open(const std::string &path, Mode mode) {
  sqlite3 *handle = nullptr;
  int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | (mode == Mode::Create ? SQLITE_OPEN_CREATE : 0);
  int code = sqlite3_open_v2(path.c_str(), &handle, flags, nullptr);
  Database database;
  database.path_ = path;
  database.handle_.reset(handle); // is there to close even if it could not be opened
  if (code != SQLITE_OK) return std::unexpected(describe(path, code, sqlite3_errstr(code)));
  sqlite3_busy_timeout(handle, kPatience);
  return database;
}

Error Database::error() const { return describe(path_, sqlite3_errcode(handle()), sqlite3_errmsg(handle())); }

Expected<void> Database::run(const char *statements) {
  if (sqlite3_exec(handle(), statements, nullptr, nullptr, nullptr) != SQLITE_OK) return std::unexpected(error());
  return {};
}

// Who changes how a database is kept needs it alone, and is told at once that another one wants the same: SQLite does not wait then.
Expected<void> Database::runPatiently(const char *statements) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(kPatience);
  while (true) {
    auto done = run(statements);
    const bool isBusy = !done && (sqlite3_errcode(handle()) & 0xff) == SQLITE_BUSY;
    if (!isBusy || std::chrono::steady_clock::now() > end) return done;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

Statement::Statement(Database &database, const char *sql) : database_(database) {
  sqlite3_stmt *statement = nullptr;
  sqlite3_prepare_v2(database.handle(), sql, -1, &statement, nullptr);
  statement_.reset(statement);
}

Statement &Statement::bind(std::string_view text) {
  if (statement_)
    sqlite3_bind_text64(statement_.get(), ++bound_, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
  return *this;
}

Statement &Statement::bind(int64_t number) {
  if (statement_) sqlite3_bind_int64(statement_.get(), ++bound_, number);
  return *this;
}

Expected<bool> Statement::step() {
  if (!statement_) return std::unexpected(database_.error());
  int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  return std::unexpected(database_.error());
}

Expected<void> Statement::finish() {
  auto row = step();
  if (!row) return std::unexpected(row.error());
  return {};
}

void Statement::reset() {
  if (statement_) sqlite3_reset(statement_.get());
  bound_ = 0;
}

std::string Statement::text(int column) const {
  const unsigned char *bytes = sqlite3_column_text(statement_.get(), column);
  if (!bytes) return {};
  return {reinterpret_cast<const char *>(bytes), static_cast<size_t>(sqlite3_column_bytes(statement_.get(), column))};
}

int64_t Statement::number(int column) const { return sqlite3_column_int64(statement_.get(), column); }

Expected<Transaction> Transaction::begin(Database &database) {
  if (auto begun = database.run("BEGIN IMMEDIATE"); !begun) return std::unexpected(begun.error());
  return Transaction(database);
}

Transaction::~Transaction() {
  if (database_) (void)database_->run("ROLLBACK");
}

Expected<void> Transaction::commit() {
  auto committed = database_->run("COMMIT");
  if (committed) database_ = nullptr;
  return committed;
}

} // namespace deadheat::finding
