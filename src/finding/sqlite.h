// SQLite with errors returned and nothing to release by hand.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "support/error.h"

struct sqlite3;
struct sqlite3_stmt;

namespace deadheat::finding {

class Database {
public:
  enum class Mode { Create, Existing };

  // Waits some seconds for other processes wherever it must.
  static Expected<Database> open(const std::string &path, Mode mode);

  Expected<void> run(const char *statements);
  Expected<void> runPatiently(const char *statements); // may be done again, where others are in the way
  Error error() const;                                 // what went wrong last
  const std::string &path() const { return path_; }
  sqlite3 *handle() const { return handle_.get(); }

private:
  struct Close {
    void operator()(sqlite3 *handle) const;
  };

  std::string path_;
  std::unique_ptr<sqlite3, Close> handle_;
};

// One statement: bind all parameters in order, then step through the rows.
class Statement {
public:
  Statement(Database &database, const char *sql);

  Statement &bind(std::string_view text);
  Statement &bind(int64_t number);

  // Whether there is another row; Error: the database says no.
  Expected<bool> step();
  Expected<void> finish(); // for statements without rows
  void reset();

  std::string text(int column) const;
  int64_t number(int column) const;

private:
  struct Finalize {
    void operator()(sqlite3_stmt *statement) const;
  };

  Database &database_;
  std::unique_ptr<sqlite3_stmt, Finalize> statement_; // null: the text was refused, and step() says so
  int bound_ = 0;
};

// Undone when it is destroyed, unless it was committed. Only one process at a time gets to write.
class Transaction {
public:
  static Expected<Transaction> begin(Database &database);
  Transaction(Transaction &&other) : database_(std::exchange(other.database_, nullptr)) {}
  ~Transaction();
  Expected<void> commit();

private:
  explicit Transaction(Database &database) : database_(&database) {}
  Database *database_;
};

} // namespace deadheat::finding
