// Scans a database page by page, in a thread of its own, and makes an index of it.
#pragma once

#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <string>

#include "base/mutex.h"
#include "base/worker_thread.h"
#include "dbtool/browse/browsed_store.h"
#include "dbtool/browse/object_index.h"

namespace tenure::dbtool {

// How far the scan of a database has come.
struct ScanState {
  bool running = false;
  uint64_t pages = 0, of_pages = 0, objects = 0;
  std::string problem;                       // why there is no index; empty: none
  std::shared_ptr<const ObjectIndex> index;  // of the last scan that was finished; may be null
  double finished_at = 0;                    // seconds since 1970
  double seconds = 0;                        // that it took
  uint64_t commits = 0;                      // of the server when the scan began
};

// Any thread.
class Scanner {
 public:
  // The store must outlive it.
  explicit Scanner(BrowsedStore& store) : store_(store) {}
  ~Scanner() { Stop(); }

  // False: no thread can be started.
  [[nodiscard]] bool Start();
  void Stop();
  // Starts a scan of the database, unless one is running.
  void Want(const std::string& database);
  // Wants a scan of a database that others have changed since the last one, unless that one is too
  // recent: scans take a twentieth of the time at most. `commits`: the server's commits until now.
  void Refresh(const std::string& database, uint64_t commits);
  // Wants a first scan of the database.
  ScanState StateOf(const std::string& database);

 private:
  void Run();
  void Scan(const std::string& database);
  // Scans pages from `from` on, in one transaction; *next becomes the first page that is left.
  Status ScanPart(OpenedStore& store, const std::string& database, uint64_t from, uint64_t* next,
                  IndexBuilder* builder, bool* full);

  BrowsedStore& store_;
  WorkerThread thread_;
  Mutex lock_;
  CondVar changed_;
  bool stopped_ TN_GUARDED_BY(lock_) = false;
  std::map<std::string, ScanState> states_ TN_GUARDED_BY(lock_);
  std::vector<std::string> wanted_ TN_GUARDED_BY(lock_);
};

}  // namespace tenure::dbtool
