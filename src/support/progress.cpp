#include "support/progress.h"

#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

namespace deadheat {

static constexpr std::chrono::milliseconds kBetweenDrawings(100); // more often costs time and shows nothing
static constexpr char kEraseLine[] = "\r\033[K";

std::string progressText(const std::string &stage, size_t done, size_t total) {
  std::string text = "deadheat: " + stage;
  if (done > 0 || total > 0) text += " " + std::to_string(done);
  if (total > 0) text += " of " + std::to_string(total);
  return text;
}

Progress::Progress(bool wanted) : shown_(wanted && llvm::sys::Process::StandardErrIsDisplayed()) {}

void Progress::begin(std::string stage, size_t total) {
  std::lock_guard hold(mutex_);
  stage_ = std::move(stage);
  total_ = total;
  done_ = 0;
  next_ = {};
  draw();
}

void Progress::step() {
  std::lock_guard hold(mutex_);
  ++done_;
  draw();
}

void Progress::end() {
  std::lock_guard hold(mutex_);
  if (drawn_) llvm::errs() << kEraseLine;
  drawn_ = false;
}

void Progress::draw() {
  auto now = std::chrono::steady_clock::now();
  if (!shown_ || now < next_) return;
  llvm::errs() << kEraseLine << progressText(stage_, done_, total_);
  drawn_ = true;
  next_ = now + kBetweenDrawings;
}

} // namespace deadheat
