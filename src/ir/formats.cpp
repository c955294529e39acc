#include "ir/formats.h"

namespace deadheat::ir {

namespace {

constexpr size_t kMaxNamed = 32; // of one format

struct Conversion {
  unsigned argument = 0;
  char letter = 0; // 0: the format ends before it
  bool isWide = false;
  bool isLeftOut = false; // scanf's %*d
};

// Walks over the conversions of a format, and counts the arguments they take.
class Reader {
public:
  Reader(llvm::StringRef format, bool scans) : rest_(format), scans_(scans) {}

  // None: the format has no more.
  std::optional<Conversion> next() {
    for (;;) {
      size_t percent = rest_.find('%');
      if (percent == llvm::StringRef::npos) return std::nullopt;
      rest_ = rest_.drop_front(percent + 1);
      if (!rest_.consume_front("%")) return conversion();
    }
  }

private:
  Conversion conversion() {
    Conversion found;
    std::optional<unsigned> number = takePosition();
    while (!rest_.empty() && llvm::StringRef("-+ #0'I123456789.*").contains(rest_.front())) {
      if (rest_.front() == '*') scans_ ? void(found.isLeftOut = true) : takeStar();
      rest_ = rest_.drop_front();
    }
    const llvm::StringRef lengths = scans_ ? "hljztLqm" : "hljztLq"; // printf's %m is a conversion of its own
    while (!rest_.empty() && lengths.contains(rest_.front())) {
      found.isWide |= rest_.front() == 'l';
      rest_ = rest_.drop_front();
    }
    if (rest_.empty()) return found;
    found.letter = rest_.front();
    rest_ = rest_.drop_front();
    if (scans_ && found.letter == '[') skipSet();
    bool takesNone = found.isLeftOut || (found.letter == 'm' && !scans_);
    found.argument = number ? *number : takesNone ? 0 : next_++;
    return found;
  }

  // A width or precision that an argument tells, by its turn or by its number (`*2$`).
  void takeStar() {
    size_t digits = rest_.drop_front().find_first_not_of("0123456789");
    if (digits != llvm::StringRef::npos && digits > 0 && rest_[digits + 1] == '$')
      rest_ = rest_.drop_front(digits + 1);
    else
      ++next_;
  }

  // `2$`
  std::optional<unsigned> takePosition() {
    llvm::StringRef after = rest_;
    unsigned number = 0;
    if (after.consumeInteger(10, number) || number == 0 || !after.consume_front("$")) return std::nullopt;
    rest_ = after;
    return number - 1;
  }

  // `[^]a-z]`: the first letter of a set does not end it.
  void skipSet() {
    rest_.consume_front("^");
    size_t end = rest_.find(']', 1);
    rest_ = end == llvm::StringRef::npos ? llvm::StringRef() : rest_.drop_front(end + 1);
  }

  llvm::StringRef rest_;
  bool scans_;
  unsigned next_ = 0;
};

} // namespace

llvm::SmallVector<unsigned, 4> printed(llvm::StringRef format) {
  llvm::SmallVector<unsigned, 4> found;
  Reader reader(format, /*scans=*/false);
  while (std::optional<Conversion> conversion = reader.next())
    if (conversion->letter == 's' && !conversion->isWide && found.size() < kMaxNamed)
      found.push_back(conversion->argument);
  return found;
}

llvm::SmallVector<unsigned, 4> scanned(llvm::StringRef format) {
  llvm::SmallVector<unsigned, 4> found;
  Reader reader(format, /*scans=*/true);
  while (std::optional<Conversion> conversion = reader.next())
    if (conversion->letter != 0 && !conversion->isLeftOut && found.size() < kMaxNamed)
      found.push_back(conversion->argument);
  return found;
}

} // namespace deadheat::ir
