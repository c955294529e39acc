// SHOWN
// FLAGS -std=c++20
// An intrusive reference count; the last owner tears the object down without a lock.
#include <atomic>
#include <cstdio>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

class RefCounted {
public:
  void retain() const noexcept { count_.fetch_add(1, std::memory_order_relaxed); }
  void release() const noexcept {
    if (count_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }

protected:
  virtual ~RefCounted() = default;

private:
  mutable std::atomic<int> count_{0};
};

template <class T> class Ref {
public:
  Ref() = default;
  explicit Ref(T *p) : p_(p) {
    if (p_) p_->retain();
  }
  Ref(const Ref &other) : Ref(other.p_) {}
  Ref(Ref &&other) noexcept : p_(std::exchange(other.p_, nullptr)) {}
  Ref &operator=(Ref other) noexcept {
    std::swap(p_, other.p_);
    return *this;
  }
  ~Ref() {
    if (p_) p_->release();
  }
  T *operator->() const { return p_; }

private:
  T *p_ = nullptr;
};

static std::atomic<int> destroyed{0};

class Session : public RefCounted {
public:
  explicit Session(std::string user) : user_(std::move(user)) {}
  void touch() {
    std::lock_guard<std::mutex> guard(mutex_);
    ++touches_; // NORACE
    log_.push_back(touches_);
  }
  std::size_t nameLength() const { return user_.size(); }

protected:
  ~Session() override {
    log_.clear();              // NORACE the last owner
    destroyed += touches_ > 0; // NORACE
  }

private:
  const std::string user_;
  std::mutex mutex_;
  std::vector<int> log_;
  int touches_ = 0;
};

static void use(Ref<Session> session, int times) {
  for (int i = 0; i < times; ++i) session->touch();
}

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    Ref<Session> session(new Session("user" + std::to_string(i)));
    session->touch();
    threads.emplace_back(use, session, 20);
    threads.emplace_back(use, std::move(session), 20);
  }
  for (auto &thread : threads) thread.join();
  std::printf("%d\n", destroyed.load());
  return 0;
}
