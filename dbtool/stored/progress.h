// How far long work has come, on a terminal only.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace tenure::dbtool {

// One line of standard error, written anew at most ten times a second and wiped at the end. Nothing
// when standard error is not a terminal.
class Progress {
 public:
  // `total`: the final number; 0 if unknown.
  Progress(std::string what, uint64_t total);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void Show(uint64_t done);

 private:
  const std::string what_;
  const uint64_t total_;
  const bool terminal_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point last_{};
};

}  // namespace tenure::dbtool
