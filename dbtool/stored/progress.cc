#include "dbtool/stored/progress.h"

#include <unistd.h>

#include <cstdio>
#include <utility>

namespace tenure::dbtool {

Progress::Progress(std::string what, uint64_t total)
    : what_(std::move(what)), total_(total), terminal_(isatty(STDERR_FILENO) != 0) {}

Progress::~Progress() {
  if (shown_) fputs("\r\033[K", stderr);
}

void Progress::Show(uint64_t done) {
  if (!terminal_) return;
  const auto now = std::chrono::steady_clock::now();
  if (now - last_ < std::chrono::milliseconds(100)) return;
  last_ = now;
  shown_ = true;
  fprintf(stderr, "\r\033[K%s: %llu", what_.c_str(), static_cast<unsigned long long>(done));
  if (total_ != 0) {
    fprintf(stderr, " of %llu (%llu %%)", static_cast<unsigned long long>(total_),
            static_cast<unsigned long long>(done * 100 / total_));
  }
  fflush(stderr);
}

}  // namespace tenure::dbtool
