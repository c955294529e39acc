// Where the size of files is limited (ulimit -f), an error that can be told instead of a signal that kills.
#pragma once

#include <signal.h>

namespace deadheat {

// While one lives, the signal is ignored in this process. Whatever is started meanwhile inherits that.
class FileSizeSignalIgnored {
public:
  FileSizeSignalIgnored() {
    struct sigaction ignore = {};
    ignore.sa_handler = SIG_IGN;
    sigaction(SIGXFSZ, &ignore, &before_);
  }
  ~FileSizeSignalIgnored() { sigaction(SIGXFSZ, &before_, nullptr); }
  FileSizeSignalIgnored(const FileSizeSignalIgnored &) = delete;
  FileSizeSignalIgnored &operator=(const FileSizeSignalIgnored &) = delete;

private:
  struct sigaction before_;
};

} // namespace deadheat
