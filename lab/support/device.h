// A simulated device with the speed of an earlier disk: experiments with it show the merit of a
// strategy on another disk than this machine's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tenure::lab {

// How long an operation takes: a part that it takes in any case, and a part for each byte.
struct DeviceModel {
  std::string_view name;
  double operation_us = 0;
  double byte_ns = 0;
  size_t at_once = 1;  // operations

  double Microseconds(size_t bytes) const {
    return operation_us + byte_ns * static_cast<double>(bytes) / 1000;
  }
};

// A disk of 1995 (15 ms, 2.5 MB/s), of today (a solid-state disk: 0.05 ms, 1 GB/s, 8 operations at
// once), of a cloud (1.5 ms, 250 MB/s, 8 at once), and none, which takes no time.
const std::vector<DeviceModel>& DeviceModels();
std::optional<DeviceModel> DeviceNamed(std::string_view name);

// Does operations in the order of the calls. Any thread.
class Device {
 public:
  explicit Device(const DeviceModel& model) : model_(model), free_at_(model.at_once, 0) {}
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  // Returns when the device would have read or written `bytes` bytes.
  void Do(size_t bytes);

  uint64_t operations() const;
  uint64_t bytes() const;
  const DeviceModel& model() const { return model_; }

 private:
  const DeviceModel model_;
  mutable std::mutex lock_;
  std::vector<int64_t> free_at_;  // ns of the monotonic clock
  uint64_t operations_ = 0, bytes_ = 0;
};

}  // namespace tenure::lab
