// Rows of an image, and ranges of a vector, that functions work on: each thread has others, where bounds are its own.
#include <cstdio>
#include <functional>
#include <thread>
#include <vector>

namespace {

struct Range {
  std::size_t begin, end;
};

struct Image {
  std::size_t width;
  std::vector<int> pixels;
  Image(std::size_t w, std::size_t h) : width(w), pixels(w * h) {}
  int &at(std::size_t x, std::size_t y) { return pixels[y * width + x]; }
};

void shift(std::vector<int> &data, Range range) {
  for (std::size_t i = range.begin; i < range.end; ++i) data[i] += 1; // NORACE
}

void invert(Image &image, Range rows) {
  for (std::size_t y = rows.begin; y < rows.end; ++y)
    for (std::size_t x = 0; x < image.width; ++x) image.at(x, y) ^= 1; // NORACE
}

int turned = 0;

} // namespace

int main() {
  std::vector<int> data(48);
  Image image(8, 48);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < 3; ++t) threads.emplace_back([&data, t] { shift(data, Range{t * 16, t * 16 + 16}); });
  for (auto &thread : threads) thread.join();
  threads.clear();
  for (std::size_t t = 0; t < 3; ++t)
    threads.emplace_back([&image, rows = Range{t * 16, t * 16 + 16}] {
      invert(image, rows);
      ++turned; // RACE turned SELF
    });
  for (auto &thread : threads) thread.join();
  threads.clear();
  for (std::size_t t = 0; t < 3; ++t) threads.emplace_back(shift, std::ref(data), Range{t * 16, t * 16 + 16});
  for (auto &thread : threads) thread.join();
  std::printf("%d %d %d\n", data[47], image.at(3, 3), turned);
}
