// The display in the foyer: a thread of its own that shows the last notice and how many orders were served.
#pragma once

#include <atomic>
#include <string>
#include <thread>

#include "statistics.h"

namespace ticketing {

struct Notice {
  std::string text;
  int urgency = 0;
};

class Display {
public:
  explicit Display(Statistics &statistics);
  ~Display();

  void announce(const std::string &text, int urgency);
  void stop();
  int noticesSeen() const { return noticesSeen_; } // after stop()

private:
  void refresh();
  void show(const Notice &notice);

  Statistics &statistics_;
  Notice *current_ = nullptr;
  Notice storage_;
  std::atomic<bool> running_ = true;
  int noticesSeen_ = 0;
  long lastServed_ = 0;
  std::thread thread_;
};

} // namespace ticketing
