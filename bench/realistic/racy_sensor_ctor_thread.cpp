// SHOWN
// FLAGS -std=c++20
// A sensor base class starts its polling thread in the constructor, before the derived constructor has set the calibration the virtual read uses.
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <memory>
#include <mutex>
#include <thread>

class Driver {
public:
  virtual ~Driver() = default;
  virtual int sample() = 0;
};

class Adc final : public Driver {
public:
  int sample() override { return raw_ += 3; }

private:
  int raw_ = 0;
};

class PollerBase {
protected:
  explicit PollerBase(std::unique_ptr<Driver> d) : driver_(std::move(d)) {}

  template <class Self> void start(Self *self) {
    thread_ = std::thread([this, self] {
      std::unique_lock lock(mu_);
      while (!stop_ && polls_ < 40) {
        ++polls_;
        sum_ += self->convert(driver_->sample());
        wake_.wait_for(lock, std::chrono::milliseconds(1));
      }
    });
  }

  void finish() {
    {
      std::lock_guard lock(mu_);
      stop_ = true;
    }
    wake_.notify_one();
    thread_.join();
  }

  long sum_ = 0;
  int polls_ = 0;

private:
  std::unique_ptr<Driver> driver_;
  std::mutex mu_;
  std::condition_variable wake_;
  bool stop_ = false;
  std::thread thread_;
};

class Thermometer : public PollerBase {
public:
  explicit Thermometer(int gain) : PollerBase(std::make_unique<Adc>()) {
    start(this);
    gain_ = gain; // RACE gain
  }

  ~Thermometer() {
    finish();
    std::printf("%d polls, sum %ld\n", polls_, sum_);
  }

  long convert(int raw) const {
    return static_cast<long>(raw) * gain_; // RACE gain
  }

private:
  int gain_ = 1;
};

int main() {
  for (int gain = 2; gain < 6; ++gain) {
    auto t = std::make_unique<Thermometer>(gain);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}
