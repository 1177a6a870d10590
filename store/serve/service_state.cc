#include "store/serve/service_state.h"

#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <system_error>

#include "base/mutex.h"
#include "store/server/store_path.h"

namespace tenure::store {

namespace {

// A client that has waited for a permission for this long is named on stderr.
constexpr std::chrono::seconds kSayAfter(10);

// As sessions name stores, so that paths relative to one another mean the same.
std::string Absolute(const std::string& directory) {
  if (IsClusterUri(directory)) return directory;
  std::error_code error;
  const std::filesystem::path path = std::filesystem::weakly_canonical(directory, error);
  std::string text = error ? directory : path.string();
  if (text.size() > 1 && text.back() == '/') text.pop_back();
  return text;
}

}  // namespace

ServiceState::ServiceState(PageServer& served, const std::string& place)
    : store(served),
      directory(place),
      check(served, Absolute(place), [this](const std::string& name) { return OpenForGood(name); }),
      doubts(served, permissions, Absolute(place), [this] { Fail(); }),
      durability(served, [this] { Fail(); }),
      watch(served, permissions, clients, [this](uint32_t database) { return NameOf(database); }) {
  permissions.OnLongWait(kSayAfter, [this](const Permissions::Wait& wait) { watch.Say(wait); });
}

void ServiceState::Fail() {
  if (failed.exchange(true)) return;
  if (on_failure) {
    on_failure();
  } else {
    kill(getpid(), SIGTERM);
  }
}

std::string ServiceState::NameOf(uint32_t database) {
  const MutexLock guard(databases_lock);
  const auto found = databases.find(database);
  return found == databases.end() ? std::string() : found->second.name;
}

Result<DatabaseId> ServiceState::OpenForGood(const std::string& name) {
  const MutexLock guard(databases_lock);
  TN_ASSIGN_OR_RETURN(const DatabaseId id, store.OpenDatabase(name, OpenMode::kOpen));
  databases[id.index].name = name;
  return id;
}

std::vector<std::string> ServiceState::NamesOf(const CommitRequest& request) {
  std::vector<std::string> names;
  for (const DatabaseCommit& commit : request.databases) {
    names.push_back(NameOf(commit.database.index));
  }
  return names;
}

}  // namespace tenure::store
