// A client of the recovery study: QuickStore's, over the recovery server (White & DeWitt 1995, 3).
// A module lies in virtual memory, page by page over a pool; the first touch of a page reads it,
// the first store to it enables recovery. One client in a process, with one thread.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "lab/recovery/log_record.h"
#include "lab/recovery/module.h"
#include "lab/recovery/protocol.h"

namespace tenure::lab::recovery {

// How a client finds changes, and what it ships. Table 3 of the paper.
enum class Scheme : uint8_t {
  kPdEsm,   // page differencing; log records and changed pages
  kSdEsm,   // sub-page differencing; log records and changed pages
  kSlEsm,   // sub-page logging: blocks without differencing; log records and changed pages
  kPdRedo,  // page differencing; log records, which the server applies
  kWpl,     // changed pages, to the log
};
inline constexpr const char* kSchemeNames[] = {"PD-ESM", "SD-ESM", "SL-ESM", "PD-REDO", "WPL"};

struct ClientOptions {
  uint32_t number = 0;  // of the client at the server
  Scheme scheme = Scheme::kPdEsm;
  size_t pool_pages = 1024;                  // 8 MB
  size_t recovery_bytes = 512 * kPageBytes;  // 4 MB: images of pages or blocks, before changes
  size_t block_bytes = 64;                   // of SD and SL
};

struct ClientCounters {
  uint64_t read_faults = 0, write_faults = 0;
  uint64_t updates = 0;        // calls of the update function (SD, SL)
  uint64_t pages_copied = 0;   // into the recovery buffer (PD)
  uint64_t blocks_copied = 0;  // (SD, SL)
  uint64_t early = 0;          // copies that left a full recovery buffer
  uint64_t most_copied = 0;    // bytes, at one time
  uint64_t replaced = 0;       // pages that left the pool
  uint64_t regions = 0;        // log records of changes
  uint64_t log_bytes = 0;      // of these
  uint64_t log_pages = 0;      // shipped
  uint64_t data_pages = 0;     // shipped
  uint64_t messages = 0;       // sent to the server
};

class Client {
 public:
  // `socket` leads to the server. The module has `module_pages` pages. Ends the process if memory
  // cannot be had.
  Client(int socket, size_t module_pages, const ClientOptions& options);
  ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  // A store to a field of an object: with SD and SL a call, with the others a store.
  void Set(int32_t* field, int32_t value) {
    if (by_calls_) {
      Update(field, value);
    } else {
      *field = value;
    }
  }
  // Returns when the transaction is durable. The pages stay in the pool.
  void Commit();
  ServerReport AskServer();

  const ClientCounters& counters() const { return counters_; }

 private:
  static constexpr uint32_t kNoSlot = ~uint32_t{0};
  struct PageState {
    uint32_t slot = kNoSlot;
    bool accessible = false, writable = false, dirty = false;
    std::unique_ptr<std::byte[]> copy;                 // PD
    std::vector<std::unique_ptr<std::byte[]>> blocks;  // SD, SL: by block; null: not copied
    size_t copied_blocks = 0;
  };

  static void OnFault(int, void* info, void* context);
  bool Fault(uintptr_t address, bool is_write);
  void Update(int32_t* field, int32_t value);
  void Fetch(size_t page);
  uint32_t TakeSlot();
  void Replace(size_t page);
  void EnableRecovery(size_t page);
  void MakeRoomForCopies(size_t bytes);
  // Writes log records of the changes since the page was copied, and drops the copies.
  void LogChanges(size_t page);
  void PutRecord(size_t page, size_t begin, size_t end, const std::byte* before);
  void ShipLog();
  void ShipPage(size_t page);
  void Send(MessageKind kind, uint64_t page, const void* bytes, size_t count);
  void Protect(size_t page, int protection);
  char* FrameOf(size_t page) const;

  static Client* current;
  const int socket_;
  const ClientOptions options_;
  const bool by_calls_;
  int pool_ = -1;               // a nameless file, whose pages are mapped
  std::byte* slots_ = nullptr;  // all of it
  std::vector<PageState> pages_;
  std::vector<uint32_t> in_slot_;  // by slot: the page
  std::vector<uint32_t> free_;
  size_t hand_ = 0;            // of the clock, a slot
  std::deque<size_t> copied_;  // pages with copies, in the order of the first one
  size_t copied_bytes_ = 0;
  std::vector<size_t> dirty_;  // pages of the open transaction
  std::string log_;            // records that have not been shipped
  uint64_t transaction_ = 1;
  ClientCounters counters_;
};

}  // namespace tenure::lab::recovery
