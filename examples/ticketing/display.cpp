#include "display.h"

#include <chrono>

namespace ticketing {

Display::Display(Statistics &statistics) : statistics_(statistics) {
  thread_ = std::thread([this] { refresh(); });
}

Display::~Display() { stop(); }

// Bug 2: the notice is published before it is filled in. The display may show an empty text or a stale urgency; and
// even in the other order a plain pointer would publish nothing safely.
void Display::announce(const std::string &text, int urgency) {
  current_ = &storage_;
  current_->urgency = urgency;
  current_->text = text;
}

void Display::stop() {
  running_.store(false);
  if (thread_.joinable()) thread_.join();
}

void Display::refresh() {
  while (running_.load()) {
    if (current_ && noticesSeen_ == 0) show(*current_);
    lastServed_ = statistics_.glance();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  if (current_ && noticesSeen_ == 0) show(*current_);
}

void Display::show(const Notice &notice) {
  if (notice.urgency > 0 && !notice.text.empty()) ++noticesSeen_;
}

} // namespace ticketing
