// The output of an experiment: one JSON object on a line for each measurement.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tenure::lab {

// Microseconds.
struct Times {
  double processor = 0;  // of this thread
  double elapsed = 0;
};

class Stopwatch {
 public:
  Stopwatch();
  // Since it was made.
  Times Read() const;

 private:
  int64_t processor_, elapsed_;  // ns
};

// A line of output, built field by field and printed when it ends.
class Row {
 public:
  Row(std::string_view experiment, std::string_view system);
  ~Row();
  Row(const Row&) = delete;
  Row& operator=(const Row&) = delete;

  Row& Put(std::string_view name, std::string_view text);
  Row& Put(std::string_view name, uint64_t number);
  Row& Put(std::string_view name, double number);
  // As `NAME_processor` and `NAME_elapsed`, lists of microseconds.
  Row& Put(std::string_view name, const std::vector<Times>& times);

 private:
  void Name(std::string_view name);

  std::string text_;
};

}  // namespace tenure::lab
