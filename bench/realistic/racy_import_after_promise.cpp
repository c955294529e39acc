// SHOWN
// FLAGS -std=c++20
// An importer fulfils its promise first and only then writes the elapsed rows to the statistics that the waiter reads.
#include <cstdio>
#include <future>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

struct ImportStats {
  int rows = 0;
  int skipped = 0;
  int batches = 0;
};

class Importer {
public:
  explicit Importer(std::vector<std::string> lines) : lines_(std::move(lines)) {}

  void run(std::promise<long> result) {
    try {
      long sum = 0;
      for (const auto &line : lines_) {
        if (line.empty()) {
          stats_.skipped++;
          continue;
        }
        sum += std::stol(line);
        stats_.rows++;
      }
      result.set_value(sum);
      stats_.batches += 1; // RACE batches
    } catch (const std::invalid_argument &) {
      result.set_exception(std::current_exception());
    }
  }

  int rows() const { return stats_.rows; }
  int skipped() const { return stats_.skipped; }
  int batches() const {
    return stats_.batches; // RACE batches
  }

private:
  const std::vector<std::string> lines_;
  ImportStats stats_;
};

static void import_one(std::vector<std::string> lines) {
  auto importer = std::make_unique<Importer>(std::move(lines));
  std::promise<long> promise;
  auto result = promise.get_future();
  std::thread worker(&Importer::run, importer.get(), std::move(promise));
  try {
    long sum = result.get();
    std::printf("sum %ld rows %d skipped %d batches %d\n", sum, importer->rows(), importer->skipped(),
                importer->batches());
  } catch (const std::exception &) {
    std::printf("bad input after %d rows\n", importer->rows());
  }
  worker.join();
}

int main() {
  import_one({"1", "2", "", "39"});
  import_one({"7", "x", "8"});
  import_one({"", "100", "200"});
}
