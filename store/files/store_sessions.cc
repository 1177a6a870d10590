#include "store/files/store_sessions.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/crc32c.h"
#include "base/mutex.h"
#include "store/files/held_directory.h"
#include "store/files/store_files.h"
#include "store/format/page_record.h"
#include "store/format/status_text.h"

namespace tenure::store {

namespace {

constexpr uint64_t kNow = ~uint64_t{0};
constexpr size_t kServingsKept = 1024;

// The locked bytes lie behind all text. The offset of a byte is kPlaces, plus the process id, plus
// a number that tells sessions of one process apart.
constexpr uint64_t kPlaces = uint64_t{1} << 48;
constexpr uint64_t kPlacesEnd = kPlaces << 1;
constexpr int kSerialBits = 20;
constexpr uint64_t kSerials = uint64_t{1} << kSerialBits;

pid_t ProcessOf(uint64_t place) { return static_cast<pid_t>((place - kPlaces) >> kSerialBits); }

struct flock LockOf(short type, uint64_t from, uint64_t to) {
  struct flock lock = {};
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  lock.l_start = static_cast<off_t>(from);
  lock.l_len = static_cast<off_t>(to - from);
  return lock;
}

// The beginning of the file; the servings follow.
struct StoredSessions {
  char magic[16];
  uint32_t checksum;  // of all servings
  uint32_t count;
};
struct StoredServing {
  Uuid id;
  uint64_t end;
};
static_assert(sizeof(StoredSessions) == 24 && sizeof(StoredServing) == 24);

constexpr char kMagic[16] = {'T', 'e', 'n', 'u', 'r', 'e', ' ', 's',
                             'e', 'r', 'v', 'i', 'n', 'g', 's', '\n'};

Status Away(const std::string& path, uint64_t place) {
  const pid_t process = ProcessOf(place);
  return Failure(StatusCode::kInUse,
                 (process == 0 ? std::string("a process") : "process " + std::to_string(process)) +
                     " has lost its connection to the store (" + path +
                     ") and may come again with references to objects: nothing is collected while "
                     "it is there",
                 process == 0 ? -1 : process);
}

}  // namespace

Result<std::unique_ptr<StoreSessions>> StoreSessions::OpenFile(const std::string& directory,
                                                               bool make) {
  const std::string path = directory + "/" + std::string(kSessionsFile);
  const int flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
  const Place place = PlaceOf(path.c_str());
  int fd = openat(place.directory, place.name, flags);
  bool made = false;
  if (fd < 0 && errno == ENOENT && make) {
    fd = openat(place.directory, place.name, flags | O_CREAT | O_EXCL, 0600);
    made = fd >= 0;
  }
  if (fd < 0) {
    if (errno == ENOENT) return std::unique_ptr<StoreSessions>();
    return SystemFailure(errno, "cannot open " + path);
  }
  std::unique_ptr<StoreSessions> sessions(new StoreSessions(path, fd));
  struct stat info;
  if (fstat(fd, &info) != 0) return SystemFailure(errno, "cannot examine " + path);
  if (!S_ISREG(info.st_mode)) return Failure(StatusCode::kCorrupt, path + " is not a file");
  if (const FileOwner owner = OwnerFor(place); made && owner.known) {
    (void)!fchown(fd, owner.user, owner.group);
    (void)fchmod(fd, owner.mode);
  }
  {
    const MutexLock guard(sessions->lock_);
    TN_RETURN_IF_ERROR(sessions->Load());
  }
  return sessions;
}

Result<std::unique_ptr<StoreSessions>> StoreSessions::Open(const std::string& directory) {
  return OpenFile(directory, /*make=*/true);
}

// Contents that make no sense count as no servings; a read that fails is an error.
Status StoreSessions::Load() {
  const auto failed = [&] { return SystemFailure(errno, "cannot read " + path_); };
  StoredSessions head;
  ssize_t got = ReadAt(file_.get(), &head, sizeof head, 0);
  if (got < 0) return failed();
  if (got != sizeof head) return Status::Ok();
  if (std::memcmp(head.magic, kMagic, sizeof kMagic) != 0 || head.count > kServingsKept) {
    return Status::Ok();
  }
  std::vector<StoredServing> stored(head.count);
  const std::span bytes = std::as_writable_bytes(std::span(stored));
  got = ReadAt(file_.get(), bytes.data(), bytes.size(), sizeof head);
  if (got < 0) return failed();
  if (got != static_cast<ssize_t>(bytes.size()) || Crc32c(0, bytes) != head.checksum) {
    return Status::Ok();
  }
  for (const StoredServing& serving : stored) servings_.push_back({serving.id, serving.end});
  return Status::Ok();
}

Status StoreSessions::Save() {
  std::vector<StoredServing> stored;
  for (const Serving& serving : servings_) stored.push_back({serving.id, serving.end});
  const std::span bytes = std::as_bytes(std::span(std::as_const(stored)));
  StoredSessions head = {};
  std::memcpy(head.magic, kMagic, sizeof kMagic);
  head.checksum = Crc32c(0, bytes);
  head.count = static_cast<uint32_t>(stored.size());
  std::string text(reinterpret_cast<const char*>(&head), sizeof head);
  text.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  // If the process is killed during this write, the file has the old contents or the new ones; or
  // the checksum is wrong, and no program may come again.
  ssize_t written;
  do {
    written = pwrite(file_.get(), text.data(), text.size(), 0);
  } while (written < 0 && errno == EINTR);
  if (written == static_cast<ssize_t>(text.size())) return Status::Ok();
  const int error = written < 0 ? errno : ENOSPC;
  // The contents must not be believed any more.
  if (ftruncate(file_.get(), 0) == 0 && error == ENOSPC) return Status::Ok();
  return SystemFailure(error, "cannot write " + path_);
}

Status StoreSessions::NoteOpened(const std::string& directory, uint64_t version) {
  TN_ASSIGN_OR_RETURN(std::unique_ptr<StoreSessions> sessions, OpenFile(directory, /*make=*/false));
  if (sessions == nullptr) return Status::Ok();
  const MutexLock guard(sessions->lock_);
  bool changed = false;
  for (Serving& serving : sessions->servings_) {
    changed = changed || serving.end > version;
    serving.end = std::min(serving.end, version);
  }
  return changed ? sessions->Save() : Status::Ok();
}

Status StoreSessions::ForgetServings(const std::string& directory) {
  TN_ASSIGN_OR_RETURN(std::unique_ptr<StoreSessions> sessions, OpenFile(directory, /*make=*/false));
  if (sessions == nullptr) return Status::Ok();
  const MutexLock guard(sessions->lock_);
  if (sessions->servings_.empty()) return Status::Ok();
  sessions->servings_.clear();
  return sessions->Save();
}

Status StoreSessions::CheckNobodyAway(const std::string& directory) {
  TN_ASSIGN_OR_RETURN(std::unique_ptr<StoreSessions> sessions, OpenFile(directory, /*make=*/false));
  return sessions == nullptr ? Status::Ok() : sessions->CheckNobodyAway(std::set<uint64_t>());
}

Status StoreSessions::StartServing() {
  const MutexLock guard(lock_);
  // Each opening ends the last serving (NoteOpened); one that still has no end is not this store's.
  std::erase_if(servings_, [](const Serving& serving) { return serving.end == kNow; });
  if (servings_.size() >= kServingsKept) {
    servings_.erase(servings_.begin(), servings_.end() - static_cast<ptrdiff_t>(kServingsKept - 1));
  }
  serving_ = NewUuid();
  servings_.push_back({serving_, kNow});
  return Save();
}

bool StoreSessions::MayComeAgain(const Uuid& serving, uint64_t version) {
  const MutexLock guard(lock_);
  return std::any_of(servings_.begin(), servings_.end(), [&](const Serving& known) {
    return known.id == serving && version <= known.end;
  });
}

Status StoreSessions::ForgetOthers() {
  const MutexLock guard(lock_);
  if (servings_.size() == 1) return Status::Ok();
  servings_.assign(1, {serving_, kNow});
  return Save();
}

Result<KnownSessions::Entered> StoreSessions::Enter(pid_t process, std::string_view, const Uuid&) {
  Entered entered;
  entered.serving = serving_;
  entered.descriptor = Lock(process, &entered.place);
  if (entered.descriptor < 0) {
    return Status(StatusCode::kIo, "the page server can serve nobody else now");
  }
  return entered;
}

int StoreSessions::Lock(pid_t process, uint64_t* place) {
  const MutexLock guard(lock_);
  // A description of its own, which others cannot write through.
  const std::string name = "/proc/self/fd/" + std::to_string(file_.get());
  int fd = open(name.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) {
    const Place at = PlaceOf(path_.c_str());
    fd = openat(at.directory, at.name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  }
  if (fd < 0) return -1;
  for (uint64_t tries = 0; tries < kSerials; ++tries) {
    const uint64_t at = kPlaces + (static_cast<uint64_t>(process) << kSerialBits) +
                        (++last_serial_ & (kSerials - 1));
    struct flock taken = LockOf(F_WRLCK, at, at + 1);
    if (fcntl(file_.get(), F_OFD_GETLK, &taken) != 0) break;
    if (taken.l_type != F_UNLCK) continue;
    struct flock wanted = LockOf(F_RDLCK, at, at + 1);
    if (fcntl(fd, F_OFD_SETLK, &wanted) != 0) break;
    *place = at;
    return fd;
  }
  close(fd);
  return -1;
}

void StoreSessions::FindLocks(uint64_t from, uint64_t to, std::vector<uint64_t>* places) const {
  if (from >= to) return;
  // Any of those that are there.
  struct flock found = LockOf(F_WRLCK, from, to);
  if (fcntl(file_.get(), F_OFD_GETLK, &found) != 0 || found.l_type == F_UNLCK) return;
  const auto at = static_cast<uint64_t>(found.l_start);
  places->push_back(at);
  FindLocks(from, at, places);
  FindLocks(at + 1, to, places);
}

Status StoreSessions::CheckNobodyAway(const std::set<uint64_t>& here) {
  std::vector<uint64_t> places;
  FindLocks(kPlaces, kPlacesEnd, &places);
  const auto away = std::find_if(places.begin(), places.end(),
                                 [&](uint64_t place) { return !here.contains(place); });
  return away == places.end() ? Status::Ok() : Away(path_, *away);
}

}  // namespace tenure::store
