// What a power cut may leave of the files in a directory.
//
// A file system may write the names in a directory, the length of a file and its sectors at any
// time and in any order, until the file or the directory is synced. IoFault takes back what is in
// files; this takes back names and lengths, too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "store/files/file_system.h"

namespace tenure::store {

// While it is the file system in use (UseFileSystem), records the operations on the files of one
// directory, which does not exist at first. One thread.
class PowerCuts final : public FileSystem {
 public:
  // What is left of operations that no sync has made durable. Files and names have what was synced
  // in any case.
  enum class Left : uint8_t {
    kNothing,
    kLengths,  // files have their new names and lengths, with zeros where they grew
    kNames,    // files have their new names and are as long as at their last sync
    kData,     // files have their data, but no new names
    kAll,
    kSome,  // drawn at random: of each name, length and sector
  };
  static constexpr Left kEach[] = {Left::kNothing, Left::kLengths, Left::kNames,
                                   Left::kData,    Left::kAll,     Left::kSome};

  size_t operations() const { return operations_.size(); }
  // Makes the directory `target`, which does not exist, with what a power cut before operation `at`
  // (0: the first one) may leave.
  void Make(const std::string& target, size_t at, Left left, uint64_t seed) const;

  ssize_t Write(int fd, const void* bytes, size_t count) override;
  ssize_t Pwrite(int fd, const void* bytes, size_t count, off_t offset) override;
  ssize_t Pwritev(int fd, const iovec* parts, int count, off_t offset) override;
  int Sync(int fd) override;
  int SyncDirectory(int fd) override;
  int Truncate(int fd, off_t size) override;
  int Rename(const Place& from, const Place& to) override;
  int Unlink(const Place& place) override;
  int Create(const Place& place, int flags) override;
  int CreateAgain(const Place& place, int flags) override;

 private:
  enum class Kind : uint8_t {
    kWrite,
    kTruncate,
    kSync,
    kSyncNames,
    kCreate,
    kRename,
    kUnlink,
  };
  struct Operation {
    Kind kind;
    size_t file = 0;   // number of a file
    off_t offset = 0;  // or size
    std::string bytes = {};
    std::string name = {}, other = {};
  };

  size_t NumberOf(int fd);
  int NoteCreated(const Place& place, int fd);
  void NoteWrite(int fd, const void* bytes, size_t count, off_t offset);

  std::vector<Operation> operations_;
  std::map<std::pair<dev_t, ino_t>, size_t> numbers_;
  size_t files_ = 0;
};

}  // namespace tenure::store
