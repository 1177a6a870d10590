#include "node/led_store.h"

#include <unistd.h>

#include <chrono>
#include <utility>

#include "base/mutex.h"
#include "store/cluster/cluster_sessions.h"

namespace tenure::node {

using store::LeaseNow;

Result<std::shared_ptr<LedStore>> LedStore::Lead(const Options& options,
                                                 const store::PostgresEngine::StoreRow& row,
                                                 std::shared_ptr<const NodeLife> life) {
  std::shared_ptr<LedStore> led(new LedStore(row, std::move(life)));
  store::ClusterOptions cluster;
  cluster.node = led->life_->id;
  cluster.former = row.leader;
  cluster.lease = &led->life_->lease;
  cluster.cached_records = options.cached_records;
  cluster.refusal = options.refusal;
  cluster.refuses_until = options.refuses_until;
  TN_ASSIGN_OR_RETURN(led->server_, store::ClusterPageServer::Open(
                                        std::make_unique<store::PostgresEngine>(options.postgres),
                                        row.name, store::OpenMode::kOpen, cluster));
  led->service_ = std::make_unique<store::PageService>(*led->server_, options.uri);
  LedStore* const raw = led.get();
  led->service_->OnFailure([raw] { raw->failed_ = true; });
  led->service_->ServeWhile([raw] { return raw->Leads(); });
  led->service_->LeaseFor([raw] {
    if (!raw->Leads()) return std::chrono::milliseconds(0);
    return std::chrono::duration_cast<std::chrono::milliseconds>(
        raw->life_->lease.Left(LeaseNow()));
  });
  TN_RETURN_IF_ERROR(led->service_->Start(
      std::make_unique<store::ClusterSessions>(*led->server_, options.session_timeout)));
  return led;
}

LedStore::~LedStore() { static_cast<void>(Stop()); }

bool LedStore::Leads() const {
  return !failed_ && life_->lease.ValidAt(LeaseNow()) && server_->failed().ok();
}

Status LedStore::failure() const {
  if (const Status status = server_->failed(); !status.ok()) return status;
  if (!life_->lease.ValidAt(LeaseNow())) {
    return Status(StatusCode::kInUse, "the node's lease is over");
  }
  if (failed_) return Status(StatusCode::kIo, "it cannot be told whether a commit is in the store");
  return Status::Ok();
}

size_t LedStore::clients() const {
  const MutexLock guard(mutex_);
  return clients_;
}

void LedStore::Serve(int socket, const store::ServicePeer& peer) {
  {
    const MutexLock guard(mutex_);
    if (stopping_) {
      close(socket);
      return;
    }
    ++clients_;
  }
  service_->Serve(socket, &peer);
  const MutexLock guard(mutex_);
  --clients_;
  left_.notify_all();
}

Status LedStore::Stop() {
  {
    MutexLock guard(mutex_);
    if (stopping_ && service_ == nullptr) return Status::Ok();
    stopping_ = true;
    while (clients_ > 0) {
      guard.unlock();
      service_->CutOffAll();
      guard.lock();
      left_.wait_for(guard, std::chrono::milliseconds(100));
    }
  }
  if (service_ != nullptr) service_->Stop();
  service_.reset();
  return server_ == nullptr ? Status::Ok() : server_->Close();
}

}  // namespace tenure::node
