// SHOWN
// FLAGS -std=c++20
// A renderer and an encoder pass one plain frame buffer to and fro with two binary semaphores; neither holds a mutex while it writes.
#include <array>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <semaphore>
#include <thread>

struct Frame {
  std::array<std::uint8_t, 64> pixels{};
  std::uint32_t number = 0;
  std::uint32_t encoded_size = 0;
  bool last = false;
};

class FrameExchange {
public:
  template <class Fn> void produce(Fn &&fill) {
    empty_.acquire();
    fill(frame_); // NORACE
    full_.release();
  }

  template <class Fn> bool consume(Fn &&use) {
    full_.acquire();
    use(frame_); // NORACE
    const bool more = !frame_.last;
    empty_.release();
    return more;
  }

private:
  std::binary_semaphore empty_{1};
  std::binary_semaphore full_{0};
  Frame frame_;
};

class Renderer {
public:
  explicit Renderer(std::uint32_t frames) : frames_(frames) {}

  void run(FrameExchange &exchange) {
    for (std::uint32_t n = 1; n <= frames_; ++n)
      exchange.produce([&](Frame &f) {
        feedback_ += f.encoded_size; // what the encoder made of the previous frame
        f.number = n;
        f.last = n == frames_;
        for (std::size_t i = 0; i < f.pixels.size(); ++i) f.pixels[i] = static_cast<std::uint8_t>(n * (i / 8));
      });
  }

  std::uint64_t feedback() const { return feedback_; }

private:
  const std::uint32_t frames_;
  std::uint64_t feedback_ = 0;
};

int main() {
  auto exchange = std::make_unique<FrameExchange>();
  auto renderer = std::make_unique<Renderer>(200);
  std::uint64_t total = 0;
  std::uint32_t lost = 0, expected = 1;
  std::jthread encoder([&] {
    auto encode = [&](Frame &f) {
      std::uint32_t runs = 1;
      for (std::size_t i = 1; i < f.pixels.size(); ++i) runs += f.pixels[i] != f.pixels[i - 1];
      f.encoded_size = runs * 2;
      total += f.encoded_size;
      lost += f.number != expected++;
    };
    while (exchange->consume(encode)) {
    }
  });
  renderer->run(*exchange);
  encoder.join();
  std::printf("encoded %llu bytes, feedback %llu, lost %u\n", static_cast<unsigned long long>(total),
              static_cast<unsigned long long>(renderer->feedback()), lost);
}
