#include "store/bdb/bdb_read_ahead.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/worker_thread.h"
#include "store/files/descriptor.h"
#include "store/files/file_operations.h"
#include "store/files/store_files.h"
#include "store/files/store_io.h"
#include "store/trees/tree_memory.h"
#include "store/trees/tree_pages.h"

namespace tenure::store {

// Reads the end first: the records with the highest keys are there. An opening looks them up, and
// would wait for all before them. Reading takes two thirds of what POSIX_FADV_WILLNEED takes, which
// gives each page its own piece of memory.
void ReadAhead(std::vector<std::string> paths) {
  static_cast<void>(WorkerThread::StartDetached([paths = std::move(paths)] {
    // The amount that a slow disk reads in a tenth of a second.
    constexpr off_t kDatabaseBytes = 8 << 20;
    constexpr off_t kOtherBytes = 1 << 20;
    std::vector<std::byte> read(2 * kTreePageBytes);
    const auto step = static_cast<off_t>(read.size());
    for (const std::string& path : paths) {
      const Descriptor file(StoreOpen(path.c_str(), O_RDONLY));
      const off_t end = file.get() < 0 ? 0 : lseek(file.get(), 0, SEEK_END);
      if (end > step) static_cast<void>(pread(file.get(), read.data(), read.size(), end - step));
      const off_t wanted = path.ends_with(".db") ? kDatabaseBytes : kOtherBytes;
      for (off_t at = 0; at < std::min(end, wanted); at += step) {
        if (pread(file.get(), read.data(), read.size(), at) <= 0) break;
        TheTreeBuffers().Ready();
      }
    }
    TheTreeBuffers().Serve();
  }));
}

std::string ReadAheadStore(const std::string& path) {
  constexpr size_t kFiles = 16;
  Result<std::vector<std::string>> names = EntriesOf(path);
  if (!names.ok()) return "";
  const auto databases = std::partition(names->begin(), names->end(), [](const std::string& name) {
    return !name.ends_with(".db") || name == kStoreTreeFile;
  });
  const std::string only = names->end() - databases == 1 ? *databases : "";
  if (only.empty()) names->erase(databases, names->end());
  // Databases come last in the opening, too.
  if (names->size() > kFiles) names->erase(names->begin(), names->end() - kFiles);
  for (std::string& name : *names) name = path + "/" + name;
  ReadAhead(*std::move(names));
  return only;
}

}  // namespace tenure::store
