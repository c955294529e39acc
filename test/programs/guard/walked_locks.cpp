// A loop over an array takes the lock of each element in turn: what the first round has named is no name of the others.
#include <array>
#include <mutex>
#include <thread>
#include <vector>

struct Bucket {
  std::mutex mutex;
  int size = 0, peak = 0;
};

class Striped {
public:
  void put(int key) {
    Bucket &bucket = buckets_[key % 8];
    std::lock_guard<std::mutex> guard(bucket.mutex);
    ++bucket.size; // NORACE
    ++bucket.peak; // RACE peak
  }
  int size() {
    int sum = 0;
    for (Bucket &bucket : buckets_) {
      std::lock_guard<std::mutex> guard(bucket.mutex);
      sum += bucket.size; // NORACE
    }
    for (Bucket &bucket : buckets_) sum += bucket.peak; // RACE peak
    return sum;
  }

private:
  std::array<Bucket, 8> buckets_;
};

int main() {
  Striped striped;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&striped, i] {
      for (int k = 0; k < 25; ++k) striped.put(i * 25 + k);
    });
  int sum = striped.size();
  for (std::thread &thread : threads) thread.join();
  return sum < 0;
}
