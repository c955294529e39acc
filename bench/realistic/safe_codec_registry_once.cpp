// SHOWN
// FLAGS -std=c++20
// Codecs are built once each through call_once, and the registry itself is a function-local static.
#include <array>
#include <atomic>
#include <cstdio>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

class Codec {
public:
  virtual ~Codec() = default;
  virtual std::size_t encoded_size(const std::string &text) const = 0;
};

class RunLength : public Codec {
public:
  std::size_t encoded_size(const std::string &text) const override {
    std::size_t runs = 0;
    for (std::size_t i = 0; i < text.size(); ++i)
      if (i == 0 || text[i] != text[i - 1]) ++runs;
    return runs * 2;
  }
};

class Padded : public Codec {
public:
  explicit Padded(std::size_t block) : block_(block) {}
  std::size_t encoded_size(const std::string &text) const override {
    return (text.size() + block_ - 1) / block_ * block_;
  }

private:
  std::size_t block_;
};

class CodecRegistry {
public:
  static CodecRegistry &instance() {
    static CodecRegistry registry; // NORACE
    return registry;
  }

  const Codec &get(std::size_t kind) {
    Slot &slot = slots_.at(kind);
    std::call_once(slot.once, [&] { slot.codec = build(kind); });
    return *slot.codec; // NORACE // every caller has passed call_once
  }

  int built() const { return built_; }

private:
  struct Slot {
    std::once_flag once;
    std::unique_ptr<Codec> codec;
  };

  std::unique_ptr<Codec> build(std::size_t kind) {
    if (kind == 0) return std::make_unique<RunLength>();
    ++built_; // NORACE // only kind 1 comes here, once
    return std::make_unique<Padded>(16);
  }

  CodecRegistry() = default;
  std::array<Slot, 2> slots_;
  int built_ = 0;
};

int main() {
  std::atomic<std::size_t> bytes{0};
  {
    std::vector<std::jthread> encoders;
    for (int e = 0; e < 4; ++e)
      encoders.emplace_back([&bytes, e] {
        auto &registry = CodecRegistry::instance();
        for (std::size_t i = 0; i < 50; ++i)
          bytes += registry.get((i + static_cast<std::size_t>(e)) % 2).encoded_size(std::string(i, 'x') + "yy");
      });
  }
  std::printf("%zu bytes, %d built\n", bytes.load(), CodecRegistry::instance().built());
}
