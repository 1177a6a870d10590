#include "lab/support/measure.h"

#include <cstdio>
#include <ctime>

namespace tenure::lab {

namespace {

int64_t Nanoseconds(clockid_t clock) {
  timespec now = {};
  clock_gettime(clock, &now);
  return int64_t{now.tv_sec} * 1000000000 + now.tv_nsec;
}

std::string Shown(double number) {
  char text[40];
  std::snprintf(text, sizeof text, "%.4f", number);
  return text;
}

}  // namespace

Stopwatch::Stopwatch()
    : processor_(Nanoseconds(CLOCK_THREAD_CPUTIME_ID)), elapsed_(Nanoseconds(CLOCK_MONOTONIC)) {}

Times Stopwatch::Read() const {
  const int64_t elapsed = Nanoseconds(CLOCK_MONOTONIC) - elapsed_;
  const int64_t processor = Nanoseconds(CLOCK_THREAD_CPUTIME_ID) - processor_;
  return {static_cast<double>(processor) / 1000, static_cast<double>(elapsed) / 1000};
}

Row::Row(std::string_view experiment, std::string_view system) : text_("{") {
  Put("experiment", experiment);
  Put("system", system);
}

Row::~Row() {
  std::printf("%s}\n", text_.c_str());
  std::fflush(stdout);
}

void Row::Name(std::string_view name) {
  if (text_.size() > 1) text_ += ",";
  text_.append("\"").append(name).append("\":");
}

// Texts of experiments and systems: without signs that JSON must escape.
Row& Row::Put(std::string_view name, std::string_view text) {
  Name(name);
  text_.append("\"").append(text).append("\"");
  return *this;
}

Row& Row::Put(std::string_view name, uint64_t number) {
  Name(name);
  text_ += std::to_string(number);
  return *this;
}

Row& Row::Put(std::string_view name, double number) {
  Name(name);
  text_ += Shown(number);
  return *this;
}

Row& Row::Put(std::string_view name, const std::vector<Times>& times) {
  for (const bool processor : {true, false}) {
    Name(std::string(name) + (processor ? "_processor" : "_elapsed"));
    text_ += "[";
    for (size_t i = 0; i < times.size(); ++i) {
      text_ += (i == 0 ? "" : ",") + Shown(processor ? times[i].processor : times[i].elapsed);
    }
    text_ += "]";
  }
  return *this;
}

}  // namespace tenure::lab
