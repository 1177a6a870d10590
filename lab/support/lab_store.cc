#include "lab/support/lab_store.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "lab/support/fail.h"
#include "store/open.h"

namespace tenure::lab {

LabStore::LabStore(const std::string& parent) {
  const char* const temporary = std::getenv("TMPDIR");
  folder_ = (!parent.empty()        ? parent
             : temporary != nullptr ? temporary
                                    : "/tmp") +
            std::string("/tenure-lab-XXXXXX");
  if (mkdtemp(folder_.data()) == nullptr) {
    Fail("cannot make " + folder_ + ": " + std::strerror(errno));
  }
}

std::unique_ptr<store::PageServer> OpenStoreAt(const std::string& path, store::OpenMode mode) {
  store::StoreOptions options;
  options.mode = mode;
  return Check(store::OpenStore(path, options), "open the store");
}

LabStore::~LabStore() {
  server_.reset();
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

store::PageServer& LabStore::server() {
  if (server_ == nullptr) {
    server_ = OpenStoreAt(path(), store::OpenMode::kOpenOrCreate);
  }
  return *server_;
}

void LabStore::Close() {
  if (server_ == nullptr) return;
  Check(server_->Close(), "close a store");
  server_.reset();
}

void LabStore::MakeCold() {
  Close();
  std::error_code failed;
  for (std::filesystem::recursive_directory_iterator it(folder_, failed), end; it != end;
       it.increment(failed)) {
    const int file = open(it->path().c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) continue;
    // The system keeps dirty pages in its cache, so they are written first.
    (void)fdatasync(file);
    (void)posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
    close(file);
  }
}

}  // namespace tenure::lab
