#include "base/check.h"

#include <cstdlib>
#include <cstring>

#include "base/standard_error.h"

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

  void WriteToStderr() const { WriteToStandardError({text_, used_}); }

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
