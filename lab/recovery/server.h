// The server of the recovery study (White & DeWitt 1995, 3): a pool of pages over a store's
// databases, and a log of its own. Clients choose by their messages how a page's changes are made
// durable: log records and the page (ESM), log records alone (redo at server), or the page in the
// log (whole-page logging). A client's transaction changes only pages of its own module, which is
// the database of its number.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "lab/recovery/log_record.h"
#include "lab/recovery/protocol.h"
#include "lab/support/device.h"
#include "store/server/page_server.h"

namespace tenure::lab::recovery {

struct ServerOptions {
  size_t pool_pages = 4608;  // 36 MB
  DeviceModel log_device, data_device;
  bool groups = true;                  // one sync serves all commits that wait for it
  size_t checkpoint_bytes = 64 << 20;  // after this much log pages go to their places
  std::string log_file;                // made anew
};

class RecoveryServer {
 public:
  // The databases `names` of the open store, one for each client.
  RecoveryServer(store::PageServer& store, const std::vector<std::string>& names,
                 const ServerOptions& options);
  ~RecoveryServer();
  RecoveryServer(const RecoveryServer&) = delete;
  RecoveryServer& operator=(const RecoveryServer&) = delete;

  // Answers the client's messages until it ends. One thread for each client.
  void Serve(int socket, uint32_t client);
  // Writes committed pages to their places.
  void Flush();

 private:
  struct Pooled {
    std::unique_ptr<std::byte[]> bytes;
    bool dirty = false;       // its place has something else
    bool in_log = false;      // the log has the whole page (whole-page logging)
    uint64_t records_to = 0;  // the log has the records of its changes up to there
    std::list<uint64_t>::iterator use;
  };
  // A whole page in the log that its place does not have yet.
  struct Logged {
    uint64_t at = 0;  // of its contents
    uint32_t client = 0;
    uint64_t transaction = 0;
    bool committed = false;
    std::unique_ptr<Logged> older;  // while this one has not committed
  };
  using Lock = std::unique_lock<std::mutex>;

  static uint64_t KeyOf(uint32_t client, uint64_t page) { return uint64_t{client} << 32 | page; }
  Pooled& Find(Lock& lock, uint64_t key, bool read);
  void MakeRoom(Lock& lock);
  void WriteHome(Lock& lock, uint64_t key, const std::byte* bytes);
  uint64_t Append(const RecordHead& head, std::string_view images);
  void Apply(Lock& lock, uint32_t client, std::string_view records);
  void TakeLogPage(Lock& lock, uint32_t client, uint64_t page, const std::byte* bytes);
  void Commit(Lock& lock, uint32_t client);
  void WriteTail(Lock& lock, uint64_t to);
  void Force(Lock& lock, uint64_t to);
  void ReadLog(Lock& lock, uint64_t at, std::byte* bytes);
  void Checkpoint(Lock& lock);
  ServerReport Report();

  store::PageServer& store_;
  const ServerOptions options_;
  std::vector<store::DatabaseId> databases_;
  std::mutex lock_;
  std::unordered_map<uint64_t, Pooled> pool_;
  std::list<uint64_t> uses_;  // the page that was used last is first
  std::unordered_map<uint64_t, uint64_t> versions_;
  uint64_t written_ = 0;  // the last version that this server has written
  std::unordered_map<uint64_t, Logged> logged_;
  std::set<uint64_t> leaving_;  // pages that are being written to their places to make room
  std::condition_variable left_;
  std::vector<uint64_t> transactions_;             // by client: the open one
  std::vector<std::vector<uint64_t>> logged_now_;  // by client: pages of the open transaction
  // The log: on the file up to tail_begin_, the rest in tail_.
  int log_ = -1;
  std::string tail_;
  uint64_t tail_begin_ = 0;
  uint64_t durable_ = 0, checkpoint_at_ = 0;
  bool syncing_ = false, checkpointing_ = false;
  uint64_t waiting_ = 0;
  std::condition_variable synced_;
  Device log_device_, data_device_;
  ServerReport counts_;
};

// After a crash: restores the state after the last commit of each client, from the store, whose
// places may be half-written, and from the durable part of the log. Returns the number of commits
// of each client.
std::vector<uint64_t> Restart(store::PageServer& store, const std::vector<std::string>& names,
                              const std::string& log_file);

}  // namespace tenure::lab::recovery
