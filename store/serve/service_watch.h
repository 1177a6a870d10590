// A service's reports of its clients: what they hold, who waits for whom.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

#include "base/mutex.h"
#include "store/remote/serving_report.h"
#include "store/serve/connected_clients.h"
#include "store/serve/server_permissions.h"
#include "store/server/page_server.h"

namespace tenure::store {

// Any thread.
class ServiceWatch {
 public:
  // All outlive the watch. `name_of`: the name of an open database, by its number.
  ServiceWatch(PageServer& store, Permissions& permissions, ConnectedClients& clients,
               std::function<std::string(uint32_t)> name_of);

  // Asks all clients but `asker` for their transactions, and waits for kAnswerPatience at most.
  ServingReport Report(const ConnectedClient& asker);
  // A client's answer.
  void Told(ConnectedClient& client, const ToldTransaction& told);
  // Writes to stderr which client has waited for a long time, for what, and why.
  void Say(const Permissions::Wait& wait);

 private:
  static constexpr std::chrono::seconds kAnswerPatience{1};

  void AskAll(const ConnectedClient& asker, uint64_t question);
  bool AllHaveTold(const ConnectedClient& asker, uint64_t question);
  ServingReport::Wait ReportOf(const Permissions::Wait& wait);

  PageServer& store_;
  Permissions& permissions_;
  ConnectedClients& clients_;
  const std::function<std::string(uint32_t)> name_of_;
  const std::chrono::steady_clock::time_point since_ = std::chrono::steady_clock::now();
  Mutex lock_;  // before the lock of ConnectedClients
  CondVar told_;
  uint64_t last_question_ TN_GUARDED_BY(lock_) = 0;
};

}  // namespace tenure::store
