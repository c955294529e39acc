// The optimiser moves the read of a variable, which library code got by reference, out of the loop: it has no line there.
// FLAGS -O2
#include <algorithm>
#include <cstdio>
#include <thread>
#include <vector>

namespace {

float brightest = 0;
float pixels[2][64];

void look(const float *row) {
  for (int x = 0; x < 64; ++x) brightest = std::max(brightest, row[x]); // RACE brightest SELF
}

} // namespace

int main() {
  for (int x = 0; x < 64; ++x) pixels[0][x] = pixels[1][x] = static_cast<float>(x % 17);
  std::vector<std::thread> threads;
  for (auto &row : pixels) threads.emplace_back([&row] { look(row); });
  for (auto &thread : threads) thread.join();
  std::printf("%f\n", brightest);
}
