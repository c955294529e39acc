// Closes leveldb, an open library: two writers, a reader with iterators and snapshots, and the library's own thread that compacts, on one
// database that is made anew. A tiny write buffer, so that tables are written and compacted while the others read. Status 0: what was
// written is there, each key once and in order.
//
//   leveldb FOLDER
#include <memory>
#include <string>
#include <thread>

#include "leveldb/db.h"
#include "leveldb/write_batch.h"

namespace {

constexpr int kKeys = 60;

std::string keyOf(int writer, int number) {
  std::string digits = std::to_string(1000 + number);
  return (writer == 0 ? "a" : "b") + digits;
}

bool write(leveldb::DB &database, int writer) {
  bool good = true;
  for (int number = 0; number != kKeys; ++number) {
    leveldb::WriteBatch batch;
    batch.Put(keyOf(writer, number), std::string(500, static_cast<char>('a' + number % 26)));
    batch.Delete("gone");
    batch.Put("last", std::to_string(number));
    good &= database.Write({}, &batch).ok();
    if (number % 20 == 19) database.CompactRange(nullptr, nullptr);
  }
  return good;
}

// Each key once, in order, whoever writes meanwhile.
bool isOrdered(leveldb::DB &database, const leveldb::ReadOptions &options, int &count) {
  std::unique_ptr<leveldb::Iterator> entry(database.NewIterator(options));
  std::string before;
  count = 0;
  for (entry->SeekToFirst(); entry->Valid(); entry->Next(), ++count) {
    if (entry->key().compare(before) <= 0) return false;
    before = entry->key().ToString();
  }
  return entry->status().ok();
}

bool read(leveldb::DB &database) {
  bool good = true;
  for (int round = 0; round != 10; ++round) {
    leveldb::ReadOptions options;
    options.snapshot = database.GetSnapshot();
    int first = 0, again = 0;
    good &= isOrdered(database, options, first) && isOrdered(database, options, again) && first == again;
    database.ReleaseSnapshot(options.snapshot);
    std::string value;
    database.Get({}, keyOf(round % 2, round), &value);
    database.GetProperty("leveldb.stats", &value);
  }
  return good;
}

} // namespace

int main(int, char **arguments) {
  leveldb::Options options;
  options.create_if_missing = options.error_if_exists = true;
  options.write_buffer_size = 64 << 10;
  leveldb::DB *opened = nullptr;
  if (!leveldb::DB::Open(options, std::string(arguments[1]) + "/database", &opened).ok()) return 2;
  std::unique_ptr<leveldb::DB> database(opened);
  bool good[3] = {};
  std::thread first([&] { good[0] = write(*database, 0); });
  std::thread second([&] { good[1] = write(*database, 1); });
  std::thread reader([&] { good[2] = read(*database); });
  for (std::thread *thread : {&first, &second, &reader}) thread->join();
  int count = 0;
  const bool whole = isOrdered(*database, {}, count) && count == 2 * kKeys + 1;
  return whole && good[0] && good[1] && good[2] ? 0 : 1;
}
