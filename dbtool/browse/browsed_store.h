// The store that is browsed: how it is reached while other programs use it, and one reader at a
// time.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/mutex.h"
#include "dbtool/browse/own_server.h"
#include "dbtool/look/database_view.h"
#include "store/remote/remote_page_server.h"

namespace tenure::dbtool {

enum class StoreAccess : uint8_t {
  kServed,  // by a server that was there
  kOwn,     // served by a server of browse: programs can use the store, too
  kAlone,   // not served: other programs cannot open it
  kCopy,    // another program has the store: a copy of its files, of one moment
};
const char* NameOf(StoreAccess access);

// Long work in one of them does not hold up the others.
enum class StoreLane : uint8_t { kViews, kQueries, kScan };

// Any thread.
class BrowsedStore {
 public:
  // `views` must outlive it. kInUse: another program has the store, and changes it all the time.
  static Result<std::unique_ptr<BrowsedStore>> Open(const std::string& path, const Views& views);
  ~BrowsedStore();

  const std::string& path() const { return path_; }
  StoreAccess access() const { return access_; }
  // kCopy: the process that holds the store, and the time of the copy, in seconds since 1970.
  const std::string& holder() const { return holder_; }
  double copied_at() const { return copied_at_; }
  bool shared() const { return access_ == StoreAccess::kServed || access_ == StoreAccess::kOwn; }
  const Views& views() const { return views_; }

  // Calls use() as ReadAtOneMoment does. The store of the lane is used by one caller at a time
  // where the store is shared: each lane has a connection of its own.
  Status Use(StoreLane lane, const std::function<Status(OpenedStore&)>& use);
  // Use, while no other thread of this process reads.
  Status Change(const std::function<Status(OpenedStore&)>& change);
  // Calls `use` with a view of the database, which also collects damage.
  Status Read(StoreLane lane, const std::string& database,
              const std::function<Status(DatabaseView&)>& read);

  // Asks the server through a connection of its own, without waiting for permissions.
  // kNotSupported: there is no server.
  Result<store::ServingReport> Serving();
  Result<store::RecentCommits> RecentCommits(uint32_t most);

  // Ends the use of the store, and a server of browse's own.
  Status Close();

 private:
  struct Opened {
    Mutex lock;  // held while a shared store is used
    std::optional<OpenedStore> store;
  };

  BrowsedStore(std::string path, const Views& views) : path_(std::move(path)), views_(views) {}

  Status UseOpened(Opened& opened, const std::function<Status(OpenedStore&)>& use);
  Status OpenCopy(const Status& in_use);
  Result<store::RemotePageServer*> Watcher() TN_REQUIRES(watch_lock_);

  const std::string path_;
  const Views& views_;
  StoreAccess access_ = StoreAccess::kAlone;
  std::string holder_, copy_;
  double copied_at_ = 0;
  std::unique_ptr<OwnServer> own_;
  bool closed_ = false;   // with use_lock_
  SharedMutex use_lock_;  // held alone while something is changed
  Opened opened_[3];      // by StoreLane; only the first where the store is not shared
  Mutex watch_lock_;
  std::unique_ptr<store::RemotePageServer> watcher_ TN_GUARDED_BY(watch_lock_);
};

}  // namespace tenure::dbtool
