#include "base/check.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace tenure {
namespace {

// One line, put together on the stack: a failing check may hold any lock, malloc's included.
class Line {
 public:
  void Append(const char* text) {
    const size_t length = std::strlen(text);
    const size_t fits = length < sizeof(text_) - used_ ? length : sizeof(text_) - used_;
    std::memcpy(text_ + used_, text, fits);
    used_ += fits;
  }

  void Append(int number) {
    char digits[16];
    char* start = digits + sizeof(digits) - 1;
    *start = '\0';
    do {
      *--start = static_cast<char>('0' + number % 10);
      number /= 10;
    } while (number > 0);
    Append(start);
  }

  void WriteToStderr() const {
    size_t written = 0;
    while (written < used_) {
      const ssize_t count = write(STDERR_FILENO, text_ + written, used_ - written);
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) return;
      written += static_cast<size_t>(count);
    }
  }

 private:
  char text_[512];
  size_t used_ = 0;
};

}  // namespace

void CheckFailed(const char* file, int line, const char* text) {
  Line message;
  message.Append(file);
  message.Append(":");
  message.Append(line);
  message.Append(": check failed: ");
  message.Append(text);
  message.Append("\n");
  message.WriteToStderr();
  std::abort();
}

}  // namespace tenure
