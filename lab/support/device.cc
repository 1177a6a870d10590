#include "lab/support/device.h"

#include <sys/prctl.h>

#include <algorithm>
#include <ctime>

namespace tenure::lab {

namespace {

constexpr int64_t kSecond = 1000000000;

int64_t Now() {
  timespec now = {};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return int64_t{now.tv_sec} * kSecond + now.tv_nsec;
}

}  // namespace

const std::vector<DeviceModel>& DeviceModels() {
  static const std::vector<DeviceModel> models = {
      {"1995", 15000, 400, 1}, {"today", 50, 1, 8}, {"cloud", 1500, 4, 8}, {"none", 0, 0, 1}};
  return models;
}

std::optional<DeviceModel> DeviceNamed(std::string_view name) {
  for (const DeviceModel& model : DeviceModels()) {
    if (model.name == name) return model;
  }
  return std::nullopt;
}

void Device::Do(size_t bytes) {
  const auto takes = static_cast<int64_t>(1000 * model_.Microseconds(bytes));
  int64_t until;
  {
    const std::lock_guard guard(lock_);
    ++operations_;
    bytes_ += bytes;
    if (takes == 0) return;
    int64_t& free_at = *std::min_element(free_at_.begin(), free_at_.end());
    until = free_at = std::max(free_at, Now()) + takes;
  }
  // Otherwise the system adds 50 us to short waits.
  thread_local const int exact = prctl(PR_SET_TIMERSLACK, 1UL);
  static_cast<void>(exact);
  const timespec end = {static_cast<time_t>(until / kSecond), static_cast<long>(until % kSecond)};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &end, nullptr) != 0) {
  }
}

uint64_t Device::operations() const {
  const std::lock_guard guard(lock_);
  return operations_;
}

uint64_t Device::bytes() const {
  const std::lock_guard guard(lock_);
  return bytes_;
}

}  // namespace tenure::lab
