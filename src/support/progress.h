// How far a stage has come, in the last line of a terminal; nothing in a pipe.
//
// Claim   step() may be called by many threads. Whoever prints a message calls end() first, so that the line is empty.
#pragma once

#include <chrono>
#include <mutex>
#include <string>

namespace deadheat {

class Progress {
public:
  // Shown on standard error if that is a terminal and `wanted`.
  explicit Progress(bool wanted);
  ~Progress() { end(); }
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;

  // total 0: it is not known how many steps there will be.
  void begin(std::string stage, size_t total);
  void step();
  void end();

private:
  void draw();

  std::mutex mutex_; // guards the rest
  bool shown_;
  bool drawn_ = false;
  std::string stage_;
  size_t total_ = 0;
  size_t done_ = 0;
  std::chrono::steady_clock::time_point next_; // not drawn before
};

// "models 12 of 345": the words of the line.
std::string progressText(const std::string &stage, size_t done, size_t total);

} // namespace deadheat
