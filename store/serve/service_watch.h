// What a service tells of its clients: what they hold, who waits for whom.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>

#include "store/remote/serving_report.h"
#include "store/serve/server_permissions.h"

namespace tenure::store {

class ServiceClient;
struct ServiceState;

// What a client has told of its transaction.
struct ToldTransaction {
  uint64_t question = 0;                           // that it has answered last; 0: none
  std::optional<std::chrono::milliseconds> since;  // the open transaction began, at the answer
  uint64_t free_pages = 0;
};

// Any thread.
class ServiceWatch {
 public:
  explicit ServiceWatch(ServiceState& service);

  // Asks all clients but `asker` for their transactions, and waits for kAnswerPatience at most.
  ServingReport Report(const ServiceClient& asker);
  // A client's answer.
  void Told(ServiceClient& client, const ToldTransaction& told);
  // Writes to stderr who has waited for so long, for what, and why.
  void Say(const Permissions::Wait& wait);

 private:
  static constexpr std::chrono::seconds kAnswerPatience{1};

  void AskAll(const ServiceClient& asker, uint64_t question);
  bool AllHaveTold(const ServiceClient& asker, uint64_t question);
  ServingReport::Wait ReportOf(const Permissions::Wait& wait);

  ServiceState& service_;
  const std::chrono::steady_clock::time_point since_ = std::chrono::steady_clock::now();
  std::mutex lock_;  // before ServiceState::clients_lock
  std::condition_variable told_;
  uint64_t last_question_ = 0;
};

}  // namespace tenure::store
