#include "dbtool/browse/browsed_store.h"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <thread>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "dbtool/stored/copies.h"
#include "store/files/file_operations.h"
#include "store/files/store_files.h"
#include "store/format/status_text.h"

namespace tenure::dbtool {

namespace {

double Now() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

// Sizes and times of the store's files: any write changes them.
struct Marks {
  std::vector<std::pair<std::string, std::array<int64_t, 3>>> files;
  double latest = 0;  // write, in seconds since 1970

  friend bool operator==(const Marks&, const Marks&) = default;
};

Result<Marks> MarksOf(const std::string& path) {
  Marks marks;
  TN_ASSIGN_OR_RETURN(std::vector<std::string> names, store::EntriesOf(path));
  std::ranges::sort(names);
  for (const std::string& name : names) {
    if (!store::IsStoreFile(name)) continue;
    struct stat info;
    if (stat((path + "/" + name).c_str(), &info) != 0) continue;
    marks.files.push_back(
        {name, {info.st_size, info.st_mtim.tv_sec, static_cast<int64_t>(info.st_mtim.tv_nsec)}});
    marks.latest = std::max(marks.latest, static_cast<double>(info.st_mtim.tv_sec) +
                                              static_cast<double>(info.st_mtim.tv_nsec) / 1e9);
  }
  return marks;
}

}  // namespace

Result<std::unique_ptr<BrowsedStore>> BrowsedStore::Open(const std::string& path,
                                                         const Views& views) {
  std::unique_ptr<BrowsedStore> browsed(new BrowsedStore(path, views));
  const bool served = store::RemotePageServer::IsServed(path);
  // A mistyped name must not become a store.
  const bool is_store = std::filesystem::exists(path + "/" + std::string(store::kFormatFile));
  if (!served && is_store) browsed->own_ = OwnServer::Start(path);
  Result<OpenedStore> opened = OpenForReading(path);
  if (opened.ok()) {
    browsed->access_ = browsed->own_ != nullptr                ? StoreAccess::kOwn
                       : opened->server->capabilities().shared ? StoreAccess::kServed
                                                               : StoreAccess::kAlone;
    browsed->opened_[0].store = *std::move(opened);
    return browsed;
  }
  if (opened.status().code() != StatusCode::kInUse) return opened.status();
  TN_RETURN_IF_ERROR(browsed->OpenCopy(opened.status()));
  return browsed;
}

// If no file was written meanwhile, the copy is in the state that a crash would leave, from which a
// store recovers.
Status BrowsedStore::OpenCopy(const Status& in_use) {
  constexpr int kTries = 20;
  constexpr double kQuiet = 0.05;  // seconds; longer than the clock of files takes for a step
  const char* const place = std::getenv("TMPDIR");
  std::string made =
      std::string(place == nullptr || *place == '\0' ? "/tmp" : place) + "/tenure-browse-XXXXXX";
  if (mkdtemp(made.data()) == nullptr) return store::SystemFailure(errno, "cannot make " + made);
  copy_ = made;
  for (int i = 0; i < kTries; ++i) {
    if (i > 0) std::this_thread::sleep_for(std::chrono::milliseconds(100));
    TN_ASSIGN_OR_RETURN(const Marks before, MarksOf(path_));
    const double now = Now();
    if (now - before.latest < kQuiet) continue;
    const std::string copy = made + "/store" + std::to_string(i);
    const Status copied = CopyFiles(path_, copy);
    TN_ASSIGN_OR_RETURN(const Marks after, MarksOf(path_));
    if (!copied.ok() && before == after) return copied;
    if (!copied.ok() || before != after) {
      std::error_code error;
      std::filesystem::remove_all(copy, error);
      continue;
    }
    TN_ASSIGN_OR_RETURN(opened_[0].store, OpenForReading(copy));
    access_ = StoreAccess::kCopy;
    holder_ = in_use.text();
    copied_at_ = now;
    return Status::Ok();
  }
  return store::Failure(StatusCode::kInUse,
                        std::string(in_use.text()) +
                            ", and changed all the time: no copy of one moment can be taken. "
                            "Start the program while `tenure serve` has the store");
}

BrowsedStore::~BrowsedStore() { (void)Close(); }

Status BrowsedStore::UseOpened(Opened& opened, const std::function<Status(OpenedStore&)>& use) {
  if (!shared()) {
    if (!opened.store) return Status(StatusCode::kClosed, "the store is closed");
    return use(*opened.store);
  }
  const MutexLock guard(opened.lock);
  // If the server has failed, looks for the server that has taken its place.
  if (opened.store && !opened.store->server->failed().ok()) opened.store.reset();
  if (!opened.store) {
    TN_ASSIGN_OR_RETURN(opened.store, OpenForReading(path_));
  }
  OpenedStore& store = *opened.store;
  return ReadAtOneMoment(store, [&]() -> Status {
    // Other programs may have added types.
    TN_ASSIGN_OR_RETURN(const std::vector<store::TypeEntry> entries, store.server->TypeEntries());
    if (entries.size() != store.types.all().size()) {
      TN_ASSIGN_OR_RETURN(store.types, StoredTypes::Read(*store.server));
    }
    return use(store);
  });
}

Status BrowsedStore::Use(StoreLane lane, const std::function<Status(OpenedStore&)>& use) {
  const ReaderLock guard(use_lock_);
  if (closed_) return Status(StatusCode::kClosed, "the store is closed");
  return UseOpened(opened_[shared() ? static_cast<size_t>(lane) : 0], use);
}

Status BrowsedStore::Change(const std::function<Status(OpenedStore&)>& change) {
  // The server of a shared store hides unfinished changes from readers.
  if (shared()) return Use(StoreLane::kViews, change);
  const LockGuard guard(use_lock_);
  if (closed_) return Status(StatusCode::kClosed, "the store is closed");
  return UseOpened(opened_[0], change);
}

Status BrowsedStore::Read(StoreLane lane, const std::string& database,
                          const std::function<Status(DatabaseView&)>& read) {
  return Use(lane, [&](OpenedStore& store) -> Status {
    TN_ASSIGN_OR_RETURN(const std::unique_ptr<DatabaseView> view,
                        DatabaseView::Open(store, database, views_));
    return read(*view);
  });
}

Result<store::RemotePageServer*> BrowsedStore::Watcher() {
  if (!shared()) return Status(StatusCode::kNotSupported, "the store is not served");
  if (watcher_ == nullptr) {
    TN_ASSIGN_OR_RETURN(watcher_, store::RemotePageServer::Connect(path_));
  }
  return watcher_.get();
}

Result<store::ServingReport> BrowsedStore::Serving() {
  const MutexLock guard(watch_lock_);
  TN_ASSIGN_OR_RETURN(store::RemotePageServer* const server, Watcher());
  Result<store::ServingReport> report = server->Serving();
  if (!report.ok()) watcher_ = nullptr;
  return report;
}

Result<store::RecentCommits> BrowsedStore::RecentCommits(uint32_t most) {
  const MutexLock guard(watch_lock_);
  TN_ASSIGN_OR_RETURN(store::RemotePageServer* const server, Watcher());
  Result<store::RecentCommits> recent = server->Recent(most);
  if (!recent.ok()) watcher_ = nullptr;
  return recent;
}

Status BrowsedStore::Close() {
  {
    const MutexLock guard(watch_lock_);
    watcher_ = nullptr;
  }
  const LockGuard guard(use_lock_);
  closed_ = true;
  Status closed;
  for (Opened& opened : opened_) {
    if (!opened.store) continue;
    const Status one = opened.store->server->Close();
    if (closed.ok()) closed = one;
    opened.store.reset();
  }
  own_ = nullptr;
  if (!copy_.empty()) {
    std::error_code error;
    std::filesystem::remove_all(copy_, error);
    copy_.clear();
  }
  return closed;
}

const char* NameOf(StoreAccess access) {
  switch (access) {
    case StoreAccess::kServed: return "served";
    case StoreAccess::kOwn: return "own";
    case StoreAccess::kAlone: return "alone";
    case StoreAccess::kCopy: return "copy";
  }
  return "";
}

}  // namespace tenure::dbtool
